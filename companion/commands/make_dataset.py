"""`companion make-dataset`: write a picture data set of the simulated table."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.cli import UserError, picture_size
from companion.picture_sets import PICTURE_CONDITIONS, SetPlan, write_picture_set

HELP = "write a picture data set of the simulated table, for `companion eval` and for trying things out"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to, how many, which light, which art."""
    parser.add_argument("folder", type=Path, metavar="OUT", help="a new or empty folder")
    parser.add_argument("--frames", type=int, default=10, metavar="N", help="test frames for each condition (10)")
    parser.add_argument(
        "--condition", action="append", choices=PICTURE_CONDITIONS, help="may be given several times; all by default"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="another seed, other boards and cameras (0)")
    parser.add_argument("--art", type=int, default=0, metavar="K", help="another number, another artist (0)")
    parser.add_argument("--tile-mm", type=float, default=42.0, metavar="F", help="tile from side to side (42)")
    parser.add_argument("--thickness-mm", type=float, default=3.0, metavar="T", help="thickness of a tile (3)")
    parser.add_argument("--size", default="1280x720", metavar="WxH", help="size of the pictures (1280x720)")


def run(args: argparse.Namespace) -> int:
    """Write the set, or say why not."""
    size = picture_size(args.size)
    if args.frames < 0 or args.seed < 0 or args.art < 0:
        raise UserError("--frames, --seed and --art must not be negative")
    if not (20 <= args.tile_mm <= 80 and 1 <= args.thickness_mm <= 10):
        raise UserError("--tile-mm must be within 20 and 80, --thickness-mm within 1 and 10")
    if args.folder.exists() and (not args.folder.is_dir() or any(args.folder.iterdir())):
        raise UserError(f"{args.folder} is not an empty folder; name a new one")
    conditions = tuple(args.condition or PICTURE_CONDITIONS)
    plan = SetPlan(args.frames, conditions, args.seed, args.art, size, args.tile_mm, args.thickness_mm)
    try:
        write_picture_set(args.folder, plan)
    except OSError as error:
        raise UserError(f"cannot write to {args.folder}: {error.strerror}; check the folder and free space") from None
    return 0
