"""Simulates long series of calls in a few requests, without changing the chain.

The simulation uses `eth_simulateV1`, which is documented at
https://github.com/ethereum/execution-apis/blob/main/src/eth/execute.yaml.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from indexer.model import Event
from tests.contracts.support.contract import Contract
from tests.contracts.support.node import GAS

BATCH_SIZE = 100
"""The number of stories (series of calls) that one request simulates."""

Call = tuple[Any, ...]
"""A call: its sender, the function's name, and the arguments."""


@dataclass(frozen=True)
class SimulatedCall:
    """The result of a simulated call. It is decoded only when a test reads it, because tests don't
    need most results."""

    game: Contract
    function: str
    raw: dict[str, Any]

    @property
    def answer(self) -> Any:
        """The value that the function returned. If the call failed, this is a `Reverted` error."""
        data = self.raw["returnData"]
        return self.game.result(self.function, data) if self.raw["status"] == "0x1" else self.game.decode_error(data)

    @property
    def events(self) -> list[Event]:
        return list(self.game.events(self.raw["logs"]))

    @property
    def gas(self) -> int:
        return int(self.raw["gasUsed"], 16)


def simulate_calls(game: Contract, stories: Iterable[Callable[[int], list[Call]]]) -> Iterator[list[SimulatedCall]]:
    """Simulate each story in its own block. Yield the results of the story's calls.

    A story is a function that takes a match number and returns a list of calls. The calls must open
    the match with this number, and no other matches."""
    waiting = iter(stories)
    while some := list(islice(waiting, BATCH_SIZE)):
        first = game.call("matchRange")[1]
        calls = [story(first + place) for place, story in enumerate(some)]
        blocks = [{"calls": [_call(game, *call) for call in block]} for block in calls]
        answers = game.node.rpc("eth_simulateV1", {"blockStateCalls": blocks}, "latest")
        for block, answer in zip(calls, answers, strict=True):
            yield [SimulatedCall(game, call[1], one) for call, one in zip(block, answer["calls"], strict=True)]


def _call(game: Contract, sender: str, function: str, *args: Any) -> dict[str, str]:
    return {"from": sender, "to": game.address, "data": game.data(function, *args), "gas": hex(GAS // 32)}
