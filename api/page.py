"""The page: static files, asked for anew each time and answered 304 when unchanged."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from starlette.staticfiles import StaticFiles

# The operating system's table may say otherwise, and browsers refuse modules of a wrong type.
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("image/svg+xml", ".svg")


def files(folder: Path) -> StaticFiles:
    """The files of this folder, `index.html` for the folder itself."""
    return StaticFiles(directory=folder, html=True, check_dir=False)
