"""Device addresses: `scheme:rest`, one dict per kind of device maps the scheme to `module:Class`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from hardware.errors import BadAddress


def resolve(address: str, schemes: Mapping[str, str], variable: str, kind: str) -> tuple[str, Any]:
    """The address after the override by an environment variable, and the class that opens it."""
    override = os.environ.get(variable, "")
    wanted = override or address
    origin = f" (from {variable})" if override else ""
    scheme, colon, _ = wanted.partition(":")
    if not colon or scheme not in schemes:
        known = ", ".join(f"{name}:" for name in schemes)
        raise BadAddress(f"expected a {kind} address that starts with one of {known} got '{wanted}'{origin}")
    return wanted, class_of(wanted, schemes)


def class_of(address: str, schemes: Mapping[str, str]) -> Any:
    """The class that opens an address; None for an unknown scheme."""
    module, _, name = schemes.get(address.partition(":")[0], "").partition(":")
    return getattr(import_module(module), name) if module else None


def is_simulated(address: str, schemes: Mapping[str, str]) -> bool:
    """Whether nobody can see what the device of an address does."""
    return bool(getattr(class_of(address, schemes), "is_simulated", False))
