"""The files of the built page that the server runs itself or copies into other files.
`api/static/build.mjs` lists them."""

from __future__ import annotations

from pathlib import Path

from api.static import page
from api.static.build import BuildError
from replay.errors import ReplayError


def server_files() -> Path:
    """Return the folder with these files. Raises ReplayError if the page can't be built."""
    try:
        return page.page_to_serve().folder() / page.SERVER
    except BuildError as error:
        raise ReplayError(str(error)) from error
