"""Parses and encodes JSON-RPC messages: the calls in an HTTP request, and their answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from indexer.model import Json


@dataclass(slots=True)
class Calls:
    """The calls in one HTTP request to the node. `batch` is False if the request contains a single
    call and not a list."""

    calls: list[Json]
    batch: bool

    @property
    def methods(self) -> set[str]:
        return {str(call.get("method")) for call in self.calls}

    def call_of(self, answer: Json) -> Json:
        """Return the call that an answer belongs to, or an empty object if there is none."""
        return next((call for call in self.calls if call.get("id") == answer.get("id")), {})


def calls_of(body: bytes) -> Calls:
    """Return the calls in a request's body. Raises ValueError if the body isn't JSON-RPC."""
    payload = orjson.loads(body)
    calls = payload if isinstance(payload, list) else [payload]
    if not all(isinstance(call, dict) for call in calls):
        raise ValueError("a call must be an object")
    return Calls(calls, isinstance(payload, list))


def answers_of(body: bytes) -> list[Json]:
    """Return the answers in the body of a node's response. Raises ValueError if it isn't JSON."""
    payload = orjson.loads(body)
    return payload if isinstance(payload, list) else [payload]


def encode_answers(answers: Sequence[Json], batch: bool) -> bytes:
    """Return the body of a response with these answers. With `batch`, it is a list."""
    return orjson.dumps(answers if batch else answers[0])


def blocks_in(answers: Sequence[Json]) -> list[Json]:
    """Return the blocks in these answers, including the heads that a subscription sends."""
    results = [answer.get("result") or answer.get("params", {}).get("result") for answer in answers]
    return [one for one in results if isinstance(one, dict) and "parentHash" in one]
