"""The page's static files, revalidated at each request: 304 when unchanged."""

from __future__ import annotations

import hashlib
import mimetypes
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

# The operating system's table may say otherwise, and browsers refuse modules of a wrong type.
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("image/svg+xml", ".svg")
mimetypes.add_type("application/manifest+json", ".webmanifest")

TYPES = {".js": "text/javascript", ".map": "application/json"}

BundledFiles = Callable[[], Mapping[str, bytes]]
"""Returns files that are served instead of those of the same names. May take long: it is called in a worker thread."""


class PageFiles(StaticFiles):
    """The files of a folder, `index.html` for the folder itself; bundled ones go first."""

    def __init__(self, folder: Path, bundled: BundledFiles) -> None:
        super().__init__(directory=folder, html=True, check_dir=False)
        self._bundled = bundled

    async def get_response(self, path: str, scope: Scope) -> Response:
        kind = TYPES.get(Path(path).suffix)
        if kind is None or "/" in path or scope["method"] not in ("GET", "HEAD"):
            return await super().get_response(path, scope)
        body = (await run_in_threadpool(self._bundled)).get(path)
        if body is None:
            return await super().get_response(path, scope)
        response = Response(body, media_type=kind, headers={"etag": _etag(body)})
        unchanged = self.is_not_modified(response.headers, Headers(scope=scope))
        return NotModifiedResponse(response.headers) if unchanged else response


@lru_cache(maxsize=8)
def _etag(body: bytes) -> str:
    """Counted once for what is served again and again."""
    return f'"{hashlib.sha256(body).hexdigest()}"'
