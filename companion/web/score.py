"""The page Score: the live score pad, the games that were played, and each of them with plots, exports and a replay."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from typing import Any, cast

from flask import Blueprint, Response, current_app, g, render_template, request

from companion import showing
from companion.chronicle import Archive, Chronicle
from companion.web.guard import SPECTATOR, needs
from companion.web.languages import speak_all
from companion.web.refusing import refuse
from engine.games.ice.cards import GUILDS
from engine.sayings import Saying

blueprint = Blueprint("score", __name__)


def the_archive() -> Archive:
    """The games of the running application."""
    return cast(Archive, current_app.extensions["archive"])


def _chronicle(number: int) -> Chronicle:
    try:
        return the_archive().game(number)
    except KeyError:
        refuse(404, Saying("There is no game {number} in this table's journal.", {"number": number}))


@blueprint.get("/score")
@needs(SPECTATOR)
def overview() -> str:
    """The score now, and all games."""
    games = the_archive().summaries()
    over = [game for game in games if game["state"] == "over" and game["certain"]]
    wins = [
        (guild, sum(guild in game["winners"] for game in over), sum(guild in game["guilds"] for game in over))
        for guild in GUILDS
    ]
    return render_template("score.html", games=games, wins=wins if over else [])


@blueprint.get("/score/<int:number>")
@needs(SPECTATOR)
def game(number: int) -> str:
    """One game: final score pad, plots, replay."""
    found = _chronicle(number)
    told = speak_all(found.told(), g.language)
    shown = {name: told[name] for name in ("guilds", "score_by_day", "ep_by_kind", "digs", "position")}
    shown["steps"] = [moment["say"] for moment in told["moments"]]
    return render_template("game.html", number=number, told=told, shown=shown)


@blueprint.get("/api/v1/games")
@needs(SPECTATOR)
def games() -> dict[str, Any]:
    """All games, the newest first."""
    return {"games": the_archive().summaries()}


@blueprint.get("/api/v1/games/<int:number>")
@needs(SPECTATOR)
def export(number: int) -> dict[str, Any]:
    """One game with every step."""
    return dict(speak_all(_chronicle(number).told(), g.language))


@blueprint.get("/api/v1/games/<int:number>.csv")
@needs(SPECTATOR)
def export_csv(number: int) -> Response:
    """One game as a table, one row per step."""
    out = io.StringIO()
    writer = csv.writer(out)
    for row in speak_all(_chronicle(number).rows(), g.language):
        if isinstance(row[1], float):
            row[1] = datetime.fromtimestamp(row[1], UTC).isoformat(timespec="seconds")
        writer.writerow([_plain(cell) for cell in row])
    headers = {"Content-Disposition": f'attachment; filename="game-{number}.csv"'}
    return Response(out.getvalue(), mimetype="text/csv", headers=headers)


def _plain(cell: Any) -> Any:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in "=+-@\t\r" and cell else cell


@blueprint.get("/api/v1/games/<int:number>/moments")
@needs(SPECTATOR)
def moment(number: int) -> dict[str, Any]:
    """The board after a number of steps, for the replay."""
    found, index = _chronicle(number), request.args.get("after", -1, int)
    if not 0 <= index < len(found.states):
        refuse(404, Saying("This game has the moments 0 to {last}.", {"last": len(found.states) - 1}))
    return {
        "position": showing.public_position(found.game, found.states[index]),
        "lights": showing.lights(found.game, found.states[index]),
        "totals": [str(pad.total) for pad in found.pads(index)],
    }


@blueprint.get("/api/v1/games/<int:number>/layout")
@needs(SPECTATOR)
def layout(number: int) -> dict[str, Any]:
    """Outlines of the game's board."""
    return dict(showing.layout(_chronicle(number).game))
