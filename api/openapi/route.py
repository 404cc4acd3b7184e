"""A description of a route, which serves both the router and the OpenAPI document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, Response

from api.openapi.document import Answers, problems
from indexer.model import Json


@dataclass(frozen=True, slots=True)
class Route:
    """A route: its path, the name by which programs call it, its successful answers, and the codes
    of its problems. The docstring of the endpoint (a function) describes the route. A route with a
    `body` (from `json_body`) is a POST."""

    path: str
    operation: str
    tag: str
    summary: str
    endpoint: Callable[..., Any]
    answers: Answers
    codes: tuple[str, ...]
    body: Json = field(default_factory=dict)

    def add(self, router: APIRouter) -> None:
        router.add_api_route(
            self.path,
            self.endpoint,
            methods=["POST" if self.body else "GET"],
            operation_id=self.operation,
            tags=[self.tag],
            summary=self.summary,
            description=" ".join((self.endpoint.__doc__ or "").split()),
            response_class=Response,
            responses={**self.answers, **problems(*self.codes)},
            openapi_extra=self.body or None,
        )
