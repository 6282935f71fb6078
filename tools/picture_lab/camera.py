"""A camera over the table: pose, lens, and what its sensor makes of light."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import cv2
import numpy as np

Array = np.ndarray


@dataclass(frozen=True)
class Lens:
    """What stays with the camera: picture size, focal length and radial distortion."""

    width: int
    height: int
    focal_px: float
    k1: float
    k2: float


@dataclass(frozen=True)
class Pose:
    """Where the camera is (mm) and its axes: right, down and forward as rows."""

    eye: Array
    axes: Array


def look(target: tuple[float, float], distance: float, tilt: float, azimuth: float, roll: float) -> Pose:
    """A camera that looks at a point of the table; angles in degrees, roll 0 has +y of the table upwards."""
    t, a, r = (math.radians(v) for v in (tilt, azimuth, roll))
    back = np.array([math.sin(t) * math.cos(a), math.sin(t) * math.sin(a), math.cos(t)])
    eye = np.array([*target, 0.0]) + distance * back
    up = np.array([math.sin(r), math.cos(r), 0.0])
    right = np.cross(up, back)
    right /= np.linalg.norm(right)
    down = np.cross(-back, right)
    return Pose(eye, np.stack([right, down, -back]))


def project(pose: Pose, lens: Lens, points: Array) -> Array:
    """Pixels of points (n,3)."""
    q = (np.asarray(points, float) - pose.eye) @ pose.axes.T
    x, y = q[:, 0] / q[:, 2], q[:, 1] / q[:, 2]
    r2 = x * x + y * y
    bend = 1 + lens.k1 * r2 + lens.k2 * r2 * r2
    return np.column_stack([lens.focal_px * x * bend + lens.width / 2, lens.focal_px * y * bend + lens.height / 2])


def choose_pose(
    rng: random.Random,
    lens: Lens,
    height: float,
    tilt: tuple[float, float],
    must_see: Array,
    may_cut: list[Array],
) -> Pose:
    """A random pose that sees all of `must_see` well inside the picture and cuts one of `may_cut`, if any is given."""
    spread = 95 if may_cut else 25
    for attempt in range(4000):
        grow = 1 + attempt / 4000
        pose = look(
            (rng.uniform(-spread, spread), rng.uniform(-spread, spread)),
            height * rng.uniform(0.92, 1.08) * grow,
            rng.uniform(*tilt),
            rng.uniform(0, 360),
            rng.choice([rng.uniform(-35, 35), rng.uniform(-180, 180)]),
        )
        px = project(pose, lens, must_see)
        if px.min() < 8 or px[:, 0].max() > lens.width - 8 or px[:, 1].max() > lens.height - 8:
            continue
        if not may_cut:
            return pose
        outside = [_outside(project(pose, lens, m), lens) for m in may_cut]
        if sum(o > 0.3 for o in outside) == 1 and sum(o == 0 for o in outside) == len(may_cut) - 1:
            return pose
    raise ValueError(f"no pose found at {height} mm with focal length {lens.focal_px:.0f} px; lower the focal length")


def _outside(px: Array, lens: Lens) -> float:
    out = (px[:, 0] < 0) | (px[:, 1] < 0) | (px[:, 0] > lens.width) | (px[:, 1] > lens.height)
    return float(np.mean(out))


def pinhole_size(lens: Lens) -> tuple[int, int]:
    """How large a distortion-free picture of the same focal length must be to warp the lens picture from it."""
    maps = undistort_grid(lens)
    w = 2 * int(np.abs(maps[0]).max() * lens.focal_px + 3)
    h = 2 * int(np.abs(maps[1]).max() * lens.focal_px + 3)
    return w, h


def undistort_grid(lens: Lens) -> tuple[Array, Array]:
    """For every pixel of the lens picture its pinhole direction (x, y)."""
    v, u = np.mgrid[0 : lens.height, 0 : lens.width].astype(np.float64)
    xd, yd = (u + 0.5 - lens.width / 2) / lens.focal_px, (v + 0.5 - lens.height / 2) / lens.focal_px
    x, y = xd.copy(), yd.copy()
    for _ in range(12):
        r2 = x * x + y * y
        bend = 1 + lens.k1 * r2 + lens.k2 * r2 * r2
        x, y = xd / bend, yd / bend
    return x, y


def through_lens(picture: Array, lens: Lens) -> Array:
    """The lens picture of a pinhole picture."""
    x, y = undistort_grid(lens)
    h, w = picture.shape[:2]
    u, v = x * lens.focal_px + w / 2 - 0.5, y * lens.focal_px + h / 2 - 0.5
    return cv2.remap(picture, u.astype(np.float32), v.astype(np.float32), cv2.INTER_CUBIC)


@dataclass(frozen=True)
class Sensor:
    """How the camera develops a picture."""

    white: float
    """Linear level at which bright paper lands."""
    cast: tuple[float, float, float]
    noise: float
    blur_px: float
    vignette: float
    jpeg: int
    motion_px: float = 0.0


def develop(linear: Array, sensor: Sensor, rng: np.random.Generator) -> Array:
    """Linear light (RGB) to an 8-bit BGR picture."""
    h, w = linear.shape[:2]
    light = linear[..., :3] @ np.array([0.3, 0.6, 0.1], np.float32)
    gain = sensor.white / max(1e-6, float(np.percentile(light, 99.3)))
    picture = linear[..., :3] * gain * np.asarray(sensor.cast, np.float32)
    y, x = np.mgrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j]
    picture = picture * (1 - sensor.vignette * (x * x + y * y) / 2)[..., None]
    if sensor.blur_px:
        picture = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), sensor.blur_px)
    if sensor.motion_px > 1:
        n = 2 * int(sensor.motion_px) + 1
        kernel = np.zeros((n, n), np.float32)
        a = rng.uniform(0, math.pi)
        for t in np.linspace(-sensor.motion_px / 2, sensor.motion_px / 2, 4 * n):
            kernel[round(n // 2 + t * math.sin(a)), round(n // 2 + t * math.cos(a))] += 1
        picture = cv2.filter2D(picture, -1, kernel / kernel.sum())
    grain = rng.normal(0, 1, picture.shape) * 0.7 + cv2.GaussianBlur(rng.normal(0, 1, picture.shape), (0, 0), 0.8)
    picture = picture + sensor.noise * grain * np.sqrt(np.clip(picture, 0, None) * 0.25 + 0.01)
    picture = np.clip(picture, 0, 1)
    srgb = np.where(picture <= 0.0031308, 12.92 * picture, 1.055 * picture ** (1 / 2.4) - 0.055)
    return np.round(np.clip(srgb[..., ::-1], 0, 1) * 255).astype(np.uint8)
