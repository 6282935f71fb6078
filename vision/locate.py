"""Find the board in a picture: markers or dragged corners to a `View`, with focal length and lens fitted as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from engine.spots import Layout
from vision.view import Image, Lens, Markers, Points, View


class NotLocated(ValueError):
    """The board could not be found; `reason` is a stable word, the message says what to do."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class FitPriors:
    """What is likely of a camera nobody has measured; standard deviations, in the units of the fields."""

    focal_per_side: float = 0.95
    """Focal length over the longer side of the picture."""
    log_focal_sd: float = 0.35
    centre_sd: float = 0.012
    """Offset of the optical centre over the longer side."""
    k1_sd: float = 0.12
    k2_sd: float = 0.05
    spread_sd_mm: float = 0.2
    """How much narrower or wider black squares may look on each side."""
    corner_sd_px: float = 0.15
    outlier_px: float = 3.0
    """A marker whose corners are further off than this is left out when two others remain."""


PRIORS = FitPriors()


@dataclass(frozen=True, slots=True)
class Match:
    """Points on the table (N, 3) and where one picture shows them (N, 2)."""

    points_mm: Points
    pixels: Points
    outward: Points | None = None
    """Direction (N, 3) in which each point moves when ink spreads: blur makes black squares look smaller or larger."""

    def spread(self, spread_mm: float) -> Points:
        """The points as they would be seen with that much more ink on every side."""
        return self.points_mm if self.outward is None else self.points_mm + spread_mm * self.outward


def check_picture(image: npt.NDArray[np.uint8] | None) -> Image:
    """The picture as three channels of bytes, or NotLocated with the reason why it cannot be used."""
    if image is None or image.size == 0:
        raise NotLocated("no_picture", "the picture could not be decoded; take another one")
    if image.ndim == 2:
        image = np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
    if min(image.shape[:2]) < 120:
        height, width = image.shape[:2]
        raise NotLocated("too_small", f"the picture has only {width} x {height} pixels; use at least 1280 x 720")
    if float(image[::8, ::8].max()) < 24:
        raise NotLocated("dark", "the picture is black; take off the lens cap or switch a light on")
    return image


def decode(data: bytes) -> Image:
    """The picture in the bytes of a JPEG or PNG file, or NotLocated when they are damaged."""
    buffer = np.frombuffer(data, dtype=np.uint8)
    if data[:2] == b"\xff\xd8" and b"\xff\xd9" not in data[-64:]:
        raise NotLocated("truncated", "the picture ends too early; check the connection and take another one")
    image = cv2.imdecode(buffer, cv2.IMREAD_COLOR) if buffer.size else None
    return check_picture(None if image is None else np.asarray(image, dtype=np.uint8))


def find_markers(image: Image, markers: Markers) -> dict[int, Points]:
    """Corners (4, 2) of every known marker in the picture, to a fraction of a pixel."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, markers.dictionary))
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    # Bits are read from the middle of larger cells: in the dark, grain and blur make the usual 4 pixels guesswork.
    parameters.perspectiveRemovePixelPerCell = 8
    parameters.perspectiveRemoveIgnoredMarginPerCell = 0.25
    detector = cv2.aruco.ArucoDetector(dictionary, parameters)
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    found: dict[int, Points] = {}
    for blur in (0.0, 1.0):
        attempt = np.asarray(cv2.GaussianBlur(grey, (0, 0), blur), dtype=np.uint8) if blur else grey
        corners, ids, _ = detector.detectMarkers(attempt)
        if ids is None:
            continue
        for marker, quad in zip(np.ravel(ids).astype(int).tolist(), corners, strict=True):
            if marker in markers.centres_mm and marker not in found:
                found[marker] = refine_quad(attempt, np.asarray(quad, dtype=np.float64).reshape(4, 2))
        if len(found) == len(markers.centres_mm):
            break
    return found


def refine_quad(grey: npt.NDArray[np.uint8], quad: Points, border: float = 1 / 6) -> Points:
    """The corners where straight lines through the marker's four sides meet.

    Corner finders are drawn towards the marker's own bits; its sides are not: along each of them the step from paper to
    ink is found to a fraction of a pixel. `border` is the width of the black rim over the side.
    """
    sides = []
    for k in range(4):
        start, along = quad[k], quad[(k + 1) % 4] - quad[k]
        length = float(np.linalg.norm(along))
        outward = np.array([along[1], -along[0]]) / length
        reach = min(max(border * length * 0.8, 2.0), 8.0)
        steps = np.linspace(-reach, reach, 33)
        feet = start + along * np.linspace(0.08, 0.92, 24)[:, None]
        grid = feet[:, None] + steps[:, None] * outward
        profiles = cv2.remap(grey, np.float32(grid), None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
        ink, paper = profiles[:, :8].mean(axis=1), profiles[:, -8:].mean(axis=1)
        half = ((ink + paper) / 2)[:, None]
        crossing = (profiles[:, :-1] < half) & (profiles[:, 1:] >= half)
        usable = (paper - ink > 25) & (crossing.sum(axis=1) == 1)
        if usable.sum() < 6:
            return quad
        row = np.flatnonzero(usable)
        column = crossing[row].argmax(axis=1)
        low, high = profiles[row, column].astype(float), profiles[row, column + 1].astype(float)
        shift = steps[column] + (half[row, 0] - low) / np.maximum(high - low, 1e-6) * (steps[1] - steps[0])
        good = np.abs(shift - np.median(shift)) < max(0.5, 2 * float(np.median(np.abs(shift - np.median(shift)))))
        points = feet[row][good] + shift[good][:, None] * outward
        centre = points.mean(axis=0)
        direction = np.linalg.svd(points - centre)[2][0]
        sides.append((centre, direction))
    corners = []
    for k in range(4):
        (p, d), (q, e) = sides[k - 1], sides[k]
        reach = np.linalg.solve(np.column_stack([d, -e]), q - p)[0]
        corners.append(p + reach * d)
    refined = np.array(corners)
    moved = np.linalg.norm(refined - quad, axis=1).max()
    return refined if moved < 4 else quad


def match_markers(found: Mapping[int, Points], markers: Markers) -> Match:
    """Table points and pixels of the markers that were found."""
    ids = sorted(found)
    outward = np.array([(-1.0, 1.0, 0.0), (1.0, 1.0, 0.0), (1.0, -1.0, 0.0), (-1.0, -1.0, 0.0)])
    return Match(
        np.concatenate([markers.corners_mm(i) for i in ids]),
        np.concatenate([found[i] for i in ids]),
        np.tile(outward, (len(ids), 1)),
    )


def _start(match: Match, width: int, height: int, lens: Lens | None, priors: FitPriors) -> tuple[Lens, Points]:
    """A first lens and pose: the focal length of a coarse scale that fits best."""
    side, best = max(width, height), None
    focals = [lens.focal_px] if lens else [side * 0.55 * 1.25**k for k in range(8)]
    for focal in focals:
        trial = lens or Lens(width, height, focal, ((width - 1) / 2, (height - 1) / 2))
        flat = np.ptp(match.points_mm[:, 2]) < 1e-9
        method = cv2.SOLVEPNP_IPPE if flat else cv2.SOLVEPNP_SQPNP
        origin = np.array([0.0, 0.0, match.points_mm[0, 2] if flat else 0.0])
        count, turns, moves, errors = cv2.solvePnPGeneric(
            match.points_mm - origin, match.pixels, trial.matrix, trial.distortion, flags=method
        )
        for k in range(count):
            turn = np.asarray(turns[k], dtype=np.float64).ravel()
            move = np.asarray(moves[k], dtype=np.float64).ravel() - np.asarray(cv2.Rodrigues(turn)[0]) @ origin
            pose = np.concatenate([turn, move])
            # Straight from above every focal length fits: then the likely one counts.
            unlikely = np.log(trial.focal_px / (priors.focal_per_side * side)) / priors.log_focal_sd
            error = len(match.pixels) * (float(np.ravel(errors)[k]) / priors.corner_sd_px) ** 2 + float(unlikely**2)
            if View(trial, _triple(turn), _triple(move)).camera_mm[2] > 0 and (best is None or error < best[0]):
                best = (error, trial, pose)
    if best is None:
        raise NotLocated("no_pose", "the markers do not lie as on the printed sheet; print it again and keep it flat")
    return best[1], best[2]


def _triple(values: Points) -> tuple[float, float, float]:
    x, y, z = (float(v) for v in values)
    return (x, y, z)


def _lens_from(p: Points, width: int, height: int) -> Lens:
    return Lens(width, height, float(np.exp(p[0])), (float(p[1]), float(p[2])), float(p[3]), float(p[4]))


def fit_views(
    matches: Sequence[Match], width: int, height: int, lens: Lens | None = None, priors: FitPriors = PRIORS
) -> tuple[Lens, list[View]]:
    """One lens and a pose per picture that explain all points; a given lens is kept as it is."""
    starts = [_start(match, width, height, lens, priors) for match in matches]
    side = max(width, height)
    middle = np.array([np.log(priors.focal_per_side * side), (width - 1) / 2, (height - 1) / 2, 0.0, 0.0, 0.0])
    spread = np.array(
        [priors.log_focal_sd, *[priors.centre_sd * side] * 2, priors.k1_sd, priors.k2_sd, priors.spread_sd_mm]
    )
    shared = middle.copy()
    if lens:
        shared = np.array([np.log(lens.focal_px), *lens.centre_px, lens.k1, lens.k2, 0.0])
    else:
        shared[0] = np.median([np.log(first.focal_px) for first, _ in starts])
        starts = [_start(match, width, height, _lens_from(shared, width, height), priors) for match in matches]
    poses = [pose for _, pose in starts]
    shared, poses = _least_squares(matches, shared, poses, middle, spread, lens is not None, priors)
    final = lens or _lens_from(shared, width, height)
    views = []
    for match, pose in zip(matches, poses, strict=True):
        view = View(final, _triple(pose[:3]), _triple(pose[3:]))
        miss = view.project(match.spread(shared[5])) - match.pixels
        residual = float(np.sqrt((miss**2).sum(axis=1).mean()))
        views.append(View(final, view.rotation, view.translation, residual))
    return final, views


def _misses(match: Match, shared: Points, pose: Points) -> Points:
    """How far the model's pixels are from those seen; `View.project` without its objects, since this runs often."""
    turn = np.asarray(cv2.Rodrigues(pose[:3])[0])
    local = match.spread(shared[5]) @ turn.T + pose[3:]
    flat = local[:, :2] / np.maximum(local[:, 2:], 1e-6)
    r2 = np.square(flat).sum(axis=1, keepdims=True)
    bent = flat * (1 + r2 * (shared[3] + r2 * shared[4]))
    miss: Points = (bent * np.exp(shared[0]) + shared[1:3] - match.pixels).ravel()
    return miss


def _least_squares(
    matches: Sequence[Match],
    shared: Points,
    poses: list[Points],
    middle: Points,
    spread: Points,
    keep_lens: bool,
    priors: FitPriors,
) -> tuple[Points, list[Points]]:
    """Levenberg-Marquardt over the lens and all poses, with derivatives by differences."""
    lens_step = np.array([1e-5, 1e-3, 1e-3, 1e-5, 1e-5, 1e-3])
    pose_step = np.array([1e-6] * 3 + [1e-3] * 3)
    free = [5] if keep_lens else list(range(6))
    unknown_lens = len(free)

    def cost(s: Points, ps: list[Points]) -> float:
        data = sum(float((_misses(m, s, p) ** 2).sum()) for m, p in zip(matches, ps, strict=True))
        prior = float((((s - middle) / spread)[free] ** 2).sum())
        return data / priors.corner_sd_px**2 + prior

    damping, now = 1e-3, cost(shared, poses)
    for _ in range(60):
        total = unknown_lens + 6 * len(poses)
        normal, slope = np.zeros((total, total)), np.zeros(total)
        for k, (match, pose) in enumerate(zip(matches, poses, strict=True)):
            base = _misses(match, shared, pose)
            columns = []
            for j in free:
                moved = shared.copy()
                moved[j] += lens_step[j]
                columns.append((_misses(match, moved, pose) - base) / lens_step[j])
            for j in range(6):
                moved = pose.copy()
                moved[j] += pose_step[j]
                columns.append((_misses(match, shared, moved) - base) / pose_step[j])
            jacobian = np.stack(columns, axis=1) / priors.corner_sd_px
            where = [*range(unknown_lens), *range(unknown_lens + 6 * k, unknown_lens + 6 * k + 6)]
            normal[np.ix_(where, where)] += jacobian.T @ jacobian
            slope[where] += jacobian.T @ base / priors.corner_sd_px
        normal[range(unknown_lens), range(unknown_lens)] += 1 / spread[free] ** 2
        slope[:unknown_lens] += ((shared - middle) / spread**2)[free]
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -slope)
        next_shared = shared.copy()
        next_shared[free] += step[:unknown_lens]
        next_poses = [p + step[unknown_lens + 6 * k : unknown_lens + 6 * k + 6] for k, p in enumerate(poses)]
        then = cost(next_shared, next_poses)
        if then < now:
            done = now - then < 1e-4 * max(now, 1e-9)
            shared, poses, now, damping = next_shared, next_poses, then, damping / 5
            if done:
                break
        else:
            damping *= 8
            if damping > 1e8:
                break
    return shared, poses


def match_picture(image: npt.NDArray[np.uint8] | None, markers: Markers) -> Match:
    """Marker corners of one picture, or NotLocated with the reason."""
    picture = check_picture(image)
    found = find_markers(picture, markers)
    if len(found) >= 2:
        return match_markers(found, markers)
    mirrored = find_markers(np.ascontiguousarray(picture[:, ::-1]), markers)
    if len(mirrored) > len(found):
        raise NotLocated("mirrored", "the markers are mirrored; switch the camera's mirror setting off")
    if found:
        (only,) = found
        raise NotLocated("one_marker", f"only marker {only} is visible; two are needed: uncover one more")
    raise NotLocated("no_marker", "no marker is visible; lay the printed sheet around the board or drag its corners")


def locate(image: npt.NDArray[np.uint8] | None, markers: Markers, lens: Lens | None = None) -> View:
    """The view of a picture from its markers; with two or more of them."""
    match = match_picture(image, markers)
    assert image is not None
    return locate_match(match, image.shape[1], image.shape[0], lens)


def locate_match(match: Match, width: int, height: int, lens: Lens | None = None, priors: FitPriors = PRIORS) -> View:
    """The view of known points; a marker that contradicts the others is left out while two remain."""
    view = fit_views([match], width, height, lens, priors)[1][0]
    while len(match.points_mm) >= 12:
        miss = np.linalg.norm(view.project(match.points_mm) - match.pixels, axis=1).reshape(-1, 4).max(axis=1)
        worst = int(miss.argmax())
        if miss[worst] <= priors.outlier_px:
            break
        keep = np.repeat(np.arange(len(miss)) != worst, 4)
        match = Match(match.points_mm[keep], match.pixels[keep], None if match.outward is None else match.outward[keep])
        view = fit_views([match], width, height, lens, priors)[1][0]
    return view


def locate_by_corners(
    pixels: npt.ArrayLike, points_mm: npt.ArrayLike, width: int, height: int, lens: Lens | None = None
) -> View:
    """The view of points that somebody dragged to their places in the picture: at least four."""
    dragged = Match(
        np.asarray(points_mm, dtype=np.float64).reshape(-1, 3), np.asarray(pixels, dtype=np.float64).reshape(-1, 2)
    )
    if len(dragged.pixels) < 4 or len(dragged.pixels) != len(dragged.points_mm):
        raise NotLocated("few_corners", "drag at least four corners of the board to their places")
    hand_drawn = FitPriors(corner_sd_px=1.5, k1_sd=0.05, k2_sd=0.02, centre_sd=0.004)
    return fit_views([dragged], width, height, lens, hand_drawn)[1][0]


def board_outline(layout: Layout) -> Points:
    """Corners (N, 3) of every place that takes a tile, at its height."""
    return np.array([(x, y, p.top_mm) for p in layout.places.values() if p.takes_tile for x, y in p.outline_mm])


def check_inside(view: View, outline_mm: npt.ArrayLike) -> View:
    """The same view, or NotLocated when part of the board lies outside the picture."""
    pixels = view.project(outline_mm)
    inside = (pixels >= 0).all(axis=1) & (pixels[:, 0] < view.lens.width) & (pixels[:, 1] < view.lens.height)
    if not inside.all():
        side = ["left", "top", "right", "bottom"][
            int(
                np.argmax(
                    [
                        (pixels[:, 0] < 0).sum(),
                        (pixels[:, 1] < 0).sum(),
                        (pixels[:, 0] >= view.lens.width).sum(),
                        (pixels[:, 1] >= view.lens.height).sum(),
                    ]
                )
            )
        ]
        raise NotLocated("cut_off", f"the board leaves the picture on the {side}; move the camera back or turn it")
    return view
