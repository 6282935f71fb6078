"""`make bench`: runs every `bench_*.py` beside this file and prints its figures; `make bench` changes no file."""

from __future__ import annotations

import importlib
import pathlib
import sys

import companion  # noqa: F401  # the benches run with the settings of the product


def main() -> None:
    wanted = sys.argv[1:]
    for path in sorted(pathlib.Path(__file__).parent.glob("bench_*.py")):
        if wanted and path.stem.removeprefix("bench_") not in wanted:
            continue
        print(f"== {path.stem.removeprefix('bench_')}")
        for name, value in importlib.import_module(f"tests.bench.{path.stem}").measure():
            print(f"{name:66} {value}", flush=True)


main()
