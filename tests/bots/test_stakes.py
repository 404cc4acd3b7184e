"""Tests which stakes a computer player's account accepts."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from eth_account import Account

from bots.registry import find
from bots.service.player import Player
from indexer.games import GAMES
from indexer.model import Json

HIGHEST = 36_000
FAIR: Json = {"stake": str(HIGHEST), "rate": "10", "clock": 300}


def player(game: str, strength: str) -> Player:
    shared: Any = SimpleNamespace(funds=SimpleNamespace(source=SimpleNamespace(highest_stake=HIGHEST)))
    manager: Any = SimpleNamespace(address="0x" + "12" * 20)
    return Player(shared, game, find(GAMES[game], strength), Account.create(), manager)


@pytest.mark.parametrize(
    ("terms", "accepts"),
    [
        ({}, True),
        ({"stake": str(HIGHEST + 1)}, False),
        ({"token": "0x" + "34" * 20}, False),
        ({"clock": 299}, False),
        ({"rate": "11"}, False),
        ({"stake": "0", "rate": "0", "clock": 0}, True),
    ],
    ids=["fair", "high", "token", "short clock", "short deposit", "no stake"],
)
def test_stakes_in_deblockle(terms: Json, accepts: bool) -> None:
    """Tests that the account rejects terms with which its opponent would win by time. With the
    shortest deposit that the contract allows, 60 seconds, an opponent who answers in the account's
    block wins after five moves of the account if blocks come every 12 seconds."""
    assert player("deblockle", "careful").may_stake({**FAIR, **terms}) is accepts


def test_battleship_has_no_rate() -> None:
    hunter = player("battleship", "hunter")
    assert hunter.may_stake({"stake": "1", "clock": 300})
    assert not hunter.may_stake({"stake": "1", "clock": 60})
