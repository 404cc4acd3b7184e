"""Tests that results and ratings follow the order of the chain, no matter in which order events
arrive. They must stay correct after reorgs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from indexer.games import GAMES
from indexer.model import Block, Event
from indexer.store import results
from indexer.store.store import Store
from tests.indexer.store.test_store import ALICE, BOB, CHAIN, NOBODY, SLUG, append, block, contract, ended, event, fresh
from tests.support.chain import rows
from tests.support.databases import Databases

CAROL, DAVE = "0x90F79bf6EB2c4f870365E785982E1f101E93b906", "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65"
PLAYERS = (ALICE, BOB, CAROL, DAVE)
BlockEvents = list[tuple[Block, list[Event]]]
Columns = dict[str, Any]


@pytest.fixture
def store(databases: Databases) -> Iterator[Store]:
    with closing(Store(databases.url(), GAMES)) as it:
        it.set_chain(CHAIN, [contract()])
        yield it


def opening(at: Block, match: int, index: int, *players: str, clock: int = 3600) -> list[Event]:
    """Return the events that open a match and give its players their seats."""
    created = {"creator": players[0], "opponent": NOBODY, "clock": clock, "rematchOf": 0}
    return [
        event(at, index, match, 1, "MatchCreated", **created),
        *(
            event(at, index + seat, match, seat + 1, "PlayerJoined", player=player, seat=seat - 1)
            for seat, player in enumerate(players, 1)
        ),
    ]


def results_of(store: Store) -> dict[tuple[int, str], Columns]:
    """Return all stored results. The key is the match and the account."""
    names = results.COLUMNS
    found = [dict(zip(names, row, strict=True)) for row in rows(store)["result"]]
    return {(one["match"], one["address"]): one for one in found}


def columns_of(one: Columns, *names: str) -> tuple[Any, ...]:
    return tuple(one[name] for name in names)


COUNTS = ("outcome", "rating", "played", "won", "lost", "drawn")


def test_a_match_counts_for_its_players_and_moves_their_ratings(store: Store) -> None:
    first, second = block(1), block(2)
    store.append([first], [*opening(first, 1, 0, ALICE, BOB), *opening(first, 2, 3, ALICE, BOB)])
    store.append([second], [ended(second, 0, 1, 4, ALICE), ended(second, 1, 2, 4, NOBODY)])
    found = results_of(store)
    assert columns_of(found[1, ALICE], *COUNTS) == ("won", 151_600, 1, 1, 0, 0)
    assert columns_of(found[1, BOB], *COUNTS) == ("lost", 148_400, 1, 0, 1, 0)
    assert columns_of(found[2, ALICE], *COUNTS) == ("drawn", 151_453, 2, 1, 0, 1)
    assert columns_of(found[2, BOB], *COUNTS) == ("drawn", 148_547, 2, 0, 1, 1)
    places = ("height", "log_index", "until_height")
    assert [columns_of(found[match, BOB], *places) for match in (1, 2)] == [(2, 0, 2), (2, 1, None)]


def test_one_alone_is_counted_and_not_rated_and_a_cancelled_match_is_nobodys(store: Store) -> None:
    at = block(1)
    cancelled = event(at, 6, 2, 4, "MatchEnded", winner=NOBODY, reason=6)
    store.append(
        [at], [*opening(at, 1, 0, CAROL), ended(at, 2, 1, 3, CAROL), *opening(at, 2, 3, ALICE, BOB), cancelled]
    )
    found = results_of(store)
    assert [(key, *columns_of(one, *COUNTS)) for key, one in found.items()] == [
        ((1, CAROL), "won", 150_000, 1, 1, 0, 0)
    ]


def test_a_match_without_a_clock_is_counted_and_not_rated(store: Store) -> None:
    """Tests that the results stay the same when they are derived again from the stored rows
    alone."""
    at = block(1)
    opened = [*opening(at, 1, 0, ALICE, BOB), *opening(at, 2, 3, ALICE, BOB, clock=0)]
    store.append([at], [*opened, ended(at, 6, 1, 4, ALICE), ended(at, 7, 2, 4, BOB)])
    found = results_of(store)
    assert columns_of(found[2, BOB], *COUNTS) == ("won", 148_400, 2, 1, 1, 0)
    assert columns_of(found[2, ALICE], *COUNTS) == ("lost", 151_600, 2, 1, 1, 0)
    with store.transaction() as connection:
        results.derive(connection)
    assert results_of(store) == found


def test_a_match_of_three_needs_no_clock_to_be_rated(store: Store) -> None:
    at = block(1)
    store.append([at], [*opening(at, 1, 0, ALICE, BOB, CAROL, clock=0), ended(at, 4, 1, 5, ALICE)])
    found = results_of(store)
    assert [found[1, player]["rating"] for player in (ALICE, BOB, CAROL)] == [151_600, 149_200, 149_200]
    with store.transaction() as connection:
        results.derive(connection)
    assert results_of(store) == found


@pytest.mark.parametrize(
    ("clock", "players", "friendly"),
    [(0, 2, True), (60, 2, False), (None, 2, True), (None, 3, False), (0, 3, False)],
)
def test_a_match_of_two_without_a_clock_is_friendly(clock: int | None, players: int, friendly: bool) -> None:
    """Tests a game without clocks, such as Touché Coulé. In its results, `clock` is None."""
    assert results.is_friendly(clock, PLAYERS[:players]) is friendly


def test_a_match_that_its_game_does_not_rate_is_counted(tmp_path: Path) -> None:
    """A game can declare a match unrated. For example, Conquest doesn't rate a match if its map
    doesn't come from its seed. Tests that the results stay the same when they are derived again
    from the rows."""
    game = replace(GAMES[SLUG], rated=lambda board: board["clock"] != 61)
    at = block(1)
    opened = [*opening(at, 1, 0, ALICE, BOB, clock=61), *opening(at, 2, 3, ALICE, BOB, clock=60)]
    with closing(Store(f"sqlite:///{tmp_path / 'index.db'}", {SLUG: game})) as store:
        store.set_chain(CHAIN, [contract()])
        store.append([at], [*opened, ended(at, 6, 1, 4, ALICE), ended(at, 7, 2, 4, BOB)])
        found = results_of(store)
        assert columns_of(found[1, ALICE], *COUNTS) == ("won", 150_000, 1, 1, 0, 0)
        assert columns_of(found[1, BOB], *COUNTS) == ("lost", 150_000, 1, 0, 1, 0)
        assert columns_of(found[2, BOB], *COUNTS) == ("won", 151_600, 2, 1, 1, 0)
        with store.transaction() as connection:
            results.derive(connection, {SLUG: game})
        assert results_of(store) == found
        with store.transaction() as connection:
            results.derive(connection)
        assert results_of(store)[1, ALICE]["rating"] == 151_600, "without the game, each match is rated"


def test_what_comes_after_the_end_leaves_the_results(store: Store) -> None:
    """An event can be added or removed after a match has ended. Tests that the board then changes
    but the results stay, because they belong to an earlier block."""
    for height in (1, 2, 3):
        at = block(height)
        store.append(
            [at],
            [
                opening(at, 1, 0, ALICE, BOB),
                [ended(at, 0, 1, 4, BOB)],
                [event(at, 0, 1, 5, "RematchOpened", rematch=9)],
            ][height - 1],
        )
    before = results_of(store)
    assert [one["outcome"] for one in before.values()] == ["won", "lost"]
    store.delete_blocks_from(3)
    assert results_of(store) == before
    store.delete_blocks_from(2)
    assert results_of(store) == {}


def test_the_standings_as_of_a_block_are_those_of_an_index_that_ends_there(store: Store, tmp_path: Path) -> None:
    block_events = random_events(Random(1), 30)
    append(store, block_events)
    for height in (3, 11, 18, 30):
        (tmp_path / str(height)).mkdir()
        with closing(Store(f"sqlite:///{tmp_path / str(height) / 'short.db'}", GAMES)) as short:
            short.set_chain(CHAIN, [contract()])
            append(short, block_events[:height])
            with short.read() as then, store.read() as now:
                wanted = then.leaderboard("tic-tac-toe", height, 10)
                found = now.leaderboard("tic-tac-toe", height, 10)
                assert [_standing(one) for one in found] == [_standing(one) for one in wanted]
                assert wanted


def _standing(one: Any) -> tuple[Any, ...]:
    return one.rank, one.result.address, one.result.rating, one.result.played


def random_events(random: Random, blocks: int, fork: str = "", before: BlockEvents | None = None) -> BlockEvents:
    """Return random blocks in which matches of one to four players start and end. If `before` is
    given, return these blocks followed by new blocks."""
    found = list(before or [])
    running, last = _running(found)
    for height in range(len(found) + 1, blocks + 1):
        at, events = block(height, fork), list[Event]()
        at = replace(at, parent=found[-1][0].hash) if found else at
        for _ in range(random.randrange(4)):
            if running and random.random() < 0.5:
                match = random.choice(sorted(running))
                players = running.pop(match)
                events.append(ended(at, len(events), match, len(players) + 2, random.choice([NOBODY, *players])))
            else:
                last += 1
                running[last] = random.sample(PLAYERS, random.randrange(1, 5))
                events += opening(at, last, len(events), *running[last], clock=(0, 60, 3600)[last % 3])
        found.append((at, events))
    return found


def _running(block_events: BlockEvents) -> tuple[dict[int, list[str]], int]:
    """Return the players of each match that hasn't ended yet, and the highest match number."""
    players: dict[int, list[str]] = {}
    over = set()
    for one in [one for _, events in block_events for one in events]:
        if one.name == "PlayerJoined":
            players.setdefault(one.match, []).append(one.args["player"])
        elif one.name == "MatchEnded":
            over.add(one.match)
    return {match: them for match, them in players.items() if match not in over}, max(players, default=0)


@pytest.mark.parametrize("seed", range(6))
def test_reorgs_leave_what_an_index_made_anew_has_and_deriving_it_again_changes_no_byte(
    store: Store, tmp_path: Path, seed: int
) -> None:
    random = Random(seed)
    block_events = random_events(random, 20)
    append(store, block_events, at_once=bool(seed % 2))
    for fork in "abc":
        height = random.randrange(2, len(block_events))
        store.delete_blocks_from(height)
        block_events = random_events(
            random, len(block_events) + random.randrange(-2, 4), fork, block_events[: height - 1]
        )
        append(store, block_events[height - 1 :], at_once=random.random() < 0.5)
    found = rows(store)
    assert found == fresh(tmp_path, block_events)
    assert len(found["result"]) > 10
    with store.transaction() as connection:
        results.derive(connection)
    assert rows(store) == found
