"""A drawing function for separate processes. This module imports little, because each process
imports it again."""

from __future__ import annotations

import os
import signal

from indexer.model import Json
from replay.export.raster import png


def rasterise(_slug: str, still_input: Json, _language: str) -> bytes:
    """Return a ready-made SVG as a PNG. "killer" kills the process."""
    if still_input["match"] == "killer":
        os.kill(os.getpid(), signal.SIGKILL)
    return png(still_input["match"])
