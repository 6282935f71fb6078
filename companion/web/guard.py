"""Who asks, and whether they may: roles, the check of Host and Origin, and the mark that own forms carry.

Every view says with `needs` who may call it; an application with a view that does not say so cannot be made.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, g, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.web.home import the_home
from companion.web.refusing import refuse
from engine.sayings import Saying

NOBODY, SPECTATOR, SEAT, OWNER = range(4)
"""Who came without a link, who may look, who sits at the table, who may change everything."""
ROLE_NAMES: Final = ("nobody", "spectator", "seat", "owner")
OWNER_COOKIE, LINK_COOKIE, FORM_COOKIE = "owner", "link", "form"
YEAR_S: Final = 365 * 24 * 3600
SAFE_METHODS: Final = ("GET", "HEAD", "OPTIONS")

V = TypeVar("V", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who asks."""

    role: int
    seat: str | None = None
    """The guild whose secrets this viewer may see."""

    def may(self, role: int) -> bool:
        """Whether the viewer has at least this role."""
        return self.role >= role


def needs(role: int) -> Callable[[V], V]:
    """Say who may call a view."""

    def mark(view: V) -> V:
        view.least_role = role  # type: ignore[attr-defined]
        return view

    return mark


def role_of(app: Flask, endpoint: str) -> int:
    """Who may call a view."""
    if endpoint == "static":
        return NOBODY
    return int(vars(app.view_functions[endpoint])["least_role"])


def check_views(app: Flask) -> None:
    """Refuse an application with a view that everybody may call because nobody thought of it."""
    for endpoint, view in app.view_functions.items():
        if endpoint != "static" and not hasattr(view, "least_role"):
            raise TypeError(f"expected @needs(...) on the view {endpoint}, got none")


def the_viewer() -> Viewer:
    """Who asks now."""
    return cast(Viewer, g.viewer)


def protect(app: Flask) -> None:
    """Put the checks before every view of an application."""
    check_views(app)
    app.before_request(_check_host)
    app.before_request(_recognise)
    app.before_request(_check_origin)
    app.before_request(_check_role)
    app.after_request(_mark_forms)


def _recognise() -> None:
    access = the_home().access
    token = request.cookies.get(LINK_COOKIE, "")
    seat = access.seat_of(token) if token else None
    if not access.has_pin or access.is_owner(request.cookies.get(OWNER_COOKIE, "")):
        role = OWNER
    elif seat is not None:
        role = SEAT
    elif the_home().open_to_watch or (token and access.is_spectator(token)):
        role = SPECTATOR
    else:
        role = NOBODY
    g.viewer = Viewer(role, seat)
    g.form_mark = request.cookies.get(FORM_COOKIE) or secrets.token_urlsafe(18)


def _check_host() -> None:
    """A page elsewhere could point its own name at this table; only our names and plain addresses are answered."""
    host = urlsplit(f"//{request.host}").hostname or ""
    if host in the_home().names:
        return
    try:
        ipaddress.ip_address(host)
    except ValueError:
        facts = {"host": host[:60], "names": sorted(the_home().names)}
        refuse(400, Saying("This table is not called {host}; open it by its address or as {names}.", facts))


def _check_origin() -> None:
    """Commands come from this table's own page; forms also carry a mark that only our pages know."""
    if request.method in SAFE_METHODS:
        return
    foreign = request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none")
    origin = request.headers.get("Origin")
    if foreign or (origin is not None and urlsplit(origin).netloc != request.host):
        refuse(403, Saying("Commands are taken from this table's own page only."))
    if request.is_json:
        return
    if request.path.startswith("/api/"):
        if request.mimetype in ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain", ""):
            refuse(415)
        return
    given, known = request.form.get("mark", ""), request.cookies.get(FORM_COOKIE, "")
    if not known or not hmac.compare_digest(given.encode(), known.encode()):
        refuse(403, Saying("This form is too old: go back, load the page again and try once more."))


def _check_role() -> AnyResponse | None:
    if request.endpoint is None:
        return None
    least, viewer = role_of(current_app, request.endpoint), the_viewer()
    if viewer.may(least):
        return None
    if request.path.startswith("/api/") or request.method not in SAFE_METHODS or least == SEAT:
        refuse(403, refusal(least))
    return redirect(url_for("door.door", to=request.path), 303)


def refusal(least: int) -> Saying:
    """Why a viewer may not do something that takes this role."""
    if least == OWNER:
        return Saying("This is behind the PIN of the table: give it on the page Access first.")
    if least == SEAT:
        return Saying("Spectators can look but not play: open the link of your seat.")
    return Saying("This table is open to people with a link only: ask for one, or give the PIN.")


def _mark_forms(response: Response) -> Response:
    if FORM_COOKIE not in request.cookies and response.mimetype == "text/html" and "form_mark" in g:
        keep(response, FORM_COOKIE, g.form_mark, strict=True)
    return response


def keep(response: AnyResponse, name: str, value: str, *, strict: bool = False) -> None:
    """Set a cookie that no script can read; a link from elsewhere may bring it along unless `strict`."""
    response.set_cookie(name, value, max_age=YEAR_S, httponly=True, samesite="Strict" if strict else "Lax")
