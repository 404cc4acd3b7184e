"""Tests that the contract, the index's board and the engine (Conquest's rules in Python) agree
after every transaction in random matches.

- Given two to six players on a random Conquest map
  - When they play at random, miss turns, surrender, and try illegal actions
    - The contract should emit the events, or reject the call with the error, that the engine
      predicts
    - The contract's view, the index's board and the engine's state should agree
    - All matches together should show every event, item and end except the draw at ply 5000
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from random import Random

import pytest

from indexer.rules.conquest_state.state import COLLECT, NO_DRAW, TURN
from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.matches.conquest import PLAYING, ConquestTable, random_accounts
from tests.support.conquest.maps import random_graph
from tests.support.conquest.play import random_command, wrong_command
from tests.support.conquest.states import item_appears, item_is

CONTRACT = "Conquest"
MOST_CALLS = 3_000
EVENTS = {
    "MatchCreated", "PlayerJoined", "Map", "MatchStarted", "Commanded", "Phase", "Drawn", "BattleResolved", "Soldiers",
    "LandsTaken", "PortBuilt", "HeroAt", "HeroDied", "ItemAppeared", "ItemExpired", "ItemCollected", "ItemUsed",
    "PlayerOut", "MatchEnded",
}  # fmt: skip
ITEMS = {f"item {item}" for item in range(1, 9)}
FAT = 8
ENDS = {f"{event} {reason}" for event in ("PlayerOut", "MatchEnded") for reason in (1, 3, 4)}


class RandomMatch:
    """A random match.

    - `sleep`: the probability that the mover lets the clock run out instead of calling.
    - `planted`: True if the test chooses the seeds of the draws."""

    def __init__(
        self, game: Contract, seed: int, players: int, lands: int, sleep: float, seen: Counter[str], planted: bool
    ) -> None:
        self.random = Random(seed)
        graph = random_graph(self.random, lands)
        accounts = random_accounts(game.node, self.random, players)
        self.sleep, self.planted = sleep, planted
        self.table = ConquestTable(game, players, graph, accounts=accounts, seen=seen)

    def play(self) -> None:
        for _ in range(MOST_CALLS):
            if self.table.engine.status != PLAYING:
                return
            self.step()
        raise AssertionError("the match does not end")

    def step(self) -> None:
        table, random = self.table, self.random
        state = table.state
        self._wait()
        if random.random() < self.sleep:
            table.late(random.choice([0, 0, 5]))
            table.call(table.stranger, "claimTimeout")
            return
        if state.draw != NO_DRAW and random.random() < 0.5:
            table.call(random.choice([table.stranger, *table.accounts]), "settle")
            return
        after = table.settled()
        if after.is_over:
            assert table.expect_revert(table.mover, "surrender", **table.named()).name == "WrongStatus"
            table.call(table.stranger, "settle")
            return
        if random.random() < 0.08:
            action, arguments = wrong_command(after, random)
            with suppress(Reverted):
                table.send_command(action, **arguments)
            return
        action, arguments = random_command(after, random)
        table.send_command(action, **arguments)

    def _wait(self) -> None:
        """Wait until the open draw can be settled. If `planted` is True, plant a seed.

        Planted seeds make rare items appear more often than usual, and make the match independent
        of the chain's hashes."""
        table, state = self.table, self.table.state
        if not self.planted:
            table.wait()
            return
        rarest = min(range(1, 9), key=lambda item: table.seen[f"item {item}"])
        salt = self.random.randrange(1 << 16)
        if state.draw == TURN and self.random.random() < 0.4:
            table.wait(lambda chance: item_appears(chance, fat=rarest == FAT), salt)
        elif state.draw == COLLECT:
            table.wait(lambda chance: item_is(chance, rarest) or rarest == FAT, salt)
        else:
            table.wait(lambda _chance: True, salt)


FIRST_SEED = 300
"""The seed of the first match. With this seed, a few matches show every event, item and end."""
SHORT = [
    (2, 8, 0.0), (2, 8, 0.02), (2, 10, 0.05), (2, 12, 0.0), (3, 12, 0.0), (3, 12, 0.1), (3, 14, 0.0), (4, 16, 0.0),
    (4, 16, 0.25), (5, 20, 0.3), (6, 24, 0.1), (6, 24, 0.4),
]  # fmt: skip
"""The matches that `make test` plays. Each has a number of players, a number of lands, and the
probability that a player misses a call."""


def played(game: Contract, seed: int, players: int, lands: int, sleep: float, seen: Counter[str], planted: bool) -> int:
    """Play a match and return the number of its plies. Then revert the chain, because a long chain
    slows the node down."""
    snapshot = game.node.rpc("evm_snapshot")
    game.node.mine(seed % 1000)  # a different block number gives the match different random draws
    match = RandomMatch(game, seed, players, lands, sleep, seen, planted)
    match.play()
    game.node.rpc("evm_revert", snapshot)
    return match.table.state.ply


def test_some_matches_agree_at_every_step(game: Contract) -> None:
    seen = Counter[str]()
    for seed, (players, lands, sleep) in enumerate(SHORT, FIRST_SEED):
        played(game, seed, players, lands, sleep, seen, planted=True)
    assert not (EVENTS | ENDS | ITEMS) - set(seen), seen


@pytest.mark.soak
@pytest.mark.parametrize("part", range(10))
def test_three_hundred_matches_agree_at_every_step(game: Contract, part: int) -> None:
    seen = Counter[str]()
    for seed in range(1_000 + 30 * part, 1_030 + 30 * part):
        random = Random(seed)
        players = 2 + seed % 5
        lands = random.randint(4 * players, 6 * players)
        played(game, seed, players, lands, random.choice([0, 0, 0.02, 0.1, 0.3]), seen, planted=seed % 2 == 0)
    assert not (EVENTS | ENDS | ITEMS) - set(seen)
