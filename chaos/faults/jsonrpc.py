"""JSON-RPC as it passes: the calls of an HTTP request, and the answers to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from indexer.model import Json


@dataclass(slots=True)
class Calls:
    """An HTTP request to the node: one call, or a batch of them."""

    calls: list[Json]
    batch: bool

    @property
    def methods(self) -> set[str]:
        return {str(call.get("method")) for call in self.calls}

    def call_of(self, answer: Json) -> Json:
        """The call that an answer is to; an empty one when there is none."""
        return next((call for call in self.calls if call.get("id") == answer.get("id")), {})


def calls_of(body: bytes) -> Calls:
    """What a request's body asks. Raises ValueError for what is no JSON-RPC."""
    payload = orjson.loads(body)
    calls = payload if isinstance(payload, list) else [payload]
    if not all(isinstance(call, dict) for call in calls):
        raise ValueError("a call is an object")
    return Calls(calls, isinstance(payload, list))


def answers_of(body: bytes) -> list[Json]:
    """The answers in a node's response. Raises ValueError for what is no JSON."""
    payload = orjson.loads(body)
    return payload if isinstance(payload, list) else [payload]


def packed(answers: Sequence[Json], batch: bool) -> bytes:
    """The body that carries these answers."""
    return orjson.dumps(answers if batch else answers[0])


def blocks_in(answers: Sequence[Json]) -> list[Json]:
    """The blocks in these answers, a subscription's heads included."""
    results = [answer.get("result") or answer.get("params", {}).get("result") for answer in answers]
    return [one for one in results if isinstance(one, dict) and "parentHash" in one]
