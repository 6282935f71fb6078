"""What players read when a device fails, by the kind of error; the device's own words follow for whoever builds it."""

from __future__ import annotations

from typing import Final

from engine.sayings import Saying
from hardware.errors import (
    BadAddress,
    BadPicture,
    CameraLost,
    ClipEnded,
    DeviceClosed,
    DeviceRefused,
    HardwareError,
    LedsLost,
    LibraryMissing,
)

KINDS: Final[dict[type[HardwareError], Saying]] = {
    ClipEnded: Saying("The recording is at its end."),
    CameraLost: Saying("No picture comes from the camera; check its cable or its address."),
    LedsLost: Saying("The strip does not take colours; check its cable and its supply."),
    BadPicture: Saying("The camera's picture cannot be used; check its cable."),
    BadAddress: Saying("The address of this device is not understood; choose another one."),
    LibraryMissing: Saying("The library of this device is not installed here; choose another device or install it."),
    DeviceRefused: Saying("The device is absent, busy or not permitted; check its cable and who else uses it."),
    DeviceClosed: Saying("The device was closed already; start the companion again."),
}
"""The first kind that fits counts."""
OTHER: Final = Saying("A device does not work; check its cable.")


def say_trouble(error: Exception) -> Saying:
    """A sentence about a failed device, with its own words in brackets."""
    say = next((say for kind, say in KINDS.items() if isinstance(error, kind)), OTHER)
    return Saying("{what} ({detail})", {"what": say, "detail": str(error) or type(error).__name__})
