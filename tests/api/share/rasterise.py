"""A drawing function for tests. Each worker process imports this module again, so the module
imports as little as possible."""

from __future__ import annotations

import os
import signal

from indexer.model import Json
from replay.export.raster import png


def rasterise(_slug: str, still_input: Json, _language: str) -> bytes:
    """Return the SVG drawing in `match` as a PNG. If `match` is "killer", kill the worker
    process."""
    if still_input["match"] == "killer":
        os.kill(os.getpid(), signal.SIGKILL)
    return png(still_input["match"])
