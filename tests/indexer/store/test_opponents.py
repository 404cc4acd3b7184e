"""Tests that the lists of opponents and the rating histories agree with the results, even after
reorgs. With a hundred thousand results, the queries must still be fast."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from random import Random
from typing import Any

import pytest

from indexer.games import GAMES
from indexer.model import Event
from indexer.store.db.bulk_insert import INSERT_RESULT, execute_many
from indexer.store.opponents import FIRST_ROWS, RELIABLE_OPPONENTS
from indexer.store.snapshot import Snapshot
from indexer.store.store import Store
from tests.indexer.store.test_results import PLAYERS, Columns, opening, random_events, results_of
from tests.indexer.store.test_store import ALICE, BOB, CHAIN, SLUG, append, block, contract, ended
from tests.support.databases import Databases

SECONDS = 2.0
"""The time limit for a query on a busy machine, in seconds. The query is about a player who has
half of all results."""


@pytest.fixture
def store(databases: Databases) -> Iterator[Store]:
    with closing(Store(databases.url(), GAMES)) as it:
        it.set_chain(CHAIN, [contract()])
        yield it


def by_match(store: Store) -> dict[int, dict[str, Columns]]:
    found: dict[int, dict[str, Columns]] = {}
    for (match, address), row in results_of(store).items():
        found.setdefault(match, {})[address] = row
    return found


def counted(store: Store, who: str) -> dict[str, tuple[int, int, int, int]]:
    """Return how many matches, wins, losses and draws an account has against each opponent."""
    counts: dict[str, Counter[str]] = {}
    for match in by_match(store).values():
        for opponent in match.keys() - {who} if who in match else ():
            kinds = counts.setdefault(opponent, Counter())
            kinds["played"] += 1
            kinds["won"] += match[who]["outcome"] == "won"
            kinds["lost"] += match[opponent]["outcome"] == "won"
            kinds["drawn"] += match[who]["outcome"] == "drawn"
    return {who: (one["played"], one["won"], one["lost"], one["drawn"]) for who, one in counts.items()}


def history(snapshot: Snapshot, who: str, size: int) -> list[Any]:
    """Read an account's whole rating history, in pages of the given size."""
    found: list[Any] = []
    while some := snapshot.rating_history(who, SLUG, size, found[-1].position if found else None):
        found += some
    return found


def compare(store: Store) -> None:
    matches = by_match(store)
    with store.read() as snapshot:
        ranked = {one.result.address: one for one in snapshot.leaderboard(SLUG, 10**6, 50)}
        for who in PLAYERS:
            expected = counted(store, who)
            opponents, total = snapshot.opponents(who, SLUG, 50)
            found = {one.current.address: (one.played, one.won, one.lost, one.drawn) for one in opponents}
            assert (found, total) == (expected, len(expected))
            assert [one.played for one in opponents] == sorted((one.played for one in opponents), reverse=True)
            assert all(one.current == ranked[one.current.address].result for one in opponents)
            assert all(one.own == ranked[who].result for one in opponents)
            mine = sorted(
                (match[who] for match in matches.values() if who in match),
                key=lambda one: (one["height"], one["log_index"]),
                reverse=True,
            )
            for size in (1, 3, 1000):
                told = history(snapshot, who, size)
                wanted = [(one["match"], one["height"], one["outcome"], one["rating"]) for one in mine]
                assert [(one.match, one.height, one.outcome, one.rating) for one in told] == wanted
            for one in told:
                event = snapshot.event_at(SLUG, one.match, one.seq)
                assert event is not None
                assert (event.name, event.time) == ("MatchEnded", one.time)
                assert set(one.opponents) == matches[one.match].keys() - {who}
            assert (ranked[who].opponents if who in ranked else 0) == min(len(expected), RELIABLE_OPPONENTS)


@pytest.mark.parametrize("seed", range(4))
def test_they_are_those_of_the_results_also_after_reorgs(store: Store, seed: int) -> None:
    """Tests blocks in which several matches of one to four players end, each with a winner or in a
    draw."""
    random = Random(seed)
    block_events = random_events(random, 20)
    append(store, block_events)
    compare(store)
    for fork in "ab":
        height = random.randrange(2, len(block_events))
        store.delete_blocks_from(height)
        compare(store)
        block_events = random_events(
            random, len(block_events) + random.randrange(-2, 4), fork, block_events[: height - 1]
        )
        append(store, block_events[height - 1 :])
        compare(store)


def test_among_equals_whom_one_met_last_comes_first_and_nobody_is_an_opponent_of_his_own(store: Store) -> None:
    events = list[Event]()
    for height, (match, opponent) in enumerate(((1, PLAYERS[2]), (2, BOB), (3, PLAYERS[3])), 1):
        at = block(height)
        events += [*opening(at, match, 0, ALICE, opponent), ended(at, 3, match, 4, ALICE)]
    at = block(4)
    events += [*opening(at, 4, 0, ALICE), ended(at, 2, 4, 3, ALICE)]
    store.append([block(height) for height in range(1, 5)], events)
    with store.read() as snapshot:
        assert [one.current.address for one in snapshot.opponents(ALICE, SLUG, 9)[0]] == [PLAYERS[3], BOB, PLAYERS[2]]
        [none] = snapshot.rating_history(ALICE, SLUG, 1)
    assert (none.match, none.opponents) == (4, ())


def test_an_opponent_counts_who_came_after_many_matches_with_another(store: Store) -> None:
    opponents = [BOB] * (FIRST_ROWS + 5) + list(PLAYERS[2:])
    events = list[Event]()
    for height, opponent in enumerate(opponents, 1):
        events += [*opening(block(height), height, 0, ALICE, opponent), ended(block(height), 3, height, 4, ALICE)]
    store.append([block(height) for height in range(1, len(opponents) + 1)], events)
    with store.read() as snapshot:
        assert snapshot.ranks_of(ALICE)[SLUG].opponents == len({*opponents})
        assert snapshot.ranks_of(BOB)[SLUG].opponents == 1


@pytest.mark.timeout(120)
def test_a_hundred_thousand_results_are_no_reason_to_wait(store: Store) -> None:
    """Tests an account that has played in half of the 50,000 matches, like a busy computer player.
    About a thousand other accounts have played the rest."""
    random = Random(7)
    crowd = [f"0x{number:040d}" for number in range(1, 1001)]
    host = crowd[0]
    many, heights = 50_000, 500
    at = [block(height) for height in range(1, heights + 1)]
    store.append(at, [])
    pairs = [(host if match % 2 else random.choice(crowd[1:500]), random.choice(crowd[500:])) for match in range(many)]
    rows = list[tuple[Any, ...]]()
    for match, pair in enumerate(pairs, 1):
        height, index = 1 + match * heights // (many + 1), match
        for who, outcome in zip(pair, ("won", "lost"), strict=True):
            rows.append((SLUG, match, who, outcome, 150_000 + match % 997, 1, 1, 0, 0, height, index, height))
    with store.transaction() as connection:
        execute_many(connection, INSERT_RESULT, rows)
        connection.exec_driver_sql(
            "UPDATE result SET until_height = NULL WHERE (address, match) IN "
            "(SELECT address, max(match) FROM result GROUP BY address)"
        )
    with store.read() as snapshot:
        questions = {
            "leaderboard": lambda: snapshot.leaderboard(SLUG, heights, 100),
            "rivals": lambda: snapshot.opponents(host, SLUG, 50),
            "ranks": lambda: snapshot.ranks_of(host),
        }
        for name, question in questions.items():
            begun = time.perf_counter()
            assert question()
            assert time.perf_counter() - begun < SECONDS, name
        assert snapshot.opponents(host, SLUG, 1)[1] == 500
