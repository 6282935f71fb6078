"""What can go wrong with a device: each message says what was tried, what happened and what to do next."""

from __future__ import annotations


class HardwareError(Exception):
    """Base of every error of this package."""


class BadAddress(HardwareError, ValueError):
    """A device address or option that cannot be understood."""


class LibraryMissing(HardwareError, ImportError):
    """The library of a device is not installed here."""


class DeviceRefused(HardwareError, OSError):
    """A device is absent, busy or not permitted; trying again will not help before somebody does something."""


class DeviceClosed(HardwareError, ValueError):
    """A device was used after it was closed."""


class CameraLost(HardwareError, ConnectionError):
    """No picture came in time; the camera is being tried again."""


class ClipEnded(CameraLost, EOFError):
    """A recorded clip has no further picture."""


class BadPicture(HardwareError, ValueError):
    """Bytes that are not a usable picture."""


class LedsLost(HardwareError, ConnectionError):
    """The strip does not take colours any more; it is being tried again."""
