"""Many calls one after the other as if they were sent, in few requests; afterwards nothing has happened.

By `eth_simulateV1`: https://github.com/ethereum/execution-apis/blob/main/src/eth/execute.yaml
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from indexer.model import Event
from tests.contracts.deployed import Contract
from tests.contracts.node import GAS

TOGETHER = 100
"""Stories in one request."""

Call = tuple[Any, ...]
"""Sender, function, arguments."""


@dataclass(frozen=True)
class Tried:
    """What one call came to: `answer` is the function's, or why it was refused."""

    answer: Any
    events: Callable[[], list[Event]]
    gas: int


def tried(game: Contract, stories: Iterable[Callable[[int], list[Call]]]) -> Iterator[list[Tried]]:
    """Each story in a block of its own. It is told the number of the next match, and opens exactly one."""
    waiting = iter(stories)
    while some := list(islice(waiting, TOGETHER)):
        first = game.call("matchRange")[1]
        calls = [story(first + place) for place, story in enumerate(some)]
        blocks = [{"calls": [_call(game, *call) for call in block]} for block in calls]
        answers = game.anvil.rpc("eth_simulateV1", {"blockStateCalls": blocks}, "latest")
        for block, answer in zip(calls, answers, strict=True):
            yield [_tried(game, call[1], one) for call, one in zip(block, answer["calls"], strict=True)]


def _call(game: Contract, sender: str, function: str, *args: Any) -> dict[str, str]:
    return {"from": sender, "to": game.address, "data": game.data(function, *args), "gas": hex(GAS // 32)}


def _tried(game: Contract, function: str, call: dict[str, Any]) -> Tried:
    data = call["returnData"]
    answer = game.result(function, data) if call["status"] == "0x1" else game.refusal(data)
    return Tried(answer, lambda: list(game.events(call["logs"])), int(call["gasUsed"], 16))
