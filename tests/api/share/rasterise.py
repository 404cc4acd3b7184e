"""A drawing function for tests. It runs in a separate process. This module imports little, because
each process imports it again."""

from __future__ import annotations

import os
import signal

from indexer.model import Json
from replay.export.raster import png


def rasterise(_slug: str, still_input: Json, _language: str) -> bytes:
    """Return the SVG drawing in `match` as a PNG. If `match` is "killer", kill the process."""
    if still_input["match"] == "killer":
        os.kill(os.getpid(), signal.SIGKILL)
    return png(still_input["match"])
