"""Tests that the contract, the reducer and a three-line model agree after each move in random
matches."""

from __future__ import annotations

import random

import pytest

from indexer.gamekit.game import fold
from indexer.games.nim import GAME
from indexer.model import Event
from tests.contracts.support.contract import Contract, Reverted

CONTRACT = "Nim"


@pytest.mark.parametrize("seed", range(20))
def test_random_matches_agree(game: Contract, seed: int) -> None:
    draw, players = random.Random(seed), game.node.accounts[1:3]
    opened = game.send(players[0], "create", players[1], 60)
    match, events = opened.events[0].match, list[Event](opened.events)
    events += game.send(players[1], "join", match).events
    left = 21
    for ply in range(22):
        stones = draw.randint(0, 4)
        limit = min(3, left)
        if not 1 <= stones <= limit:
            with pytest.raises(Reverted, match="BadTake") as caught:
                game.send(players[ply % 2], "take", match, ply, stones)
            assert caught.value == Reverted("BadTake", stones, limit)
            stones = 1
        events += game.send(players[ply % 2], "take", match, ply, stones).events
        left -= stones
        board, view = fold(GAME, GAME.start, events), game.call("board", match)
        seq, status, _reason, plies, _clock, deadline, _players, mover, there, winner = view
        assert (seq, plies, there) == (len(events), ply + 1, left)
        assert (board["ply"], board["stones"], board["deadline"]) == (plies, left, deadline)
        if not left:
            assert (status, winner, board["winner"]) == (3, players[ply % 2].lower(), players[ply % 2])
            return
        assert (mover, board["mover"]) == (players[(ply + 1) % 2].lower(), players[(ply + 1) % 2])
    raise AssertionError("a heap of 21 stones lasts at most 21 moves")
