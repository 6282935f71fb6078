"""Which Raspberry Pi this is, if it is one."""

from __future__ import annotations

import re
from pathlib import Path

MODEL = Path("/proc/device-tree/model")


def read_model(path: Path = MODEL) -> str:
    """Such as `Raspberry Pi 4 Model B Rev 1.4`; empty on anything else."""
    try:
        model = path.read_bytes().rstrip(b"\0").decode("utf-8", "replace").strip()
    except OSError:
        return ""
    return model if model.startswith("Raspberry Pi") else ""


def generation(model: str) -> int:
    """1 to 5 by the chip inside (a Zero 2 counts as 3, a plain Zero as 1); 0 when it is no Pi we know."""
    if "Zero 2" in model:
        return 3
    if "Zero" in model:
        return 1
    found = re.search(r"Raspberry Pi (?:Compute Module )?(\d)", model)
    return int(found[1]) if found else 1 if model else 0
