"""Programs of the system that some tests use; a test without its program says which package brings it."""

from __future__ import annotations

import shutil

import pytest


def need(program: str, package: str) -> str:
    """The path of a program, or a skip that names its Debian package."""
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed: sudo apt install {package}")
    return found
