"""Set up, by camera: the tiles that are learnt in groups, the colours of the strip, and where each LED lies."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, g, request
from msgspec.structs import replace

from companion import workshop
from companion.led_map import LedMapError
from companion.web.guard import OWNER, needs
from companion.web.home import the_home
from companion.web.languages import speak, speak_all
from companion.web.setup import COLOURS, KINDS, say_why, the_bench, tick
from engine.games.ice.terms import term
from engine.sayings import Saying
from vision.locate import NotLocated

blueprint = Blueprint("setup_devices", __name__, url_prefix="/api/v1/setup")
GROUPS = 8
"""Groups that are proposed at first."""


def _body() -> dict[str, Any]:
    body = request.get_json(silent=True)
    if not isinstance(body, dict):
        abort(400, "expected a JSON object")
    return body


# ---------------------------------------------------------------------- tiles


@blueprint.post("/tiles/<layer>/lay")
@needs(OWNER)
def lay(layer: str) -> dict[str, Any]:
    """On a simulated table: let hands lay the board up to this layer."""
    bench = the_bench()
    if not bench.simulated or layer not in bench.eye.layout.layers:
        abort(404, "only a simulated table has hands to be told, and only its own layers")
    bench.lay(layer)
    return {"taken": "lay"}


@blueprint.post("/tiles/<layer>/take")
@needs(OWNER)
def take(layer: str) -> dict[str, Any]:
    """Learn the layer that lies on top now."""
    bench, count = the_bench(), _body().get("groups", GROUPS)
    if layer not in bench.eye.layout.layers or not isinstance(count, int) or not 1 <= count <= 30:
        abort(400, f"expected a layer of {', '.join(bench.eye.layout.layers)} and 1 to 30 groups")
    try:
        draft = bench.take_layer(layer, count)
    except NotLocated as error:
        abort(409, speak(say_why(error), g.language))
    except ValueError as error:
        abort(409, str(error))
    groups = [] if draft is None else [list(group.members) for group in draft.groups]
    kinds = [{"kind": kind, "say": term(kind)} for kind in KINDS.get(layer, ())]
    return dict(speak_all({"layer": layer, "groups": groups, "kinds": kinds, "missing": bench.missing()}, g.language))


@blueprint.get("/tiles/<layer>/<int:member>.png")
@needs(OWNER)
def tile(layer: str, member: int) -> Response:
    """The picture of one tile."""
    draft = the_bench().drafts.get(layer)
    if draft is None or member >= len(draft.prints):
        abort(404, "this tile was not learnt yet")
    data = workshop.picture_of(draft, member)
    return Response(data, mimetype="image/png", headers={"Cache-Control": "no-store"})


@blueprint.post("/tiles/<layer>/name")
@needs(OWNER)
def name(layer: str) -> dict[str, Any]:
    """Name the groups of a layer; with the last layer the eye is taught anew."""
    bench, body = the_bench(), _body()
    kinds, turns, own = body.get("kinds"), body.get("turns", []), body.get("corrections", {})
    if layer not in bench.drafts:
        abort(409, "take the picture of this layer first")
    if not isinstance(kinds, list) or not all(kind in KINDS[layer] for kind in kinds):
        abort(400, f"kinds: expected names of {', '.join(KINDS[layer])}")
    if not isinstance(turns, list) or not all(isinstance(turn, int) for turn in turns):
        abort(400, "turns: expected whole numbers")
    if not isinstance(own, dict) or not all(key.isdecimal() and kind in KINDS[layer] for key, kind in own.items()):
        abort(400, f"corrections: expected numbers of tiles and names of {', '.join(KINDS[layer])}")
    try:
        bench.name_layer(layer, kinds, turns, {int(key): str(kind) for key, kind in own.items()})
    except ValueError as error:
        abort(400, str(error))
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
        abort(400, "seen: expected which colour was seen for R, G and B")
    the_bench().lamps.trial = None
    try:
        found = workshop.true_order(home.settings.lights.order, seen)
    except ValueError:
        abort(400, speak(Saying("Each of the three colours has to be seen once: try again."), g.language))
    now = home.settings
    home.change_settings(replace(now, lights=replace(now.lights, order=found)))
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


@blueprint.get("/lights/leds")
@needs(OWNER)
def leds() -> dict[str, Any]:
    """Where each LED lies, and how far mapping has come."""
    bench = the_bench()
    found = (
        []
        if bench.led_map is None
        else [
            {"led": led.led, "at": led.place_mm, "doubt": led.doubt, "by_hand": led.by_hand}
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
        abort(400, "at: expected [x, y] in millimetres")
    try:
        the_bench().move_led(led, (float(place[0]), float(place[1])))
    except (LedMapError, ValueError) as error:
        abort(400, str(error))
    return leds()
