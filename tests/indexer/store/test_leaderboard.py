"""Tests that the pages of the leaderboard are correct at any block, both for one game and for
several games together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace

import pytest

from indexer.games import GAMES
from indexer.model import Event
from indexer.store.leaderboard import PageKey, RankedResult
from indexer.store.store import Store
from tests.indexer.store.test_results import PLAYERS, opening
from tests.indexer.store.test_store import ALICE, BOB, CHAIN, NOBODY, block, contract, ended
from tests.support.databases import Databases

ONE, OTHER = "touche-coule", "tic-tac-toe"


@pytest.fixture
def store(databases: Databases) -> Iterator[Store]:
    """A store with the same results in two games: two wins and a draw. Several players therefore
    have equal ratings, both within a game and across the games."""
    with closing(Store(databases.url(), GAMES)) as it:
        it.set_chain(CHAIN, [contract()])
        at, events = block(1), list[Event]()
        for game in (ONE, OTHER):
            for match, winner in enumerate((ALICE, BOB, NOBODY), 1):
                start = len(events)
                pair = PLAYERS[:2] if match == 1 else PLAYERS[1:3]
                told = [*opening(at, match, start, *pair), ended(at, start + 3, match, 4, winner)]
                events += [replace(one, game=game) for one in told]
        it.append([at], events)
        yield it


def pages(store: Store, game: str | None, size: int, without: Sequence[str] = ()) -> list[RankedResult]:
    found: list[RankedResult] = []
    with store.read() as snapshot:
        while some := snapshot.leaderboard(game, 1, size, _after(found), without):
            found += some
    return found


def _after(found: list[RankedResult]) -> PageKey | None:
    if not found:
        return None
    last = found[-1]
    return PageKey(len(found), last.rank, last.result.rating, last.result.address, last.result.game)


@pytest.mark.parametrize("size", [1, 2, 3, 50])
@pytest.mark.parametrize("game", [ONE, OTHER, None])
def test_pages_hold_each_player_of_each_game_once(store: Store, game: str | None, size: int) -> None:
    found = pages(store, game, size)
    games = [ONE, OTHER] if game is None else [game]
    told = [(one.result.game, one.result.address) for one in found]
    assert sorted(told) == sorted((one, player) for one in games for player in PLAYERS[:3])
    assert found == sorted(found, key=lambda one: (-one.result.rating, one.result.address, one.result.game))
    ratings = [one.result.rating for one in found]
    assert [one.rank for one in found] == [1 + sum(other > rating for other in ratings) for rating in ratings]


@pytest.mark.parametrize("size", [1, 2, 50])
@pytest.mark.parametrize("game", [ONE, None])
def test_who_is_left_out_counts_for_no_rank(store: Store, game: str | None, size: int) -> None:
    everybody = pages(store, game, size)
    best = everybody[0].result.address
    found = pages(store, game, size, [best])
    assert [one.result for one in found] == [one.result for one in everybody if one.result.address != best]
    ratings = [one.result.rating for one in found]
    assert [one.rank for one in found] == [1 + sum(other > rating for other in ratings) for rating in ratings]
