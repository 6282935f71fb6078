"""Trains the piece network on boards of `tools.pieces.boards` and writes it as ONNX; some minutes on two cores.

`python -m tools.pieces.train OUT.onnx BOARDS... [--minutes M]`; needs the packages of `tools/pieces/requirements.txt`.
With `--resume vision/models/pieces.onnx` it learns on from the weights that are shipped.
The network sees a mosaic and its bare twin side by side, so it learns what stands out, not what tiles look like.
Now and then it is shown what was there before as well, best of all on windows of `tools.pieces.pairs`.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
import torch.nn.functional as F
from torch import Tensor, distributed, multiprocessing, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from tools.pieces.boards import SHADED, UNDER_HAND, UNDER_PIECE, UNTOLD
from tools.pieces.calibrate import asked_of
from tools.pieces.twist import CROP, Board, twisted
from vision.piece_net import COLOURS, HEATS, INPUTS, OUTPUTS, STRIDE, mark_feet, stack

BATCH = 12
SIGMA = 0.85
"""Width of a target's peak, in steps of the output."""


FORGOTTEN, IMAGINED = 0.03, 0.1
"""How often a piece that stood there is not known, and a piece is known that was none."""
KNOWN, KNOWN_PAIR = 0.3, 0.8
"""How often it is known what was there before, on boards that were drawn once and on pairs."""
OTHERWISE = 0.15
"""How often a board that was drawn once is supposed to have looked quite otherwise before."""
ITS_OWN = 7
"""Samples so near a foot show its piece."""
WEIGHT, AROUND = 2.5, 8
"""What has changed counts so much more, within so many samples."""
DOUBTED, MISREAD_EVERY, MISREAD_BOARDS = 0.4, 4000, 150
"""How often a crop shows what the network itself is in doubt about; after so many steps that is looked for anew, on so
many boards."""
SURER, UNDECIDED, NEAR = (3.4, 2.0), 1.0, 2
"""Slope and shift of logits that come true (`calibrate.py`), within how much of them it is in doubt, and how many steps
of the output beside a foot its peak may be."""
CALM = 0.999
"""What is written is a mean over about the last thousand steps: single steps sway."""
TWISTED, TWISTED_PAIR = 0.6, 0.3
"""How often a crop is turned by any angle and stretched; rarely one of a pair, which is hardly larger than a crop."""
SMALLEST, LARGEST = 0.8, 1.2
"""How much smaller and larger its bodies are then."""
BLANCHED = 0.3
"""How often a crop is paler or stronger in colour than it was."""
BY_HANDS, THINNED = 0.5, 8
"""How often a crop of a board with a hand over it shows the hand; of its samples every so many are remembered."""
Box = tuple[slice, slice]


class Block(nn.Module):
    """A look around, added to what was known."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x + self.norm(self.conv(x)))


def coarser(channels: int, wide: int) -> nn.Sequential:
    """Half the resolution, more channels. OpenCV is much faster with this than with a convolution that strides."""
    looking = nn.Conv2d(channels, wide, 3, padding=1, bias=False)
    return nn.Sequential(nn.MaxPool2d(2), looking, nn.BatchNorm2d(wide), nn.ReLU())


class Finer(nn.Module):
    """Twice the resolution, fewer channels; faster than a transposed convolution by far."""

    def __init__(self, channels: int, few: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, few, 1)

    def forward(self, x: Tensor) -> Tensor:
        return F.interpolate(self.conv(x), scale_factor=2, mode="nearest")


class PieceNet(nn.Module):
    """Mosaic in, peaks and colours out, at half its resolution; most of the looking is done at coarser levels."""

    def __init__(self, channels: int = 24) -> None:
        super().__init__()
        wide, widest, most = 2 * channels, 4 * channels, 6 * channels
        self.stem = nn.Conv2d(INPUTS, channels, STRIDE, STRIDE, bias=False)
        self.norm = nn.BatchNorm2d(channels)
        self.first = Block(channels)
        self.down = nn.Sequential(coarser(channels, wide), Block(wide))
        self.far = nn.Sequential(coarser(wide, widest), Block(widest), Block(widest))
        self.farthest = nn.Sequential(coarser(widest, most), Block(most), Block(most))
        self.nearer = Finer(most, widest)
        self.back = Finer(widest, wide)
        self.middle = nn.Sequential(Block(wide), Block(wide))
        self.up = Finer(wide, channels)
        self.last = Block(channels)
        self.head = nn.Conv2d(channels, OUTPUTS, 1)
        nn.init.constant_(self.head.bias, -3.0)

    def forward(self, x: Tensor) -> Tensor:
        near = self.first(F.relu(self.norm(self.stem(x))))
        middle = self.down(near)
        far = self.far(middle)
        far = F.relu(far + self.nearer(self.farthest(far)))
        middle = self.middle(F.relu(middle + self.back(far)))
        return self.head(self.last(F.relu(near + self.up(middle))))


class Boards:
    """All boards in memory; gives random augmented crops with their targets."""

    def __init__(self, folders: list[Path], seed: int) -> None:
        """Boards of several folders, each folder as often as any other."""
        self.rng = np.random.default_rng(seed)
        self._loaded: dict[Path, dict[Path, Board]] = {folder: {} for folder in folders}
        self._paths = folders
        self._grain = self.rng.standard_normal((8 * CROP, 8 * CROP, 3), np.float32)
        self.doubts: list[tuple[Board, tuple[float, float]]] = []
        """Boards, and where on them the network is in doubt."""
        self.refresh()
        if empty := [str(folder) for folder, boards in zip(folders, self.folders, strict=True) if not boards]:
            raise SystemExit(f"no boards in {', '.join(empty)}; draw some with tools.pieces.boards")

    def refresh(self) -> None:
        """Load what has come into the folders since."""
        for folder, loaded in self._loaded.items():
            loaded.update({file: self._load(file) for file in sorted(folder.glob("*.npz")) if file not in loaded})
        self.folders = [list(self._loaded[folder].values()) for folder in self._paths]

    @staticmethod
    def _load(file: Path) -> dict[str, np.ndarray]:
        with np.load(file) as written:
            board = {name: written[name] for name in written.files}
        board["hands"] = np.argwhere(board["mask"][::THINNED, ::THINNED] == UNDER_HAND)[:, ::-1] * THINNED
        return board

    def batch(self, count: int) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        parts = [self._crop() for _ in range(count)]
        return tuple(torch.from_numpy(np.stack(p)) for p in zip(*parts, strict=True))  # type: ignore[return-value]

    def _some_board(self) -> Board:
        folder = self.folders[int(self.rng.integers(len(self.folders)))]
        return folder[int(self.rng.integers(len(folder)))]

    def doubt(self, net: PieceNet) -> None:
        """Find where a network is in doubt, or wrong, on some boards of every folder."""
        some = [self._some_board() for _ in range(MISREAD_BOARDS)]
        self.doubts = [(board, at) for board in some for at in doubts_of(net, board)]

    def _crop(self) -> tuple[np.ndarray, ...]:
        rng = self.rng
        doubt = self.doubts[int(rng.integers(len(self.doubts)))] if self.doubts and rng.random() < DOUBTED else None
        board = doubt[0] if doubt else self._some_board()
        height, width = board["rise"].shape
        if doubt:
            x, y = doubt[1] + rng.uniform(-30, 30, 2)
        elif len(board["hands"]) and rng.random() < BY_HANDS:
            x, y = board["hands"][int(rng.integers(len(board["hands"])))] + rng.uniform(-30, 30, 2)
        elif "changed" in board and rng.random() < 0.6 and len(board["changed"]):
            x, y = board["changed"][int(rng.integers(len(board["changed"])))] + rng.uniform(-30, 30, 2)
        elif rng.random() < 0.7 and len(board["where"]):
            painted = np.flatnonzero(board["labels"] != "archaeologist")
            among = painted if len(painted) and rng.random() < 0.5 else np.arange(len(board["where"]))
            x, y = board["where"][int(rng.choice(among))] + rng.uniform(-36, 36, 2)
        else:
            x, y = rng.uniform(0, width), rng.uniform(0, height)
        if rng.random() < (TWISTED_PAIR if "earlier" in board else TWISTED):
            board = twisted(board, (float(x), float(y)), rng.uniform(0, 2 * np.pi), rng.uniform(SMALLEST, LARGEST))
            (height, width), x, y = board["rise"].shape, CROP / 2, CROP / 2
        left = int(np.clip(x - CROP / 2, 0, width - CROP))
        top = int(np.clip(y - CROP / 2, 0, height - CROP))
        box = (slice(top, top + CROP), slice(left, left + CROP))
        seen = self._spoil(board["seen"][box].astype(np.float32))
        dy, dx = (int(v) for v in np.clip(np.rint(rng.normal(0, 0.5, 2)), -1, 1))
        beside = (slice(max(top - dy, 0), top - dy + CROP), slice(max(left - dx, 0), left - dx + CROP))
        bare = board["bare"][beside].astype(np.float32)
        if bare.shape != seen.shape:
            bare = board["bare"][box].astype(np.float32)
        tint = self._tint()
        is_told = board["mask"][0, 0] != UNTOLD
        is_known = is_told and rng.random() < (KNOWN_PAIR if "earlier" in board else KNOWN)
        before, telling = self._before(board, box, tint) if is_known else (None, ())
        lean, rise = board["lean"][box].astype(np.float32), board["rise"][box] / 20.0
        inputs = stack(seen @ tint, bare @ tint, lean, rise, before=before)
        size = CROP // STRIDE
        heat, colour, sure = np.zeros((3, size, size), np.float32), np.full((size, size), -1), np.ones((size, size))
        feet = (board["where"] - (left - 0.5, top - 0.5)) / STRIDE - 0.5
        for at in np.flatnonzero(((feet > -2) & (feet < size + 1)).all(axis=1)).tolist():
            (u, v), (px, py), label = feet[at], board["where"][at], board["labels"][at]
            hand = board["mask"][min(max(int(py), 0), height - 1), min(max(int(px), 0), width - 1)] == UNDER_HAND
            self._stamp(heat, colour, sure, (float(u), float(v)), str(label), hand)
        grid = np.mgrid[:size, :size] * STRIDE
        for x, y in telling:
            sure[(grid[1] - x) ** 2 + (grid[0] - y) ** 2 < AROUND**2] *= WEIGHT
        sure = np.minimum(sure, WEIGHT)
        mask = board["mask"][box]
        mask = np.maximum(mask[::STRIDE], mask[1::STRIDE])
        mask = np.maximum(mask[:, ::STRIDE], mask[:, 1::STRIDE])
        sure = sure * board["inside"][box][::STRIDE, ::STRIDE]
        return self._turn(inputs, heat, colour, mask, sure.astype(np.float32))

    def _before(self, board: Board, box: Box, tint: np.ndarray) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray]:
        """What is known of an earlier look: the picture, and where pieces stood, as well as that is known.

        And which feet have changed since, in samples.
        """
        rng = self.rng
        if "earlier" in board:
            earlier, names, feet, changed = (board[name] for name in ("earlier", "names", "known", "changed"))
            earlier = earlier[box]
        else:
            earlier, names, feet, changed = self._as_if_before(board, box)
        earlier = earlier.astype(np.float32)
        if rng.random() < 0.3:
            earlier = self._spoil(earlier)
        corner = (box[1].start, box[0].start)
        where = zip(names.tolist(), (feet - corner + rng.normal(0, 0.9, feet.shape)).tolist(), strict=True)
        marked = [(name, x, y) for name, (x, y) in where if rng.random() > FORGOTTEN]
        if rng.random() < IMAGINED:
            marked.append(("archaeologist", *rng.uniform(0, CROP, 2).tolist()))
        inside = [foot for foot in marked if 0 <= foot[1] < CROP and 0 <= foot[2] < CROP]
        return (np.clip(earlier @ tint, 0, 255), mark_feet(inside, (CROP, CROP))), changed - corner

    def _as_if_before(self, board: Board, box: Box) -> tuple[np.ndarray, ...]:
        """A board as if some of its pieces had just come, or, now and then, something else had lain there before."""
        rng, feet = self.rng, board["where"]
        if rng.random() < OTHERWISE:
            other = self._some_board()
            top, left = (int(rng.integers(side - CROP + 1)) for side in other["rise"].shape)
            look = other["seen"][top : top + CROP, left : left + CROP]
            return look, other["labels"], other["where"] - (left, top) + (box[1].start, box[0].start), feet
        new = rng.random(len(feet)) < rng.choice([0.0, 0.3, 1.0], p=[0.2, 0.6, 0.2])
        look = board["seen"][box].copy()
        v, u = np.mgrid[box]
        far = np.stack([(u - x) ** 2 + (v - y) ** 2 for x, y in feet]) if len(feet) else np.zeros((0, CROP, CROP))
        if new.any():
            mask = board["mask"][box]
            theirs = new[far.argmin(axis=0)] & (((mask > 0) & (mask < UNDER_HAND)) | (far.min(axis=0) < ITS_OWN**2))
            look[theirs] = board["bare"][box][theirs]
        return look, board["labels"][~new], feet[~new], feet[new]

    @staticmethod
    def _stamp(
        heat: np.ndarray, colour: np.ndarray, sure: np.ndarray, foot: tuple[float, float], label: str, hand: bool
    ) -> None:
        """Write one piece into the targets, or, under a hand, that nobody can know."""
        u, v = foot
        near = (
            slice(max(int(v) - 5, 0), max(int(v) + 7, 0)),
            slice(max(int(u) - 5, 0), max(int(u) + 7, 0)),
        )
        gy, gx = np.mgrid[near[0].start : near[0].stop, near[1].start : near[1].stop]
        size = len(sure)
        gy, gx = gy[: size - near[0].start, : size - near[1].start], gx[: size - near[0].start, : size - near[1].start]
        if not gy.size:
            return
        far = (gx - u) ** 2 + (gy - v) ** 2
        if hand:
            sure[near][far < 16] = 0
            return
        peak = np.exp(-far / (2 * SIGMA**2)).astype(np.float32)
        if far.min() <= 0.5:
            peak[far == far.min()] = 1.0
        kind, _, name = label.partition(".")
        part = heat[HEATS.index(kind)][near]
        np.maximum(part, peak, out=part)
        if name:
            colour[near][far < 3.0] = COLOURS.index(name)

    def _spoil(self, seen: np.ndarray) -> np.ndarray:
        """Blur, light, grain and blotches that the picture did not have."""
        rng = self.rng
        if rng.random() < 0.3:
            seen = cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.3, 1.3)))
        if rng.random() < 0.3:
            blotches = rng.normal(0, abs(rng.normal(0, 6)), (CROP // 6, CROP // 6, 3)).astype(np.float32)
            seen = seen + cv2.resize(blotches, (CROP, CROP), interpolation=cv2.INTER_CUBIC)
        gain = rng.normal(1, 0.025, 3).astype(np.float32)
        top, left = rng.integers(len(self._grain) - CROP, size=2).tolist()
        noise = self._grain[top : top + CROP, left : left + CROP] * np.float32(abs(rng.normal(0, 7)))
        return np.asarray(np.clip(seen * gain + noise + np.float32(rng.normal(0, 1.5)), 0, 255), np.float32)

    def _tint(self) -> np.ndarray:
        """What all colours of a crop are multiplied with: warmer or cooler, darker or lighter, paler or stronger."""
        rng = self.rng
        light = rng.normal(1, 0.04, 3) * rng.uniform(0.85, 1.1)
        strength = rng.uniform(0.7, 1.25) if rng.random() < BLANCHED else 1.0
        grey = np.full((3, 3), (1 - strength) / 3) + strength * np.eye(3)
        return np.asarray(grey * light, np.float32)

    def _turn(self, inputs: np.ndarray, *rest: np.ndarray) -> tuple[np.ndarray, ...]:
        """One of the eight symmetries of the square; leans turn with the picture."""
        quarter, mirror = int(self.rng.integers(4)), bool(self.rng.integers(2))
        parts = [np.rot90(p, quarter, (-2, -1)) for p in (inputs, *rest)]
        turned = parts[0].copy()
        for _ in range(quarter):  # counter-clockwise: what points right points up (y is down)
            turned[6], turned[7] = turned[7].copy(), -turned[6].copy()
        parts[0] = turned
        if mirror:
            parts = [np.flip(p, -1).copy() for p in parts]
            parts[0][6] *= -1
        return tuple(np.ascontiguousarray(p) for p in parts)


def doubts_of(net: PieceNet, board: Board) -> list[tuple[float, float]]:
    """Samples of one board where a network sees a foot that is none, none where one is, or hardly knows."""
    inputs, told = asked_of(board)
    with torch.no_grad():
        peaks = net(torch.from_numpy(inputs)[None])[0, :3].numpy() * SURER[0] + SURER[1]
    small, found = board["labels"] == HEATS[0], []
    for layer, mine in ((peaks[0], small), (peaks[1:].max(axis=0), ~small)):
        ring = np.full(layer.shape, -np.inf, np.float32)
        np.copyto(ring, layer, where=told)
        for x, y in board["where"][mine].tolist():
            u, v = round((x - 0.5) / STRIDE), round((y - 0.5) / STRIDE)
            near = (slice(max(v - NEAR, 0), v + NEAR + 1), slice(max(u - NEAR, 0), u + NEAR + 1))
            if ring[near].size and np.isfinite(ring[near]).any():
                if ring[near].max() < UNDECIDED:
                    found.append((x, y))
                ring[near] = -np.inf
        top = cv2.dilate(ring, np.ones((3, 3), np.uint8))
        made_up = np.argwhere((ring >= top) & (ring > -UNDECIDED))
        found += [(u * STRIDE + 0.5, v * STRIDE + 0.5) for v, u in made_up.tolist()]
    return found


def loss_of(out: Tensor, heat: Tensor, colour: Tensor, mask: Tensor, sure: Tensor) -> Tensor:
    """Peaks by focal loss, colours where there is something painted, masks by cross entropy."""
    sure = sure[:, None]
    chance = torch.sigmoid(out[:, :3]).clamp(1e-5, 1 - 1e-5)
    here = (heat > 0.999).float()
    hit = -((1 - chance) ** 2) * torch.log(chance) * here
    miss = -((1 - heat) ** 4) * chance**2 * torch.log(1 - chance) * (1 - here)
    peaks = ((hit + miss) * sure).sum() / here.sum().clamp(min=1)
    painted = F.cross_entropy(out[:, 3:9], colour.long(), ignore_index=-1)
    if torch.isnan(painted):
        painted = torch.zeros(())
    hidden = torch.stack([(mask == what).float() for what in (UNDER_PIECE, UNDER_HAND, SHADED)], 1)
    told = (mask != UNTOLD).float()[:, None].expand_as(hidden)
    covered = F.binary_cross_entropy_with_logits(out[:, 9:], hidden, told) * 1.5
    return peaks + 0.5 * painted + covered


def load(net: PieceNet, file: Path, boards: Boards) -> None:
    """Take over weights that were saved, or those of a network that was written for OpenCV."""
    if file.suffix != ".onnx":
        net.load_state_dict(torch.load(file))
        return
    written = {one.name: torch.tensor(onnx.numpy_helper.to_array(one)) for one in onnx.load(file).graph.initializer}
    nameless = [value for name, value in written.items() if name.startswith("onnx::Conv")]
    named = {name: value for name, value in written.items() if not name.startswith("onnx::")}
    net.load_state_dict(net.state_dict() | named)
    # What was written has each norm folded into the convolution before it, which has no bias of its own.
    convs = [m for m in net.modules() if isinstance(m, nn.Conv2d) and m.bias is None]
    norms = [m for m in net.modules() if isinstance(m, nn.BatchNorm2d)]
    for conv, norm, weight, bias in zip(convs, norms, nameless[::2], nameless[1::2], strict=True):
        conv.weight.data, norm.bias.data = weight, bias
    _unfold(net, norms, boards)


def _unfold(net: PieceNet, norms: list[nn.BatchNorm2d], boards: Boards) -> None:
    """Give every norm the spread that it would have met, and let it do what it did: nothing but add."""
    met: dict[nn.BatchNorm2d, Tensor] = {}
    hooks = [norm.register_forward_pre_hook(lambda norm, args: met.__setitem__(norm, args[0])) for norm in norms]
    net.eval()
    for norm in norms:
        norm.running_var.fill_(1 - norm.eps)
    with torch.no_grad():
        net(boards.batch(4 * BATCH)[0])
    for norm, hook in zip(norms, hooks, strict=True):
        hook.remove()
        var, mean = torch.var_mean(met[norm], (0, 2, 3), correction=0)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(var)
        norm.weight.data = torch.sqrt(var + norm.eps)
        norm.bias.data += mean
    net.train()


def share(net: PieceNet) -> None:
    """Give every process the mean of what all of them have learnt from their crops."""
    steps = [weight.grad for weight in net.parameters() if weight.grad is not None]
    total = torch.cat([step.flatten() for step in steps])
    distributed.all_reduce(total)
    total /= distributed.get_world_size()
    for step, mean in zip(steps, total.split([step.numel() for step in steps]), strict=True):
        step.copy_(mean.view_as(step))


def is_over(spent: float) -> bool:
    """Whether the time is up, for all processes at once."""
    over = torch.tensor(float(spent >= 1))
    distributed.all_reduce(over)
    return bool(over)


def train(net: PieceNet, boards: Boards, minutes: float, rate: float, out: Path) -> None:
    """Learn for so many minutes, slower and slower; boards that are drawn meanwhile are learnt from too."""
    is_first = distributed.get_rank() == 0
    best = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    calm = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(CALM), use_buffers=True)
    drawing, waiting = ThreadPoolExecutor(1), None
    short = torch.ops.mkldnn._is_mkldnn_bf16_supported()  # elsewhere short numbers are slow
    start, step, mean = time.monotonic(), 0, 0.0
    while not is_over(spent := (time.monotonic() - start) / 60 / minutes):
        for group in best.param_groups:
            group["lr"] = rate * min(1.0, step / 50 + 0.02) * (0.5 + 0.5 * np.cos(np.pi * spent)) + 1e-5
        if step and step % MISREAD_EVERY == 0:
            boards.doubt(net.eval())
            net.train()
            print(f"in doubt at {len(boards.doubts)} places", flush=True)
            waiting = None
        inputs, heat, colour, mask, sure = waiting.result() if waiting else boards.batch(BATCH)
        waiting = drawing.submit(boards.batch, BATCH) if (step + 1) % MISREAD_EVERY and (step + 1) % 100 else None
        inputs = inputs.contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16, enabled=short):
            told = net(inputs)
        loss = loss_of(told.float(), heat, colour, mask, sure)
        best.zero_grad()
        loss.backward()
        share(net)
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        best.step()
        calm.update_parameters(net)
        mean = loss.item() if step == 0 else mean * 0.98 + loss.item() * 0.02
        step += 1
        if step % 100 == 0:
            boards.refresh()
            seen = [len(folder) for folder in boards.folders]
            if is_first:
                print(f"step {step}, loss {mean:.3f}, {spent:.0%} of the time, {seen} boards", flush=True)
        if step % 2000 == 0 and is_first:
            save(calm.module, out)
    if is_first:
        save(calm.module, out)


def save(net: PieceNet, out: Path) -> None:
    """Write the network for OpenCV, and its weights to learn on from."""
    net.eval()
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    names = {"input_names": ["mosaic"], "output_names": ["peaks"]}
    example = torch.zeros(1, INPUTS, CROP, CROP)
    axes = {"mosaic": {0: "n", 2: "h", 3: "w"}, "peaks": {0: "n", 2: "h", 3: "w"}}
    torch.onnx.export(net, (example,), str(out), dynamo=False, opset_version=13, dynamic_axes=axes, **names)
    net.train()


def main() -> None:
    """Train on every board of some folders."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument(
        "boards", type=Path, nargs="+", help="folders of boards; name one twice to see it twice as often"
    )
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2, help="each learns with one core, and all from each other")
    parser.add_argument("--resume", type=Path, help="weights to learn on from, .pt or .onnx")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    boards = Boards(args.boards, args.seed)
    with tempfile.TemporaryDirectory() as meeting:  # forked, so that all of them share the boards' memory
        multiprocessing.start_processes(
            learn, (args, boards, f"file://{meeting}/all"), args.processes, start_method="fork"
        )


def learn(rank: int, args: argparse.Namespace, boards: Boards, meeting: str) -> None:
    """One of the processes that learn together."""
    distributed.init_process_group("gloo", init_method=meeting, rank=rank, world_size=args.processes)
    torch.manual_seed(args.seed)  # all start from the same weights
    torch.set_num_threads(1)
    boards.rng = np.random.default_rng(args.seed * 100 + rank)
    net = PieceNet().to(memory_format=torch.channels_last)
    if args.resume:
        load(net, args.resume, boards)
    train(net, boards, args.minutes, args.rate, args.out)


if __name__ == "__main__":
    main()
