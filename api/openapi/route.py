"""A route: what can be asked at a path, as the router and the OpenAPI document take it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, Response

from api.openapi.document import Answers, problems
from indexer.model import Json


@dataclass(frozen=True, slots=True)
class Route:
    """What can be asked at a path: its name for programs, its good answers, and the codes of its problems. The
    endpoint's docstring is its description. One with a `body` (as `json_body` makes it) is a POST."""

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
