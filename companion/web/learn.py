"""The course: a list of lessons, and one page per lesson that is checked by the rules themselves."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, g, render_template, request

from companion import showing
from companion.lessons import LESSONS, Lesson
from companion.teaching import BadAttempt, play, rules_of, view
from companion.web.guard import SPECTATOR, needs
from companion.web.languages import speak_all, translate
from companion.web.refusing import refuse, refuse_field
from engine.sayings import Saying

blueprint = Blueprint("learn", __name__)


def _lesson(number: int) -> Lesson:
    if not 1 <= number <= len(LESSONS):
        refuse(404, Saying("There are lessons 1 to {count}.", {"count": len(LESSONS)}))
    return LESSONS[number - 1]


@blueprint.get("/learn")
@needs(SPECTATOR)
def course() -> str:
    """All lessons."""
    titles = [translate(lesson.title, g.language) for lesson in LESSONS]
    return render_template("learn.html", titles=titles)


@blueprint.get("/learn/<int:number>")
@needs(SPECTATOR)
def lesson(number: int) -> str:
    """One lesson."""
    found = _lesson(number)
    return render_template(
        "lesson.html",
        number=number,
        count=len(LESSONS),
        title=translate(found.title, g.language),
        text=[translate(text, g.language) for text in found.text],
        task=translate(found.task, g.language),
        rules=speak_all(rules_of(found), g.language),
    )


@blueprint.post("/api/v1/learn/<int:number>")
@needs(SPECTATOR)
def step(number: int) -> dict[str, Any]:
    """Judge an attempt: `done` are the lines that stand, `attempt` the next one, `spot` what was tapped."""
    body = request.get_json(silent=True)
    if not isinstance(body, dict):
        refuse(400)
    done, attempt, spot = body.get("done", []), body.get("attempt"), body.get("spot")
    if not isinstance(done, list) or not all(isinstance(line, str) for line in done):
        refuse_field("done")
    if not all(value is None or isinstance(value, str) for value in (attempt, spot)):
        refuse_field("attempt" if isinstance(spot, str | None) else "spot")
    found = _lesson(number)
    try:
        answer = view(found, play(found, done, attempt), spot)
    except BadAttempt as error:
        refuse(
            400, Saying("This step does not belong to the lesson; start it again. ({detail})", {"detail": str(error)})
        )
    return dict(speak_all(answer, g.language))


@blueprint.get("/api/v1/learn/<int:number>/layout")
@needs(SPECTATOR)
def layout(number: int) -> dict[str, Any]:
    """Outlines of the lesson's board."""
    return dict(showing.layout(play(_lesson(number), [], None).game))
