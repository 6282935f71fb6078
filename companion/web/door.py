"""The page Access: the PIN, links for seats and spectators, and the table's address as a QR code."""

from __future__ import annotations

import io
from math import ceil
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.access import AccessError, TryLater
from companion.web.desk import the_desk
from companion.web.guard import LINK_COOKIE, NOBODY, OWNER, OWNER_COOKIE, SPECTATOR, keep, needs, the_viewer
from companion.web.home import the_home
from companion.web.languages import speak
from companion.web.refusing import refuse
from engine.sayings import Saying

blueprint = Blueprint("door", __name__)


def own_address() -> str:
    """Where other devices reach this page: as it was asked for, unless that only works on this machine."""
    host = urlsplit(request.host_url).hostname or ""
    if the_home().addresses and (host in ("localhost", "::1") or host.startswith("127.")):
        return the_home().addresses[0].rstrip("/")
    return request.host_url.rstrip("/")


def _safe_path(wanted: str) -> str:
    return wanted if wanted.startswith("/") and not wanted.startswith(("//", "/\\")) else "/"


def _seats() -> list[str]:
    return list(the_desk().board.newest().private)


@blueprint.get("/access")
@needs(NOBODY)
def door(trouble: Saying | None = None) -> str:
    """Who you are here, the PIN, and for the owner all links."""
    access, viewer = the_home().access, the_viewer()
    links = access.seat_links(_seats()) if viewer.may(OWNER) else {}
    return render_template(
        "access.html",
        viewer=viewer,
        has_pin=access.has_pin,
        open_to_watch=the_home().open_to_watch,
        trouble=speak(trouble, g.language) if trouble else "",
        to=_safe_path(request.values.get("to", "/")),
        address=own_address(),
        addresses=the_home().addresses,
        seats={seat: f"{own_address()}/seat/{token}" for seat, token in links.items()},
        watch=f"{own_address()}/watch/{access.watch_link()}" if viewer.may(OWNER) else "",
    )


@blueprint.post("/access/enter")
@needs(NOBODY)
def enter() -> AnyResponse | tuple[str, int]:
    """Give the PIN."""
    try:
        token = the_home().access.let_in(request.form.get("pin", ""), request.remote_addr or "")
    except TryLater as error:
        wait = Saying("Too many wrong PINs: wait {count} {count:second|seconds}.", {"count": ceil(error.wait_s)})
        return door(wait), 429
    except AccessError:
        return door(Saying("This is not the PIN of the table.")), 403
    answer = redirect(_safe_path(request.form.get("to", "/")), 303)
    keep(answer, OWNER_COOKIE, token)
    return answer


@blueprint.post("/access/pin")
@needs(OWNER)
def set_pin() -> AnyResponse | tuple[str, int]:
    """Set a new PIN, or take it away when none is given."""
    access, pin = the_home().access, request.form.get("pin", "")
    answer = redirect(_safe_path(request.form.get("to", url_for("door.door"))), 303)
    if not pin and request.form.get("clear"):
        access.clear_pin()
        return answer
    try:
        access.set_pin(pin)
    except AccessError:
        return door(Saying("A PIN has 4 to 32 digits and nothing else.")), 400
    keep(answer, OWNER_COOKIE, access.welcome())
    return answer


@blueprint.post("/access/renew")
@needs(OWNER)
def renew() -> AnyResponse:
    """Make all links anew."""
    the_home().access.renew_links()
    return redirect(url_for("door.door"), 303)


@blueprint.post("/access/leave")
@needs(NOBODY)
def leave() -> AnyResponse:
    """Forget on this device who it was."""
    the_home().access.let_out(request.cookies.get(OWNER_COOKIE, ""))
    answer = redirect(url_for("door.door"), 303)
    answer.delete_cookie(OWNER_COOKIE)
    answer.delete_cookie(LINK_COOKIE)
    return answer


@blueprint.get("/seat/<token>")
@needs(NOBODY)
def sit_down(token: str) -> AnyResponse:
    """Follow the link of a seat."""
    if the_home().access.seat_of(token) is None:
        refuse(404, Saying("This link is not valid any more: ask for a new one."))
    answer = redirect(url_for("pages.play"), 303)
    keep(answer, LINK_COOKIE, token)
    return answer


@blueprint.get("/watch/<token>")
@needs(NOBODY)
def watch(token: str) -> AnyResponse:
    """Follow the link of spectators."""
    if not the_home().access.is_spectator(token):
        refuse(404, Saying("This link is not valid any more: ask for a new one."))
    answer = redirect(url_for("pages.play"), 303)
    keep(answer, LINK_COOKIE, token)
    return answer


def _qr(text: str) -> Response:
    drawn = io.BytesIO()
    segno.make(text, error="m", micro=False).save(drawn, kind="svg", scale=4, dark="#000", light="#fff", xmldecl=False)
    return Response(drawn.getvalue(), mimetype="image/svg+xml", headers={"Cache-Control": "no-store"})


@blueprint.get("/qr/page.svg")
@needs(SPECTATOR)
def qr_page() -> Response:
    """The address of this page."""
    return _qr(own_address() + "/")


@blueprint.get("/qr/watch.svg")
@needs(OWNER)
def qr_watch() -> Response:
    """The link of spectators."""
    return _qr(f"{own_address()}/watch/{the_home().access.watch_link()}")


@blueprint.get("/qr/seat/<seat>.svg")
@needs(OWNER)
def qr_seat(seat: str) -> Response:
    """The link of a seat."""
    if seat not in _seats():
        refuse(404, Saying("Nobody sits there."))
    return _qr(f"{own_address()}/seat/{the_home().access.seat_links([seat])[seat]}")
