"""What was learnt of drawn copies of the game, for tests that read drawn tables."""

from __future__ import annotations

from functools import lru_cache

from companion.picture_sets import SetPlan, make_frames, table_layout
from engine.spots import Spot
from tests.vision.sheet import MARKERS
from vision.enrolment import Enrolment, enrol_ground, enrol_layer
from vision.locate import decode, locate

LAYOUT = table_layout()


@lru_cache(maxsize=2)
def enrolled(art: int) -> Enrolment:
    """The tiles of one art, from pictures of its board being set up."""
    learnt = Enrolment()
    ground = [s for s, p in LAYOUT.places.items() if not p.takes_tile]
    for number, (record, jpeg) in enumerate(make_frames(SetPlan(0, (), seed=3, art=art))):
        if number == 4:
            break
        image = decode(jpeg)
        view = locate(image, MARKERS)
        labels = {
            Spot(s): (t["kind"], t["rotation"])
            for s, t in record["tiles"].items()
            if LAYOUT.places[Spot(s)].layer == record["exposed_layer"]
        }
        learnt = learnt.extend(enrol_layer(image, view, MARKERS, LAYOUT, labels))
        if not record["tiles"]:
            learnt = learnt.extend(enrol_ground(image, view, MARKERS, LAYOUT, ground))
    return learnt
