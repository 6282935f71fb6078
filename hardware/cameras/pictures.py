"""From bytes to a usable picture, or a clear reason why not."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.cameras import Image
from hardware.errors import BadPicture

SMALLEST_PX = 64
"""A picture with a shorter side shows no board."""

JPEG_START, JPEG_END = b"\xff\xd8", b"\xff\xd9"
TAIL = 1024
"""Some cameras fill up after the end mark; it must stand within so many last bytes."""


def decode(data: bytes) -> Image:
    """The picture in a file's bytes; a JPEG that was cut off is refused, its lower part would be grey."""
    if data.startswith(JPEG_START) and JPEG_END not in data[-TAIL:]:
        raise BadPicture(f"expected a whole JPEG, got {len(data)} bytes without an end")
    found = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR) if data else None
    if found is None:
        raise BadPicture(f"expected a picture, got {len(data)} bytes that are none")
    return require_usable(found)


def require_usable(image: object) -> Image:
    """The picture itself when it is in colour and large enough to show a board."""
    if not isinstance(image, np.ndarray) or image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise BadPicture(f"expected a colour picture, got {getattr(image, 'shape', image)}")
    height, width = image.shape[:2]
    if min(height, width) < SMALLEST_PX:
        raise BadPicture(f"expected a picture of at least {SMALLEST_PX} pixels a side, got {width} x {height}")
    return image
