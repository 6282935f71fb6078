"""The production server: waitress, set up for many listeners that stay for hours."""

from __future__ import annotations

from typing import Any, Final

from flask import Flask

THREADS: Final = 128
"""Every open page keeps one thread busy with its live stream; the rest answer everything else."""
CONNECTIONS: Final = 400
"""Open pages and what they fetch beside their streams."""
BUFFER_BYTES: Final = 64 * 1024
"""What is kept of a stream before a fresh buffer is taken; the usual 16 MB would be kept for every listener."""


def open_server(app: Flask, host: str, port: int) -> Any:
    """A server that listens; OSError when the port cannot be used."""
    from waitress import create_server

    return create_server(
        app,
        host=host,
        port=port,
        threads=THREADS,
        connection_limit=CONNECTIONS,
        outbuf_high_watermark=BUFFER_BYTES,
        ident="icelight",
    )
