"""The diagnostic view: what is amiss, what mends it at a tap, and what the eye makes of the newest picture."""

from __future__ import annotations

import threading
from typing import Any, Final

from flask import Blueprint, Response, current_app, g, render_template, request

from companion import diagnosis, workshop
from companion.diagnosis import NAMES, Fix
from companion.web.desk import the_desk
from companion.web.forms import BadField
from companion.web.guard import OWNER, needs
from companion.web.home import the_home
from companion.web.languages import speak, speak_all
from companion.web.refusing import refuse, refuse_field
from companion.web.setup import change_settings, the_bench
from engine.sayings import Saying

blueprint = Blueprint("diagnosis", __name__)
PREFIX: Final = "/api/v1/diagnosis"


class Stages:
    """The pictures of the last look; one look at a time, for a whole reading takes a while."""

    def __init__(self) -> None:
        self.pictures: dict[str, bytes] = {}
        self.looking = threading.Lock()


@blueprint.get("/diagnosis")
@needs(OWNER)
def page() -> str:
    """The diagnostic view."""
    return render_template("diagnosis.html", has_bench=current_app.extensions["bench"] is not None)


@blueprint.get(f"{PREFIX}/checks")
@needs(OWNER)
def checks() -> dict[str, Any]:
    """What the running table says of itself, and the list of `companion check` with what mends it at a tap."""
    home = the_home()
    status = the_desk().board.newest().public.get("status", {})
    cameras = workshop.found_cameras()
    found = [
        {
            "name": finding.name,
            "title": NAMES.get(finding.name, finding.name),
            "status": finding.status,
            "found": finding.found,
            "cure": finding.cure or "",
            "fix": finding.fix,
            "fixes": [{"key": fix.key, "say": fix.say} for fix in diagnosis.fixes(finding, home.settings, cameras)],
        }
        for finding in diagnosis.findings(home.settings, home.folder)
    ]
    answer = {"table": list(diagnosis.table_findings(status, the_bench())), "checks": found}
    return dict(speak_all(answer, g.language))


@blueprint.post(f"{PREFIX}/fix")
@needs(OWNER)
def mend() -> dict[str, Any]:
    """Mend a finding by its fix; only what is offered at this moment can be done."""
    body = request.get_json(silent=True)
    key = body.get("key") if isinstance(body, dict) else None
    if not isinstance(key, str):
        refuse_field("key")
    fix = _offered().get(key)
    if fix is None:
        refuse(409, Saying("This is not amiss any more: check again."))
    try:
        change_settings(fix.settings)
    except BadField as error:
        refuse(409, Saying("{what}", {"what": error.say}))
    return {"say": speak(fix.say, g.language)}


def _offered() -> dict[str, Fix]:
    home, cameras = the_home(), workshop.found_cameras()
    found = diagnosis.findings(home.settings, home.folder)
    return {fix.key: fix for finding in found for fix in diagnosis.fixes(finding, home.settings, cameras)}


@blueprint.post(f"{PREFIX}/look")
@needs(OWNER)
def look() -> dict[str, Any]:
    """Let the eye read the newest picture and keep every stage."""
    bench, kept = the_bench(), current_app.extensions["stages"]
    image = bench.session.frame()
    if image is None:
        refuse(503, Saying("The camera has not given a picture yet."))
    if not kept.looking.acquire(blocking=False):
        refuse(409, Saying("The eye is looking already: wait a moment."))
    try:
        found, trouble = diagnosis.look_at(bench, image)
    finally:
        kept.looking.release()
    kept.pictures = {name: picture for name, _, picture in found}
    stages = [{"name": name, "say": say} for name, say, _ in found]
    return dict(speak_all({"stages": stages, "trouble": trouble}, g.language))


@blueprint.get(f"{PREFIX}/stages/<name>.jpg")
@needs(OWNER)
def stage(name: str) -> Response:
    """One stage of the last look."""
    data = current_app.extensions["stages"].pictures.get(name)
    if data is None:
        refuse(404, Saying("Let the eye look first."))
    return Response(data, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})
