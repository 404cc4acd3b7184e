"""Serves the page's static files. Browsers cache files with a hash in their name forever. For any
other file, they ask at each request whether the file has changed."""

from __future__ import annotations

import mimetypes
import re
from itertools import product
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from api.static.build import BuildError
from api.static.page import SERVER, ServedPage

# The operating system's list of types can differ from these types, and browsers reject modules with
# a wrong type.
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("image/svg+xml", ".svg")
mimetypes.add_type("application/manifest+json", ".webmanifest")

ENCODING_SUFFIXES = {"br": ".br", "gzip": ".gz"}
"""The file suffix for each content coding. The first coding compresses best."""
FOREVER = "public, max-age=31536000, immutable"
HASHED_NAME = re.compile(r"-[0-9A-Z]{8}\.(?:css|js)(?:\.map)?$")


class PageFiles(StaticFiles):
    """Serves the files of a page, and `index.html` for the folder itself. Browsers that accept
    compressed files get compressed files."""

    def __init__(self, page: ServedPage) -> None:
        super().__init__(directory=page.source, check_dir=False)
        self._page = page

    async def get_response(self, path: str, scope: Scope) -> Response:
        name = "index.html" if path == "." else path
        if Path(name).parts[0] == SERVER:
            raise HTTPException(404)
        try:
            folders = await run_in_threadpool(self._folders, name)
        except BuildError as error:
            return PlainTextResponse(f"{error}\n", 503, {"cache-control": "no-store"})
        for folder, coding in product(folders, (*_accepted(scope), None)):
            try:
                response = await _file_of(folder, f"{name}{ENCODING_SUFFIXES[coding] if coding else ''}", scope)
            except HTTPException as error:
                if error.status_code != 404:
                    raise
                continue
            response.headers["vary"] = "accept-encoding"
            response.headers["cache-control"] = FOREVER if HASHED_NAME.search(name) else "no-cache"
            if coding:
                response.headers["content-encoding"] = coding
            return response
        raise HTTPException(404)

    def _folders(self, name: str) -> list[Path]:
        """Return the folders of the builds that can contain this file. For HTML, return only the
        newest build, which is built if necessary. Pages that were loaded earlier request files from
        older builds."""
        return [self._page.folder()] if name.endswith(".html") else self._page.folders()


async def _file_of(folder: Path, name: str, scope: Scope) -> Response:
    return await StaticFiles(directory=folder, check_dir=False).get_response(name, scope)


def _accepted(scope: Scope) -> list[str]:
    """Return the content codings that a request accepts
    (https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3)."""
    codings = Headers(scope=scope).get("accept-encoding", "").lower().replace(" ", "").split(",")
    names = {one.partition(";")[0] for one in codings if not re.search(r";q=0(\.0*)?$", one)}
    return [coding for coding in ENCODING_SUFFIXES if coding in names]
