"""The page's static files: what is named by its hash is cached for good, all else is revalidated at each request."""

from __future__ import annotations

import mimetypes
import re
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from api.static.build import BuildError
from api.static.page import ServedPage

# The operating system's table may say otherwise, and browsers refuse modules of a wrong type.
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("image/svg+xml", ".svg")
mimetypes.add_type("application/manifest+json", ".webmanifest")

ENDINGS = {"br": ".br", "gzip": ".gz"}
"""How a file's name ends that is compressed by this content coding; the smallest goes first."""
NAMED_BY_HASH = re.compile(r"-[0-9A-Z]{8}\.(?:css|js)(?:\.map)?$")
INTERNAL = "server"
"""The folder of what the server itself needs of the page, and nobody else."""


class PageFiles(StaticFiles):
    """The files of a page, `index.html` for the folder itself, each compressed where the browser takes that."""

    def __init__(self, page: ServedPage) -> None:
        super().__init__(directory=page.source, check_dir=False)
        self._page = page

    async def get_response(self, path: str, scope: Scope) -> Response:
        name = "index.html" if path == "." else path
        if Path(name).parts[0] == INTERNAL:
            raise HTTPException(404)
        try:
            folders = await run_in_threadpool(self._folders, name)
        except BuildError as error:
            return PlainTextResponse(f"{error}\n", 503, {"cache-control": "no-store"})
        folder = next((one for one in folders if (one / name).is_file()), folders[0])
        self.all_directories = [folder]
        coding = next((one for one in _accepted(scope) if (folder / f"{name}{ENDINGS[one]}").is_file()), None)
        response = await super().get_response(f"{name}{ENDINGS[coding]}" if coding else name, scope)
        response.headers["vary"] = "accept-encoding"
        response.headers["cache-control"] = (
            "public, max-age=31536000, immutable" if NAMED_BY_HASH.search(name) else "no-cache"
        )
        if coding:
            response.headers["content-encoding"] = coding
        return response

    def _folders(self, name: str) -> list[Path]:
        """Where a file may be. The page's HTML names what it needs, so it is looked at anew; the rest follows."""
        return [self._page.folder()] if name.endswith(".html") else self._page.folders()


def _accepted(scope: Scope) -> list[str]:
    """The content codings that a request accepts. https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3"""
    codings = Headers(scope=scope).get("accept-encoding", "").lower().replace(" ", "").split(",")
    names = {one.partition(";")[0] for one in codings if not re.search(r";q=0(\.0*)?$", one)}
    return [coding for coding in ENDINGS if coding in names]
