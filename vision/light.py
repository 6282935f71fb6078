"""How bright and what colour the light is across the board, so that pictures in other light can be compared."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.view import Image, Markers, Points, View


@dataclass(frozen=True, slots=True)
class LightField:
    """Logarithm of the light per channel as a low polynomial over the table; zero is the reference light."""

    weights: Points
    """(terms, 3) in the order of `terms`."""
    reach_mm: float = 200.0

    def gain(self, points_mm: npt.ArrayLike) -> Points:
        """Factor (N, 3) by which white looks brighter than in the reference light at table points (N, 2)."""
        factor: Points = np.exp(terms(points_mm, self.reach_mm, len(self.weights)) @ self.weights)
        return factor


def terms(points_mm: npt.ArrayLike, reach_mm: float, count: int) -> Points:
    """Polynomial terms (N, count): 1, x, y, x², xy, y², of which the first `count` are used."""
    xy = np.asarray(points_mm, dtype=np.float64).reshape(-1, 2) / reach_mm
    x, y = xy[:, 0], xy[:, 1]
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)[:, :count]


def fit_field(points_mm: npt.ArrayLike, gains: npt.ArrayLike, trust: npt.ArrayLike, count: int = 6) -> LightField:
    """The smooth field through measured gains (N, 3), robust against a third of them being wrong."""
    basis = terms(points_mm, 200.0, count)
    target = np.log(np.clip(np.asarray(gains, dtype=np.float64), 1e-3, 1e3))
    weight = np.asarray(trust, dtype=np.float64).copy()
    ridge = np.diag([1e-6, *[0.02] * (count - 1)]) * max(float(weight.sum()), 1e-6)
    solution: Points = np.zeros((count, 3))
    for _ in range(6):
        solved = np.linalg.solve(basis.T * weight @ basis + ridge, basis.T * weight @ target)
        solution = np.asarray(solved, dtype=np.float64)
        miss = np.abs(target - basis @ solution).max(axis=1)
        scale = max(1.5 * float(np.median(miss)), 0.02)
        weight = np.asarray(trust) / (1 + (miss / scale) ** 2) ** 2
    return LightField(solution)


def paper_field(image: Image, view: View, markers: Markers) -> LightField:
    """The light on the white rims of the markers that lie inside the picture, white being 1."""
    half, cell = markers.size_mm / 2, markers.size_mm / 6
    ring, away = np.linspace(-half, half, 24), half + cell * 0.5
    sides = [np.stack([np.full_like(ring, s), ring], axis=1) for s in (-away, away)]
    rim = np.concatenate([*sides, *(side[:, ::-1] for side in sides)])
    centres = np.array(list(markers.centres_mm.values()))
    edges = (centres[:, None] + rim).reshape(-1, 2)
    pixels = view.project(np.column_stack([edges, np.full(len(edges), markers.z_mm)]))
    inside = ((pixels >= 1) & (pixels < (view.lens.width - 2, view.lens.height - 2))).all(axis=1)
    maps = pixels.astype(np.float32).reshape(len(centres), -1, 2)
    colours = cv2.remap(image, maps, None, cv2.INTER_LINEAR).astype(np.float64)  # type: ignore[call-overload]
    places, levels = [], []
    for centre, seen, whole in zip(centres, colours, inside.reshape(len(centres), -1), strict=True):
        if whole.mean() < 0.7:
            continue
        grey = seen[whole].mean(axis=1)
        low, high = np.quantile(grey, [0.5, 0.9])
        if grey.max() > 30:
            places.append(centre)
            levels.append(np.median(seen[whole][(grey >= low) & (grey <= high)], axis=0) / 255)
    if not places:
        return LightField(np.zeros((1, 3)))
    return fit_field(np.array(places), np.array(levels), np.ones(len(places)), 3 if len(places) > 2 else 1)


def smooth_light(
    places_mm: Points,
    rows: npt.NDArray[np.intp],
    gains: npt.NDArray[np.floating],
    trust: npt.NDArray[np.floating],
    near_mm: float = 45.0,
    strength: float = 6.0,
) -> Points:
    """The light (places, 3) from gains measured at some rows: a smooth field, and what the neighbours depart from it.

    A place's own measurement is left out, so that a wrong reading cannot confirm itself.
    """
    at = places_mm[rows]
    field = fit_field(at, gains, trust)
    miss = np.clip(np.log(np.clip(gains, 1e-3, 1e3)) - np.log(field.gain(at)), -0.4, 0.4)
    far = np.linalg.norm(places_mm[:, None] - at[None], axis=-1)
    weight = np.exp(-0.5 * (far / near_mm) ** 2) * trust
    weight[far < 1.0] = 0.0
    # Neighbours that disagree with the field and with each other pull less.
    middle = np.median(miss, axis=0)
    scale = np.maximum(2 * np.median(np.abs(miss - middle), axis=0), 0.03)
    calm = 1 / (1 + (np.abs(miss - middle) / scale).max(axis=1) ** 2 / 4)
    weight = weight * calm
    local = weight @ miss / (weight.sum(axis=1, keepdims=True) + strength)
    light: Points = field.gain(places_mm) * np.exp(local)
    return light
