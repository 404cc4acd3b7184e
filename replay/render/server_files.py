"""What the server itself runs or quotes of the built page: `api/static/build.mjs` lists it."""

from __future__ import annotations

from pathlib import Path

from api.static import page
from api.static.build import BuildError
from replay.errors import ReplayError


def server_files() -> Path:
    """Its folder. Raises ReplayError when the page can't be built."""
    try:
        return page.served().folder() / page.SERVER
    except BuildError as error:
        raise ReplayError(str(error)) from error
