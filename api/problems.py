"""Problem documents (RFC 9457): the only module that turns errors into HTTP responses."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import Match

from indexer.store.db.engine import StoreError

log = logging.getLogger("chainboard.api")

MEDIA_TYPE = "application/problem+json"


class Problem(Exception):
    """An answer that is not what was asked for: an HTTP status, a stable code, a sentence, and the values behind it."""

    def __init__(
        self, status: int, code: str, detail: str, headers: Mapping[str, str] | None = None, **values: Any
    ) -> None:
        super().__init__(detail)
        self.status, self.code, self.detail = status, code, detail
        self.headers, self.values = dict(headers or {}), values

    def document(self) -> dict[str, Any]:
        """Its JSON. `type` is left at about:blank, so `title` is the status's phrase; `code` names the case."""
        title = HTTPStatus(self.status).phrase
        own = {"type": "about:blank", "title": title, "status": self.status, "detail": self.detail, "code": self.code}
        return {**own, **self.values}

    def response(self) -> Response:
        body = orjson.dumps(self.document())
        return Response(body, self.status, headers=self.headers, media_type=MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Makes every error of this app a problem document."""
    app.add_exception_handler(Problem, _problem)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _validation)
    app.add_exception_handler(StoreError, _unreadable)
    app.add_exception_handler(Exception, _unexpected)


def _problem(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    return error.response()


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = {name.lower(): value for name, value in (error.headers or {}).items()}
    path, allow = request.url.path, _allowed(request) or headers.get("allow", "GET, HEAD")
    sentences = {
        404: ("not-found", f"There is nothing at {path}."),
        405: ("method-not-allowed", f"{request.method} is not possible at {path}; possible: {allow}."),
    }
    code, detail = sentences.get(error.status_code, ("refused", str(error.detail)))
    if error.status_code == 405:
        headers = {**headers, "allow": allow}
    return Problem(error.status_code, code, detail, headers).response()


def _allowed(request: Request) -> str:
    """The methods of all `app.state.routes` with this path, where there are any: a router names those of its first one
    only."""
    routes = getattr(request.app.state, "routes", ())
    matching = (route for route in routes if route.matches(request.scope)[0] != Match.NONE)
    return ", ".join(sorted({method for route in matching for method in getattr(route, "methods", None) or ()}))


def _unreadable(_request: Request, error: Exception) -> Response:
    log.error("%s", error)
    return Problem(503, "unreadable", "The database can't be read at the moment.", {"retry-after": "1"}).response()


def _validation(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    found = [
        {"in": str(one["loc"][0]), "name": ".".join(map(str, one["loc"][1:])), "detail": _sentence(one)}
        for one in error.errors()
    ]
    detail = " ".join(f"{one['name'] or one['in']}: {one['detail']}." for one in found)
    return Problem(422, "bad-parameter", detail, errors=found).response()


def _sentence(error: Mapping[str, Any]) -> str:
    """pydantic's message, without its prefix for errors that we raised ourselves."""
    return str(error["msg"]).removeprefix("Value error, ").rstrip(".")


def _unexpected(request: Request, _error: Exception) -> Response:
    return failure(request.url.path).response()


def failure(path: str) -> Problem:
    """A fault of ours."""
    return Problem(500, "internal-error", f"The server failed at {path}; its log says more.")
