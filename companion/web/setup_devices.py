"""Set up, by camera: the tiles that are learnt in groups, the colours of the strip, and where each LED lies."""

from __future__ import annotations

from typing import Any, Final

from flask import Blueprint, Response, g, request
from msgspec.structs import replace

from companion import workshop
from companion.led_map import LedMapError
from companion.web.guard import OWNER, needs
from companion.web.home import the_home
from companion.web.languages import speak, speak_all
from companion.web.refusing import refuse, refuse_field
from companion.web.setup import COLOURS, KINDS, change_settings, say_why, the_bench, tick
from engine.games.ice.terms import term
from engine.sayings import Saying
from vision.locate import NotLocated

blueprint = Blueprint("setup_devices", __name__, url_prefix="/api/v1/setup")
DOUBTS: Final = {
    "no light was seen": Saying("no light was seen"),
    "no light was seen; guessed from its neighbours": Saying("no light was seen; guessed from its neighbours"),
    "its light is faint": Saying("its light is faint"),
    "its light is weak; something hides a part of it": Saying("its light is weak; something hides a part of it"),
    "a second light was seen, perhaps a reflection": Saying("a second light was seen, perhaps a reflection"),
    "it lies far from its neighbours on the strip": Saying("it lies far from its neighbours on the strip"),
    "it lies beside its row": Saying("it lies beside its row"),
    "its light comes out where another LED lies": Saying("its light comes out where another LED lies"),
    "its neighbour on the strip is in doubt": Saying("its neighbour on the strip is in doubt"),
    "it lies on the border of two spots": Saying("it lies on the border of two tiles"),
}
"""Why the owner should look at an LED, as the mapper says it and as the page does."""
GROUPS = 8
"""Groups that are proposed at first."""


def _why(doubt: str) -> str:
    return speak(DOUBTS[doubt], g.language) if doubt in DOUBTS else doubt


def _body() -> dict[str, Any]:
    body = request.get_json(silent=True)
    if not isinstance(body, dict):
        refuse(400)
    return body


# ---------------------------------------------------------------------- tiles


@blueprint.post("/tiles/<layer>/lay")
@needs(OWNER)
def lay(layer: str) -> dict[str, Any]:
    """On a simulated table: let hands lay the board up to this layer."""
    bench = the_bench()
    if not bench.simulated or layer not in bench.eye.layout.layers:
        refuse(404, Saying("Only a simulated table has hands to be told."))
    bench.lay(layer)
    return {"taken": "lay"}


@blueprint.post("/tiles/<layer>/take")
@needs(OWNER)
def take(layer: str) -> dict[str, Any]:
    """Learn the layer that lies on top now."""
    bench, count = the_bench(), _body().get("groups", GROUPS)
    if layer not in bench.eye.layout.layers or not isinstance(count, int) or not 1 <= count <= 30:
        refuse(400, Saying("Choose one of the layers and 1 to 30 groups."))
    try:
        draft = bench.take_layer(layer, count)
    except NotLocated as error:
        refuse(409, say_why(error))
    except ValueError as error:
        refuse(
            409,
            Saying("The layer could not be learnt; lay it complete and try again. ({detail})", {"detail": str(error)}),
        )
    return _drafted(layer, [] if draft is None else [list(group.members) for group in draft.groups])


@blueprint.get("/tiles/<layer>/groups")
@needs(OWNER)
def groups(layer: str) -> dict[str, Any]:
    """The groups of a layer whose picture was taken and that waits for names."""
    draft = the_bench().drafts.get(layer)
    if draft is None:
        refuse(409, Saying("Take the picture of this layer first."))
    return _drafted(layer, [list(group.members) for group in draft.groups])


def _drafted(layer: str, groups: list[list[int]]) -> dict[str, Any]:
    bench = the_bench()
    kinds = [{"kind": kind, "say": term(kind)} for kind in KINDS.get(layer, ())]
    return dict(speak_all({"layer": layer, "groups": groups, "kinds": kinds, "missing": bench.missing()}, g.language))


@blueprint.get("/tiles/<layer>/<int:member>.png")
@needs(OWNER)
def tile(layer: str, member: int) -> Response:
    """The picture of one tile."""
    draft = the_bench().drafts.get(layer)
    if draft is None or member >= len(draft.prints):
        refuse(404, Saying("This tile was not learnt yet."))
    data = workshop.picture_of(draft, member)
    return Response(data, mimetype="image/png", headers={"Cache-Control": "no-store"})


@blueprint.post("/tiles/<layer>/name")
@needs(OWNER)
def name(layer: str) -> dict[str, Any]:
    """Name the groups of a layer; with the last layer the eye is taught anew."""
    bench, body = the_bench(), _body()
    kinds, turns, own = body.get("kinds"), body.get("turns", []), body.get("corrections", {})
    if layer not in bench.drafts:
        refuse(409, Saying("Take the picture of this layer first."))
    if not isinstance(kinds, list) or not all(kind in KINDS[layer] for kind in kinds):
        refuse(
            400,
            Saying(
                "Every group needs a name of this layer: {kinds}.", {"kinds": [term(kind) for kind in KINDS[layer]]}
            ),
        )
    if not isinstance(turns, list) or not all(isinstance(turn, int) for turn in turns):
        refuse_field("turns")
    if not isinstance(own, dict) or not all(key.isdecimal() and kind in KINDS[layer] for key, kind in own.items()):
        refuse_field("corrections")
    try:
        bench.name_layer(layer, kinds, turns, {int(key): str(kind) for key, kind in own.items()})
    except ValueError:
        refuse_field("kinds")
    prints = 0 if bench.missing() else bench.teach()
    if prints:
        tick("tiles")
    return {"missing": bench.missing(), "prints": prints}


@blueprint.post("/tiles/leave")
@needs(OWNER)
def leave() -> dict[str, Any]:
    """Go back to the game without learning more."""
    the_bench().back_to_play()
    return {"taken": "leave"}


# ---------------------------------------------------------------------- lights


@blueprint.post("/lights/colour")
@needs(OWNER)
def colour() -> dict[str, Any]:
    """Show the whole strip in red, green or blue; anything else ends the trial."""
    the_bench().lamps.trial = COLOURS.get(str(_body().get("colour")))
    return {"taken": "colour"}


@blueprint.post("/lights/order")
@needs(OWNER)
def order() -> dict[str, Any]:
    """The order of colours on the wire, from what was seen."""
    home, seen = the_home(), _body().get("seen")
    if not isinstance(seen, dict):
        refuse_field("seen")
    the_bench().lamps.trial = None
    try:
        found = workshop.true_order(home.settings.lights.order, seen)
    except ValueError:
        refuse(400, Saying("Each of the three colours has to be seen once: try again."))
    now = home.settings
    change_settings(replace(now, lights=replace(now.lights, order=found)))
    return {"order": found}


@blueprint.post("/lights/map")
@needs(OWNER)
def map_leds() -> dict[str, Any]:
    """Begin to map the strip with the camera."""
    bench = the_bench()
    if bench.simulated:
        bench.lay(bench.eye.layout.layers[-1])
    bench.map_leds()
    return leds()


@blueprint.post("/lights/leds/<int:led>/again")
@needs(OWNER)
def look_again(led: int) -> dict[str, Any]:
    """Let the camera look at one LED again."""
    bench = the_bench()
    try:
        bench.rescan(led)
    except ValueError:
        refuse(400, Saying("There is no such LED on the map; map the LEDs first."))
    return leds()


@blueprint.get("/lights/leds")
@needs(OWNER)
def leds() -> dict[str, Any]:
    """Where each LED lies, and how far mapping has come."""
    bench = the_bench()
    found = (
        []
        if bench.led_map is None
        else [
            {"led": led.led, "at": led.place_mm, "doubt": led.doubt, "say": _why(led.doubt), "by_hand": led.by_hand}
            for led in bench.led_map.leds
        ]
    )
    return {"count": bench.lamps.count, "mapped": bench.mapped, "trouble": bench.trouble, "leds": found}


@blueprint.post("/lights/leds/<int:led>")
@needs(OWNER)
def move(led: int) -> dict[str, Any]:
    """Put an LED where it really lies."""
    place = _body().get("at")
    if not isinstance(place, list) or len(place) != 2 or not all(isinstance(x, int | float) for x in place):
        refuse_field("at")
    try:
        the_bench().move_led(led, (float(place[0]), float(place[1])))
    except (LedMapError, ValueError):
        refuse(400, Saying("There is no such LED on the map; map the LEDs first."))
    return leds()


@blueprint.get("/pressed")
@needs(OWNER)
def pressed() -> dict[str, Any]:
    """Which button of the panel was pressed last; while somebody asks, buttons say nothing to the game."""
    count, button = the_bench().pressed()
    return {"count": count, "button": button}
