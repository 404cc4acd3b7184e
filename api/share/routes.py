"""The routes outside /api for shared links: `/m/GAME/ID[@SEQ]`, its picture, and
`/embed/GAME/ID`."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.routing import BaseRoute, Route

from api.net.origin import Site
from api.problems import Problem
from api.rest.writes import client_of, until_disconnected
from api.share import links
from api.share.document import not_found, preview
from api.share.links import BadLink, SharedBoard
from api.share.pictures import FAILED_SECONDS, Busy, PictureCache, PictureError
from api.share.wanted_language import wanted_language
from api.static.files import PageFiles
from indexer.gamekit.game import Game
from indexer.model import Json
from indexer.store.store import Store

PICTURE = ".png"
RETRY_SECONDS = 5


class ShareRoutes:
    """Serves the pages and pictures of shared links. If `pictures` is None, the pages have no
    pictures. The URLs in the pages start with `public`. If that is None, they start with the site
    that the request names."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game],
        files: PageFiles,
        pictures: PictureCache | None,
        public: Site | None = None,
    ) -> None:
        self._store, self._games, self._files, self._pictures = store, games, files, pictures
        self._public = public

    def table(self) -> list[BaseRoute]:
        return [Route("/m/{path:path}", self.link), Route("/embed/{path:path}", self.embed)]

    async def link(self, request: Request) -> Response:
        """Return the picture of a match if the path ends with .png. Otherwise, return a page that
        describes the match and leads to it."""
        path, language, root = request.path_params["path"], _language(request), _root(request)
        if path.endswith(PICTURE):
            return await self._picture(path.removesuffix(PICTURE), request, language)
        try:
            shared = await run_in_threadpool(self._find, path, language)
        except BadLink as error:
            return not_found(language, str(error), root)
        found = await run_in_threadpool(self._store.nicknames.of, shared.players)
        nicknames = {one.account: one.name for one in found}
        url = f"{self._site(request)}/m/{shared.path}"
        picture = f"{url}{PICTURE}?language={language}" if self._pictures else None
        title, description = shared.title(language), shared.description(language, nicknames)
        return preview(language, title, description, url, picture, root, f"{root}#/match/{shared.path}")

    async def embed(self, request: Request) -> Response:
        """Return the page for frames, which shows a board and its timeline without a wallet."""
        language = _language(request)
        try:
            await run_in_threadpool(self._find, request.path_params["path"], language)
        except BadLink as error:
            return not_found(language, str(error), _root(request))
        return await self._files.get_response("embed.html", request.scope)

    async def _picture(self, path: str, request: Request, language: str) -> Response:
        if self._pictures is None:
            raise Problem(404, "not-found.pictures")
        try:
            key, slug, still_input = await run_in_threadpool(self._still, path, language, self._site(request))
        except BadLink:
            raise Problem(404, "unknown-match", {"match": path[:60]}) from None
        headers = {"etag": f'"{key}"', "vary": "accept-language"}
        if f'"{key}"' in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        try:
            drawing = self._pictures.get(key, slug, still_input, language, client_of(request))
            file = await until_disconnected(request, drawing)
        except Busy:
            raise Problem(503, "busy", headers={"retry-after": str(RETRY_SECONDS)}) from None
        except PictureError:
            raise Problem(503, "no-picture", headers={"retry-after": str(FAILED_SECONDS)}) from None
        return Response(file, media_type="image/png", headers=headers)

    def _find(self, path: str, language: str) -> SharedBoard:
        game, _, link = path.partition("/")
        with self._store.read() as snapshot:
            return links.find(snapshot, self._games, game, link, language)

    def _site(self, request: Request) -> str:
        return str(self._public or f"{request.url.scheme}://{request.url.netloc}")

    def _still(self, path: str, language: str, site: str) -> tuple[str, str, Json]:
        game, _, link = path.partition("/")
        with self._store.read() as snapshot:
            shared = links.find(snapshot, self._games, game, link, language)
            still_input = {**links.still_input(snapshot, shared), "site": site.partition("://")[2]}
            return links.picture_key(shared, language, site), game, still_input


def _root(request: Request) -> str:
    """Return the relative path from a page to the site's root. An absolute path would be wrong
    behind a proxy that serves the site under a prefix, because the server might not know the
    prefix."""
    raw: bytes = request.scope["raw_path"]
    return "../" * (raw.count(b"/") - 1)


def _language(request: Request) -> str:
    """Return the language that the URL names or, if it names none, the browser's language. The URLs
    of pictures name the language, because preview services request them without the reader's
    browser."""
    return wanted_language(request.query_params.get("language") or request.headers.get("accept-language", ""))
