"""A drawing function for processes of their own, in a module that imports little: each of them imports it anew."""

from __future__ import annotations

import os
import signal

from indexer.model import Json
from replay.export.raster import png


def rasterise(_slug: str, still_input: Json, _language: str) -> bytes:
    """The PNG of an SVG that is there. "killer" kills the process."""
    if still_input["match"] == "killer":
        os.kill(os.getpid(), signal.SIGKILL)
    return png(still_input["match"])
