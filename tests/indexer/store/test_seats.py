"""Tests that players can leave a match for more than two players before it starts. Also tests that
the store finds an event by each of the accounts that the event names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from indexer.games import GAMES
from indexer.model import Block, Event, Json
from indexer.store.store import Store
from tests.indexer.store.test_store import ALICE, BOB, CHAIN, NOBODY, SLUG, block, contract, ended, event
from tests.support.chain import rows
from tests.support.databases import Databases

CAROL = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"


def left(board: Json, happened: Event) -> Json:
    """Reduce `PlayerLeft` in a game in which players can leave their seats."""
    players = {player: one for player, one in board["players"].items() if player != happened.args["player"]}
    return {**board, "players": players}


GAME = replace(GAMES[SLUG], reducers={**GAMES[SLUG].reducers, "PlayerLeft": left})


@pytest.fixture
def store(databases: Databases) -> Iterator[Store]:
    with closing(Store(databases.url(), {SLUG: GAME})) as it:
        it.set_chain(CHAIN, [contract()])
        yield it


def created(at: Block) -> list[Event]:
    args: Json = {"creator": ALICE, "opponent": BOB, "clock": 60, "rematchOf": 0}
    return [
        event(at, 0, 1, 1, "MatchCreated", **args),
        event(at, 1, 1, 2, "PlayerJoined", player=ALICE, seat=0),
        event(at, 2, 1, 3, "Invited", accounts=[BOB, NOBODY, CAROL, BOB]),
    ]


def seats(store: Store) -> list[str]:
    return sorted(row[0] for row in rows(store)["seat"])


def counts(store: Store, who: str) -> dict[tuple[str, str], int]:
    with store.read() as snapshot:
        return snapshot.seat_counts(who)


def test_who_leaves_has_no_seat_any_more(store: Store) -> None:
    first, second, third, fourth = (block(height) for height in (1, 2, 3, 4))
    store.append([first], created(first))
    store.append([second], [event(second, 0, 1, 4, "PlayerJoined", player=BOB, seat=1)])
    assert (seats(store), counts(store, BOB)) == ([BOB, ALICE], {(SLUG, "open"): 1})
    store.append(
        [third],
        [
            event(third, 0, 1, 5, "PlayerLeft", player=BOB, seat=1),
            event(third, 1, 1, 6, "PlayerJoined", player=CAROL, seat=1),
        ],
    )
    assert (seats(store), counts(store, BOB)) == ([ALICE, CAROL], {})
    store.append([fourth], [event(fourth, 0, 1, 7, "PlayerLeft", player=CAROL, seat=1), ended(fourth, 1, 1, 8, NOBODY)])
    assert (seats(store), counts(store, ALICE)) == ([ALICE], {(SLUG, "finished"): 1})
    store.delete_blocks_from(3)
    assert (seats(store), counts(store, BOB)) == ([BOB, ALICE], {(SLUG, "open"): 1})


def test_who_comes_again_has_one(store: Store) -> None:
    at = block(1)
    again = [
        event(at, 3, 1, 4, "PlayerJoined", player=BOB, seat=1),
        event(at, 4, 1, 5, "PlayerLeft", player=BOB, seat=1),
        event(at, 5, 1, 6, "PlayerJoined", player=BOB, seat=1),
    ]
    store.append([at], [*created(at), *again])
    assert seats(store) == [BOB, ALICE]


def test_an_event_is_found_by_each_account_that_it_lists(store: Store) -> None:
    at = block(1)
    store.append([at], created(at))
    with store.read() as snapshot:
        for who in (BOB, CAROL):
            assert [one.seq for one in snapshot.search_events(SLUG, "Invited", who)] == [3]
        assert snapshot.search_events(SLUG, "Invited", NOBODY) == []
