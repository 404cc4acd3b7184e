"""Tests that the Deblockle contract pays out exactly what was deposited, in whole random matches.

The number of cubes, the ruleset, the stake and the thinking times are random, and the players also
withdraw during play. The node simulates each match block by block, at the times that the model
uses, without storing anything.

- Given random matches that are cancelled, or that end with a win, a draw, a resignation, a timeout
  or a deposit that has streamed back completely
  - When a player makes any call
    - The contract should emit the events that the model predicts
    - The contract should never have paid more than was deposited
    - No player should have received more than their share
  - When a match has ended and both players have withdrawn
    - The contract should have paid exactly what was deposited
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.contracts.models.deblockle import OPEN, PLAYING, REASON, DeblockleMatch, DeblockleRevert, Events
from tests.contracts.models.deblockle_board import STEPS
from tests.contracts.support.contract import Contract
from tests.contracts.support.matches.deblockle import NOBODY
from tests.contracts.support.node import GAS, Node

CONTRACT = "Deblockle"
BATCH_SIZE = 10
"""The number of matches that one request simulates."""
RICH = 2**110
TERMS = ((60, 1), (61, 1), (1000, 2), (1000, 3), (10**18, 10**15), (10**18 + 7, 10**16), (2**96 - 1, (2**96 - 1) // 60))
TILL = "0x" + 37 * "0" + "7a1"
"""The address of a contract that returns the game's balance."""


@dataclass
class Step:
    """A call that has its own block, and the events that the model predicts for the call."""

    time: int
    sender: str
    call: tuple[Any, ...]
    value: int
    events: Events


class Story:
    """A random match that is played on the model. Its steps are simulated on the contract later."""

    def __init__(self, rng: random.Random, number: int, players: list[str], time: int) -> None:
        self.rng, self.players, self.time = rng, players, time
        self.steps: list[Step] = []
        self.stake, rate = rng.choice(TERMS)
        clock = rng.choice([60, 90, 600, 100_000])
        match = self.match = DeblockleMatch(
            number, [NOBODY, NOBODY], rng.choice([1, 1, 2, 3, 4]), rng.randint(0, 1), NOBODY, self.stake, rate, clock
        )
        self.thinking = rng.choice([1, 5, 30, 200])
        host, guest = players
        terms = (NOBODY, match.size, match.ruleset, NOBODY, match.stake, match.rate, clock, 0)
        self._step(host, "create", *terms, value=self.stake, play=lambda: match.create(host, self.stake))
        if rng.random() < 0.05:
            self._step(host, "cancel", number, play=lambda: match.cancel(host))
        else:
            self._step(
                guest, "join", number, *match.terms, value=self.stake,
                play=lambda: match.join(guest, match.terms, self.stake, self.time),
            )  # fmt: skip
        plies, passing = rng.choice([1, 20, 120, 120]), rng.choice([0, 0.1, 0.8])
        while match.status == PLAYING:
            if match.ply > plies and rng.random() < 0.3:
                player = rng.choice(players)
                self._step(player, "resign", number, play=lambda who=player: match.resign(who, self.time))
            elif match.deadline <= self.time + 1 and rng.random() < 0.7:
                self._step(guest, "claimTimeout", number, play=lambda: match.claim_timeout(self.time))
            else:
                self._ply(passing)
            self._withdraw(rng.choice(players), 0.2)
        for player in rng.sample(players, 2):
            self._withdraw(player, 1)

    def _ply(self, passing: float) -> None:
        match, rng, cubes = self.match, self.rng, self.match.cubes
        who, ply = match.seats[cubes.mover], match.ply
        self.time += rng.randint(0, self.thinking)
        rolls = cubes.rolls(cubes.mover)
        if cubes.may_pass() and (rng.random() < passing or (cubes.hopper is None and not rolls)):
            self._step(who, "passMove", match.number, ply, play=lambda: match.skip(who, ply, self.time))
            return
        if cubes.hopper is None:
            home = [roll for roll in rolls if cubes.leads_home(*roll)]
            number, direction = rng.choice(home or rolls)
            start, (dx, dy) = cubes.cubes[number].square, STEPS[direction]
            end = (start[0] + dx, start[1] + dy)
        else:
            start, end = cubes.cubes[cubes.hopper].square, rng.choice(sorted(cubes.hops(cubes.hopper)))
        self._step(
            who, "makeMove", match.number, ply, *start, *end, play=lambda: match.move(who, ply, start, end, self.time)
        )

    def _withdraw(self, player: str, often: float) -> None:
        if self.rng.random() < often:
            try:
                self._step(player, "withdraw", self.match.number, play=lambda: self.match.withdraw(player, self.time))
            except DeblockleRevert:
                self.time -= 1

    def _step(self, sender: str, *call: Any, play: Any, value: int = 0) -> None:
        self.time += 1
        self.steps.append(Step(self.time, sender, call, value, play()))

    @property
    def deposits(self) -> int:
        return sum(step.value for step in self.steps)


def simulated(game: Contract, stories: list[Story]) -> Iterator[list[tuple[dict[str, Any], int]]]:
    """Simulate the matches. Yield a list for each match with two values per step: the result of the
    call, and the contract's balance after it."""
    blocks = []
    for story in stories:
        for step in story.steps:
            call = {"from": step.sender, "to": game.address, "data": game.data(*step.call), "gas": hex(GAS // 2)}
            look = {"from": step.sender, "to": TILL}
            calls = [call | {"value": hex(step.value)}, look]
            blocks.append({"blockOverrides": {"time": hex(step.time)}, "calls": calls})
    answers = iter(game.node.rpc("eth_simulateV1", {"blockStateCalls": blocks}, "latest"))
    for story in stories:
        results = [next(answers)["calls"] for _ in story.steps]
        yield [(call, int(look["returnData"], 16)) for call, look in results]


@pytest.mark.parametrize("matches", [200, pytest.param(2_000, marks=pytest.mark.soak)])
def test_random_matches_pay_exactly_what_was_deposited(node: Node, game: Contract, matches: int) -> None:
    players, seen = node.accounts[:2], Counter[str]()
    for account in players:
        node.rpc("anvil_setBalance", account, hex(RICH))
    node.rpc("anvil_setCode", TILL, f"0x73{game.address[2:]}315f5260205ff3")
    now = int(node.rpc("eth_getBlockByNumber", "latest", False)["timestamp"], 16)
    for first in range(0, matches, BATCH_SIZE):
        stories, time = [], now
        for number in range(BATCH_SIZE):
            stories.append(Story(random.Random(first + number), 1 + number, players, time))
            time = stories[-1].time
        for story, results in zip(stories, simulated(game, stories), strict=True):
            _holds(game, story, results)
            seen[REASON[story.match.reason]] += 1
    assert set(seen) == {"won", "draw", "resigned", "timeout", "cancelled"}, seen


def _holds(game: Contract, story: Story, results: list[tuple[dict[str, Any], int]]) -> None:
    paid, deposited = Counter[str](), 0
    for step, (call, held) in zip(story.steps, results, strict=True):
        assert call["status"] == "0x1", (step.call, game.decode_error(call["returnData"]))
        events = list(game.events(call["logs"]))
        assert [(event.name, event.args) for event in events] == step.events
        deposited += step.value
        for event in events:
            if event.name == "Withdrawn":
                paid[event.args["account"]] += int(event.args["amount"])
        assert held == deposited - paid.total() >= 0
        assert max(paid.values(), default=0) <= 2 * story.stake
    assert paid.total() == deposited == story.deposits
    assert story.match.status not in (OPEN, PLAYING)
    assert held == 0
