"""`companion run`: the companion itself: follows the game on the table and serves the page."""

from __future__ import annotations

import argparse
import logging
import signal
import socket
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import segno

from companion.access import AccessError
from companion.bench import Bench
from companion.bootstrap import Simulation, bench_of, open_session
from companion.cli import UserError
from companion.journal import JournalError
from companion.led_map import LedMapError
from companion.session import Session
from companion.settings import Settings, SettingsError, load
from companion.watchdog import Watchdog
from companion.web import create_app
from companion.web.home import SETTINGS_FILE, Home
from companion.web.server import open_server
from engine.documents import DataError
from hardware.errors import HardwareError
from vision.enrolment import EnrolmentError

HELP = "start the companion: follow the game on the table and serve the page"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the data are, where the page is, and which table is simulated."""
    parser.add_argument("--data", type=Path, default=Path("var"), metavar="DIR", help="the table's folder")
    parser.add_argument("--port", type=int, metavar="N", help="port of the page, instead of the one in the settings")
    parser.add_argument("--host", metavar="ADDRESS", help="address to listen on, instead of the one in the settings")
    parser.add_argument("--players", type=int, default=3, metavar="N", help="players of a simulated game (default: 3)")
    parser.add_argument(
        "--condition", choices=("mild", "medium", "harsh"), default="mild", help="light on the simulated table"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="which simulated table (default: 1)")


def run(args: argparse.Namespace) -> int:
    """Start everything; ends with a signal."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    data: Path = args.data
    if not 1 <= args.players <= 5:
        raise UserError(f"--players: expected 1 to 5, got {args.players}")
    try:
        settings = load(data / SETTINGS_FILE)
        host, port = args.host or settings.page.host, args.port or settings.page.port
        home = Home.of(data, addresses(host, port))
        session = open_session(data, settings, Simulation(args.players, args.condition, args.seed))
    except (SettingsError, JournalError, AccessError, DataError, HardwareError, EnrolmentError, LedMapError) as error:
        raise UserError(str(error)) from error
    except OSError as error:
        raise UserError(f"{data}: cannot be used ({error}); choose another folder with --data") from error
    bench = bench_of(session, home.folder or Path(), settings, Simulation(args.players, args.condition, args.seed))
    return _serve(session, _listen(session, home, bench, host, port), settings)


def _listen(session: Session, home: Home, bench: Bench, host: str, port: int) -> Any:
    try:
        server = open_server(create_app(session, home, bench), host, port)
    except OSError as error:
        session.lamps.close()
        raise UserError(
            f"port {port} cannot be used ({error.strerror}): is a companion running already? Choose another with --port"
        ) from error
    print(f"The page is at {' or '.join(home.addresses)}", flush=True)
    if sys.stdout.isatty():
        segno.make(home.addresses[0]).terminal(compact=True)
    return server


def addresses(host: str, port: int) -> tuple[str, ...]:
    """Where the page can be opened, best for a phone first."""
    own = f"http://localhost:{port}/"
    if host not in ("0.0.0.0", "::"):
        return (own,)
    outward = own_address()
    return (*([f"http://{outward}:{port}/"] if outward else []), f"http://{socket.gethostname()}.local:{port}/", own)


def own_address() -> str:
    """The address of this machine in its network; empty without one. Nothing is sent."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # a documentation address: only the way out is looked up
            return str(probe.getsockname()[0])
    except OSError:
        return ""


def _serve(session: Session, server: Any, settings: Settings) -> int:
    watchdog, stop = Watchdog(), threading.Event()
    game = threading.Thread(target=session.run, args=(stop, watchdog.beat), name="session", daemon=True)

    def end(_signal: int, _frame: FrameType | None) -> None:
        raise SystemExit(0)

    signal.signal(signal.SIGTERM, end)
    game.start()
    watchdog.ready(f"following the table {settings.page.name}")
    try:
        server.run()
    finally:
        watchdog.stopping()
        stop.set()
        game.join(5.0)
        server.close()
    return 0
