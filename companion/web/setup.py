"""The page Set up: one step after the other, left and resumed at any time; every step shows what the camera sees."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final, cast

import cv2
from flask import Blueprint, Response, current_app, g, redirect, render_template, request, url_for
from msgspec.structs import replace
from werkzeug.wrappers import Response as AnyResponse

from companion import workshop
from companion.bench import Bench
from companion.marker_sheet import marker_sheet
from companion.messages import NewGame
from companion.settings import Game, Settings
from companion.table_eye import OTHER_TROUBLE, TROUBLES
from companion.troubles import say_trouble
from companion.web import forms
from companion.web.desk import the_desk
from companion.web.door import own_address
from companion.web.guard import OWNER, needs
from companion.web.home import the_home
from companion.web.languages import speak, speak_all
from companion.web.refusing import refuse, refuse_field
from companion.workshop import STEPS
from engine.games.ice.cards import GUILDS
from engine.games.ice.terms import term
from engine.sayings import Saying
from hardware.addresses import is_simulated
from hardware.cameras import CAMERAS
from hardware.errors import HardwareError
from vision.eye import Eye
from vision.locate import NotLocated
from vision.view import Image, View

blueprint = Blueprint("setup", __name__)

TITLES: Final = {
    "game": Saying("The game"),
    "camera": Saying("Camera"),
    "markers": Saying("Markers"),
    "tiles": Saying("Tiles"),
    "lights": Saying("Lights"),
    "buttons": Saying("Buttons and habits"),
    "page": Saying("Language and page"),
    "pin": Saying("PIN"),
    "start": Saying("Start"),
}
VARIANTS: Final = {
    "first_game": Saying("First game: no logbook, no guild abilities"),
    "expert": Saying("Expert: the Curse of the Nuuk"),
    "blessing": Saying("Blessing tokens"),
    "fluid_move": Saying("Fluid move with three players"),
    "logbook_setup": Saying("A logbook card tells where archaeologists start"),
    "friendly_curse": Saying("Friendly curse"),
}
STRIPS: Final = {
    "simulator:": Saying("no strip, or the simulated one"),
    "spi:0.0": Saying("WS2812B or SK6812 on the SPI port of a Raspberry Pi"),
    "ws281x:18": Saying("WS2812B on a PWM pin of a Raspberry Pi up to 4"),
    "wled://": Saying("a WLED controller in the network"),
}
"""How each kind of strip is addressed."""
COLOURS: Final = {"R": (255, 0, 0), "G": (0, 255, 0), "B": (0, 0, 255)}
KINDS: Final = {
    "snow": ("empty", "tunnel", "crevasse", "nunatak", "campsite"),
    "surface": ("exalted", "achievement", "philosophical", "obliteration", "harmony", "prismatic"),
    "deep": ("exalted", "achievement", "philosophical", "obliteration", "harmony", "prismatic"),
}
"""What the tiles of a layer may be called."""


def the_bench() -> Bench:
    """The devices; 503 where the page runs without any."""
    bench = current_app.extensions["bench"]
    if bench is None:
        refuse(503, Saying("This page runs without devices: start the companion itself."))
    return cast(Bench, bench)


def _progress() -> dict[str, Any]:
    known = current_app.extensions["progress"]
    return cast(dict[str, Any], known)


def tick(step: str) -> None:
    """Remember that a step was done."""
    progress = _progress()
    progress["done"] = [one for one in STEPS if one in progress["done"] or one == step]
    workshop.write_progress(the_home().folder, progress)


# ---------------------------------------------------------------------- pages


@blueprint.get("/setup")
@needs(OWNER)
def first() -> AnyResponse:
    """Go on where the set-up was left."""
    step = next((one for one in STEPS if one not in _progress()["done"]), STEPS[-1])
    return redirect(url_for("setup.step", step=step), 303)


@blueprint.get("/setup/<step>")
@needs(OWNER)
def step(step: str) -> str:
    """One step."""
    if step not in STEPS:
        refuse(404, Saying("The set-up has no such step."))
    return show_step(step)


def show_step(step: str, trouble: str = "") -> str:
    """The page of a step, perhaps with what was wrong in its form."""
    bench = current_app.extensions["bench"]
    return render_template(
        "setup.html",
        step=step,
        steps=[(one, speak(TITLES[one], g.language), one in _progress()["done"]) for one in STEPS],
        number=STEPS.index(step) + 1,
        fields=speak_all(list(forms.fields(step, the_home().settings)), g.language),
        variants=speak_all(VARIANTS, g.language),
        guilds=[(guild, speak(term(guild), g.language)) for guild in GUILDS],
        game=the_home().settings.game,
        seated=the_home().settings.game.guilds.split(),
        cameras=[(one, workshop.camera_name(one)) for one in workshop.found_cameras()],
        strips=speak_all(STRIPS, g.language),
        simulated=bench is not None and bench.simulated,
        has_bench=bench is not None,
        layers=list(reversed(bench.eye.layout.layers)) if bench is not None else [],
        drafts=[layer for layer in bench.drafts if layer not in bench.learnt] if bench is not None else [],
        missing=bench.missing() if bench is not None else [],
        taught=bench is not None and isinstance(bench.eye.reader, Eye),
        has_pin=the_home().access.has_pin,
        address=own_address(),
        trouble=trouble,
    )


@blueprint.post("/setup/<step>")
@needs(OWNER)
def save(step: str) -> AnyResponse | tuple[str, int]:
    """Keep what a step's form says and go on."""
    if step not in STEPS:
        refuse(404, Saying("The set-up has no such step."))
    try:
        if step == "game":
            change_settings(replace(the_home().settings, game=_game(request.form)))
        elif step in forms.LISTED:
            change_settings(forms.changed(step, the_home().settings, request.form))
    except forms.BadField as error:
        return show_step(step, speak(error.say, g.language)), 400
    if step == "start":
        return _start(guided=bool(request.form.get("guided")))
    tick(step)
    return redirect(url_for("setup.step", step=STEPS[STEPS.index(step) + 1]), 303)


def change_settings(wanted: Settings) -> None:
    """Keep new settings and use them at once; a camera that gives no picture is not taken."""
    home, bench = the_home(), cast(Bench | None, current_app.extensions["bench"])
    camera = wanted.table.camera
    is_new = camera != home.settings.table.camera and not is_simulated(camera, CAMERAS)
    if bench is not None and bench.refit is not None and is_new:
        try:
            bench.look(camera, replace(wanted, table=home.settings.table))
        except (HardwareError, ValueError) as error:
            raise forms.BadField(say_trouble(error)) from error
    home.change_settings(wanted)
    if bench is not None and bench.refit is not None:
        bench.refit(wanted)


def _game(form: Any) -> Game:
    """The game that the form asks for; BadField when a guild would sit twice."""
    said = form.get("players", "3")
    players = int(said) if said in ("1", "2", "3", "4", "5") else 3
    wanted = [form.get(f"seat.{number}", guild) for number, guild in enumerate(GUILDS, 1)]
    guilds = [guild for guild in wanted[:players] if guild in GUILDS]
    if len(set(guilds)) != players:
        raise forms.BadField(Saying("Every guild can sit only once at the table: choose others."))
    first = form.get("first", "1")
    begins = guilds[int(first) - 1 if first.isdecimal() and 1 <= int(first) <= players else 0]
    return Game(players, " ".join(guilds), begins, **{name: bool(form.get(name)) for name in VARIANTS})


def _start(*, guided: bool) -> AnyResponse:
    game = the_home().settings.game
    guilds = tuple(guild for guild in game.guilds.split() if guild in GUILDS)
    if len(set(guilds)) != game.players:  # written by hand, or never chosen
        guilds = GUILDS[: game.players]
    options = {"players": game.players} | {name: getattr(game, name) for name in VARIANTS}
    the_desk().submit(NewGame(options, guilds, game.first if game.first in guilds else "", guided))
    tick("start")
    return redirect(url_for("pages.play"), 303)


@blueprint.get("/setup/markers.pdf")
@needs(OWNER)
def sheet() -> Response:
    """The markers to print."""
    data = marker_sheet(the_bench().eye.markers, f"Icelight, {the_home().settings.page.name}")
    headers = {"Content-Disposition": 'inline; filename="markers.pdf"'}
    return Response(data, mimetype="application/pdf", headers=headers)


# ---------------------------------------------------------------------- the camera


def _picture(address: str) -> Image:
    try:
        image = the_bench().look(address, the_home().settings)
    except (HardwareError, ValueError) as error:
        refuse(503, say_trouble(error))
    if image is None:
        refuse(503, Saying("The camera has not given a picture yet."))
    return image


@blueprint.get("/api/v1/setup/picture.jpg")
@needs(OWNER)
def picture() -> Response:
    """What a camera sees now, also one that is not in use yet."""
    image = _picture(request.args.get("camera") or the_home().settings.table.camera)
    data = bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])[1])
    return Response(data, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@blueprint.get("/api/v1/setup/look")
@needs(OWNER)
def look() -> dict[str, Any]:
    """How good the picture is: meters, where the board lies, and a plain verdict."""
    bench, image = the_bench(), _picture(request.args.get("camera") or the_home().settings.table.camera)
    view, trouble = _find(image)
    found = workshop.meters(image, view, bench.eye.markers, bench.eye.layout)
    bad = [meter.say for meter in found if not meter.ok]
    verdict = trouble or (bad[0] if bad else Saying("This picture is good enough to read the board."))
    answer = {
        "size": [image.shape[1], image.shape[0]],
        "meters": [asdict(meter) | {"name": meter.name, "say": meter.say} for meter in found],
        "ok": not trouble and not bad,
        "verdict": verdict,
        "residual": None if view is None else round(view.residual_px, 2),
        "outline": [] if view is None else _outline(view),
        "corners": _corners(image, view),
    }
    return dict(speak_all(answer, g.language))


def _find(image: Image) -> tuple[View | None, Saying | None]:
    bench = the_bench()
    try:
        return workshop.find_board(image, bench.eye.markers, bench.eye.layout), None
    except NotLocated as error:
        kept: View | None = getattr(bench.eye, "kept", None)
        if kept is not None and (kept.lens.height, kept.lens.width) == image.shape[:2]:
            return kept, None
        return None, say_why(error)


def say_why(error: NotLocated) -> Saying:
    """Why the board was not found, for people."""
    return TROUBLES.get(error.reason, OTHER_TROUBLE)


def _outline(view: View) -> list[list[float]]:
    layout = the_bench().eye.layout
    hull = cv2.convexHull(view.project(workshop.board_outline(layout)).astype("float32")).reshape(-1, 2)
    return [[round(float(x), 1), round(float(y), 1)] for x, y in hull]


def _corners(image: Image, view: View | None) -> list[dict[str, Any]]:
    """The tiles whose middles can be dragged, where they are seen or are to be expected."""
    layout = the_bench().eye.layout
    height, width = image.shape[:2]
    if view is not None:
        pixels = view.project(workshop.corner_places(layout)).tolist()
    else:
        scale = 0.8 * min(width / layout.size_mm[0], height / layout.size_mm[1])
        pixels = [[width / 2 + x * scale, height / 2 - y * scale] for x, y, _ in workshop.corner_places(layout)]
    spots = workshop.hand_corners(layout)
    return [{"spot": str(spot), "at": [round(x, 1), round(y, 1)]} for spot, (x, y) in zip(spots, pixels, strict=True)]


@blueprint.post("/api/v1/setup/corners")
@needs(OWNER)
def corners() -> dict[str, Any]:
    """Where the board lies, by at least four corners that were dragged; `keep` keeps it."""
    body = request.get_json(silent=True)
    if not isinstance(body, dict) or not _are_points(body.get("pixels")) or not _are_points([body.get("size")]):
        refuse_field("pixels" if isinstance(body, dict) and "size" in body else "size")
    width, height = body["size"]
    try:
        view = workshop.view_by_corners(body["pixels"], the_bench().eye.layout, int(width), int(height))
    except (NotLocated, cv2.error, ValueError):
        refuse(400, Saying("These corners fit no board; drag each dot to the middle of its tile."))
    if body.get("keep"):
        the_bench().keep_view(view)
        tick("markers")
    return {"residual": round(view.residual_px, 2), "outline": _outline(view)}


def _are_points(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, list) and len(one) == 2 and all(isinstance(x, int | float) and 0 <= x < 10000 for x in one)
        for one in value
    )
