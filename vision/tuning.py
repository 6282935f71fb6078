"""Every threshold of the eye in one place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Trust:
    """A network is trained to be careful: its logits, stretched and shifted so, are odds that come true.

    `tools/pieces/calibrate.py` tells them, from boards that the network was not trained on.
    """

    small_slope: float
    small_shift: float
    paint_slope: float
    paint_shift: float


@dataclass(frozen=True, slots=True)
class Tuning:
    """Numbers that decide how pictures are compared; all in brightness of white paper = 1 unless said otherwise."""

    patch_side: int = 40
    patch_step_mm: float = 1.2
    coarse_side: int = 24
    coarse_step_mm: float = 2.0
    """The raster in which presence is decided; kinds are decided in the finer one."""
    prints_per_kind: int = 12
    print_gap: float = 0.02
    """Enrolled tiles of a kind that differ by less stand for each other."""
    noise: float = 0.03
    """Difference that is expected between two pictures of the same plain surface."""
    slip_mm: float = 0.35
    """Misplacement that is expected after registration: edges count less by their steepness."""
    slip_margin: float = 1.2
    """Looks whose cost is so close to the best are laid where the tile seems to have slipped, and compared again."""
    slip_most_mm: float = 1.6
    slip_cost: float = 0.03
    """What a slip of one step costs: tiles lie mostly where they belong."""
    first_gain_sd: float = 0.3
    """How far the light on a triangle may be from the light on the markers."""
    gain_sd: float = 0.06
    """How far the light on a triangle may be from the light on the tiles around it."""
    veil_sd: float = 0.05
    """How much glare or haze may lie over a triangle."""
    glow: float = 1.15
    """Brightness over white paper above which a sample is light, not print."""
    halo: float = 1.05
    """The same on a face part of which glows."""
    glow_share: float = 0.5
    """Share of a face that may be so bright."""
    rim_glow: float = 0.2
    """So much brighter than a face its edge is when it is lit."""
    rim_share: float = 0.8
    """So much of the edge at least."""
    triangle_cap: float = 8.0
    """Largest cost of a triangle per sample, so that a piece or a hand costs every reading the same."""
    pixel_cap: float = 9.0
    """Largest cost of one sample in the fine comparison."""
    absent_bias: float = 0.0
    """Cost per sample by which absence must win."""
    plain_fit: float = 3.0
    """Largest coarse cost of any triangle of a tile that needs no closer look."""
    plain_margin: float = 0.5
    """Distance in coarse cost of the next reading for that."""
    plain_evidence: float = 12.0
    """And the same as evidence, in nats, so that a small visible part needs a larger distance."""
    evidence_samples: float = 60.0
    """How many independent witnesses a whole tile is worth; its samples err together."""
    telling: float = 4.0
    """A sample tells two looks apart if they differ there by more than this, squared, in units of noise."""
    sure: float = 0.5
    """A tile whose best kind is less probable than this is unsure."""
    fit: float = 0.45
    """A tile of which less than this share is explained, and badly, is unsure: something lies over it."""
    hard: float = 1.0
    """Mean cost of a side above which the whole board is explained anew once pieces and hands are known."""
    burden: float = 5.5
    """Mean cost above which nothing known explains what is seen at a place: it is unsure."""
    pieces: Trust = Trust(3.0, 1.3, 3.4, 1.4)
    """How far the network can be trusted that sees one picture."""
    pieces_again: Trust = Trust(2.6, 0.7, 2.7, 0.6)
    """The same where it also sees how the board looked before."""
    covered: float = 0.5
    """Chance above which something covers a sample."""
    shaded: float = 0.6
    """Chance above which it does, or casts its shadow there."""
    under_pieces: float = 0.5
    """Power that makes odds of a tile under pieces come true; it and the next two were fitted to such tiles."""
    body_sample: float = 0.02
    """What speaks against a kind, in nats, for each sample that seems to lie behind a body with it."""
    print_sample: float = 0.006
    """The same for each of the others that looks otherwise than its print."""
    certain: float = 0.99
    """A tile under pieces whose best kind is less probable than this is weighed so."""
    unlike: float = 0.18
    """Share by which a tile must differ from its print between the pieces, before it is doubted that it is there."""
    more_unlike: float = 1.5
    """And how many times more than the tiles of the picture usually do."""
    hole: float = 250.0
    """A tile is not there if so many samples less stand out without it."""
    beyond_doubt: float = 36.0
    """But not if its sides together would cost so much more without it: three quarters of what six of them can."""
    darkest_shade: float = 0.5
    """How much light at least is left in the shadow of a piece."""
    worth_second_look: float = 0.04
    """Share of a tile under pieces above which it is read again around them."""
    hand: float = 0.4
    """Chance above which a hand is over a sample."""
    hand_share: float = 0.2
    """Share of a place under a hand above which it is unsure."""
    plain_pieces: float = 0.8
    """Pieces whose best account is less probable than this are looked at once more."""
    sure_pieces: float = 0.5
    """Pieces whose best account is less probable than this are unsure."""
