"""The page Set up: one step after the other, left and resumed at any time; every step shows what the camera sees."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final, cast

import cv2
from flask import Blueprint, Response, abort, current_app, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion import workshop
from companion.bench import Bench
from companion.marker_sheet import marker_sheet
from companion.messages import NewGame
from companion.settings import SettingsError
from companion.table_eye import OTHER_TROUBLE, TROUBLES
from companion.web import forms
from companion.web.desk import the_desk
from companion.web.door import own_address
from companion.web.guard import OWNER, needs
from companion.web.home import the_home
from companion.web.languages import speak, speak_all
from companion.workshop import STEPS
from engine.games.ice.cards import GUILDS
from engine.games.ice.terms import term
from engine.sayings import Saying
from hardware.errors import HardwareError
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
        abort(503, speak(Saying("This page runs without devices: start the companion itself."), g.language))
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
        abort(404, f"the set-up has the steps {', '.join(STEPS)}")
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
        game=_progress()["game"],
        cameras=workshop.found_cameras(),
        simulated=bench is not None and bench.simulated,
        has_bench=bench is not None,
        layers=list(reversed(bench.eye.layout.layers)) if bench is not None else [],
        missing=bench.missing() if bench is not None else [],
        has_pin=the_home().access.has_pin,
        address=own_address(),
        trouble=trouble,
    )


@blueprint.post("/setup/<step>")
@needs(OWNER)
def save(step: str) -> AnyResponse | tuple[str, int]:
    """Keep what a step's form says and go on."""
    if step not in STEPS:
        abort(404, f"the set-up has the steps {', '.join(STEPS)}")
    if step == "game":
        _progress()["game"] = _game(request.form)
    elif step in forms.LISTED:
        try:
            the_home().change_settings(forms.changed(step, the_home().settings, request.form))
        except SettingsError as error:
            return show_step(step, str(error)), 400
    elif step == "start":
        return _start()
    tick(step)
    return redirect(url_for("setup.step", step=STEPS[STEPS.index(step) + 1]), 303)


def _game(form: Any) -> dict[str, Any]:
    guilds = [guild for guild in GUILDS if form.get(f"guild.{guild}")]
    players = form.get("players", "3")
    chosen: dict[str, Any] = {"players": int(players) if players in ("1", "2", "3", "4", "5") else 3}
    chosen["guilds"] = guilds if len(guilds) == chosen["players"] else list(GUILDS)[: chosen["players"]]
    return chosen | {name: bool(form.get(name)) for name in VARIANTS}


def _start() -> AnyResponse:
    game = dict(_progress()["game"]) or {"players": 3}
    guilds = tuple(game.pop("guilds", ()))
    the_desk().submit(NewGame(game, guilds))
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
        abort(503, str(error))
    if image is None:
        abort(503, speak(Saying("The camera has not given a picture yet."), g.language))
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
        return None, say_why(error)


def say_why(error: NotLocated) -> Saying:
    """Why the board was not found, for people."""
    return TROUBLES.get(error.reason, OTHER_TROUBLE)


def _outline(view: View) -> list[list[float]]:
    layout = the_bench().eye.layout
    hull = cv2.convexHull(view.project(workshop.board_outline(layout)).astype("float32")).reshape(-1, 2)
    return [[round(float(x), 1), round(float(y), 1)] for x, y in hull]


def _corners(image: Image, view: View | None) -> list[dict[str, Any]]:
    """The six tiles whose middles can be dragged, where they are seen or are to be expected."""
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
    """Where the board lies, by six corners that were dragged; `keep` keeps it."""
    body = request.get_json(silent=True)
    if not isinstance(body, dict) or not _are_points(body.get("pixels")) or not _are_points([body.get("size")]):
        abort(400, "expected size [width, height] and pixels [[x, y], …]")
    width, height = body["size"]
    try:
        view = workshop.view_by_corners(body["pixels"], the_bench().eye.layout, int(width), int(height))
    except (NotLocated, cv2.error, ValueError) as error:
        abort(400, str(error))
    if body.get("keep"):
        the_bench().keep_view(view)
        tick("markers")
    return {"residual": round(view.residual_px, 2), "outline": _outline(view)}


def _are_points(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, list) and len(one) == 2 and all(isinstance(x, int | float) and 0 <= x < 10000 for x in one)
        for one in value
    )
