"""The mean of two networks of the same form, of which one learnt on from the other: often steadier than both.

`python -m tools.pieces.mean OUT.onnx ONE.onnx OTHER.onnx`; needs the packages of `tools/pieces/requirements.txt`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper


def mean_of(one: onnx.ModelProto, other: onnx.ModelProto) -> onnx.ModelProto:
    """A network whose weights lie halfway between those of two."""
    for mine, its in zip(one.graph.initializer, other.graph.initializer, strict=True):
        a, b = numpy_helper.to_array(mine), numpy_helper.to_array(its)
        if a.shape != b.shape:
            raise SystemExit(
                f"expected networks of one form, but {mine.name} is {a.shape} in one, {b.shape} in the other"
            )
        if a.dtype == np.float32:
            mine.CopyFrom(numpy_helper.from_array((a + b) / np.float32(2), mine.name))
    return one


def main() -> None:
    """Write the mean."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("networks", type=Path, nargs=2)
    args = parser.parse_args()
    one, other = (onnx.load(file) for file in args.networks)
    onnx.save(mean_of(one, other), args.out)


if __name__ == "__main__":
    main()
