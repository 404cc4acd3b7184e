"""Problem documents (RFC 9457). Only this module turns errors into HTTP responses."""

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

from api.static.texts import text
from indexer.sanitize import printable
from indexer.store.db.engine import StoreError

log = logging.getLogger("chainboard.api")

MEDIA_TYPE = "application/problem+json"


class Rejection(Exception):
    """A rejection with a sentence from the page's texts: the text `problem.<key>`, with `arguments`
    filled in. The part of the key before its first dot is the `code`."""

    def __init__(self, key: str, arguments: Mapping[str, str | int] | None = None) -> None:
        self.key, self.code = key, key.partition(".")[0]
        self.arguments = {
            name: printable(one) if isinstance(one, str) else one for name, one in (arguments or {}).items()
        }
        self.detail = text("en", f"problem.{key}", **self.arguments)
        super().__init__(self.detail)

    def words(self) -> dict[str, Any]:
        """Return the English sentence, the `code`, and the key and arguments for translations."""
        return {"detail": self.detail, "code": self.code, "key": self.key, "args": self.arguments}


class Problem(Rejection):
    """A rejection that becomes an HTTP error response with this status. `values` are further
    members of the problem document."""

    def __init__(
        self,
        status: int,
        key: str,
        arguments: Mapping[str, str | int] | None = None,
        headers: Mapping[str, str] | None = None,
        **values: Any,
    ) -> None:
        super().__init__(key, arguments)
        self.status = status
        self.headers, self.values = dict(headers or {}), values

    def document(self) -> dict[str, Any]:
        """Return the problem document as JSON. `type` is always about:blank, so `title` is the
        phrase of the HTTP status. `code` identifies this kind of problem."""
        title = HTTPStatus(self.status).phrase
        return {"type": "about:blank", "title": title, "status": self.status, **self.words(), **self.values}

    def response(self) -> Response:
        body = orjson.dumps(self.document())
        return Response(body, self.status, headers=self.headers, media_type=MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Turn every error of this app into a problem document."""
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
    if error.status_code == 404:
        return Problem(404, "not-found", {"path": path}).response()
    if error.status_code == 405:
        arguments = {"method": request.method, "path": path, "allow": allow}
        return Problem(405, "method-not-allowed", arguments, {**headers, "allow": allow}).response()
    return Problem(error.status_code, "refused", {"why": str(error.detail)}, headers).response()


def _allowed(request: Request) -> str:
    """Return the methods of all routes with this path, for the Allow header. A router would return
    only the methods of its first matching route."""
    routes = getattr(request.app.state, "routes", ())
    matching = (route for route in routes if route.matches(request.scope)[0] != Match.NONE)
    return ", ".join(sorted({method for route in matching for method in getattr(route, "methods", None) or ()}))


def _unreadable(_request: Request, error: Exception) -> Response:
    log.error("%s", error)
    return Problem(503, "unreadable", headers={"retry-after": "1"}).response()


def _validation(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    found = [
        {"in": str(one["loc"][0]), "name": ".".join(map(str, one["loc"][1:])), "detail": _sentence(one)}
        for one in error.errors()
    ]
    detail = " ".join(f"{one['name'] or one['in']}: {one['detail']}." for one in found)
    return Problem(422, "bad-parameter", {"why": detail}, errors=found).response()


def _sentence(error: Mapping[str, Any]) -> str:
    """Return pydantic's message about an invalid value. If one of our validators raised the error,
    remove pydantic's prefix."""
    return str(error["msg"]).removeprefix("Value error, ").rstrip(".")


def _unexpected(request: Request, _error: Exception) -> Response:
    return failure(request.url.path).response()


def failure(path: str) -> Problem:
    """Return the problem that reports a bug in the server."""
    return Problem(500, "internal-error", {"path": path})
