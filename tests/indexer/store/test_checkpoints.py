"""Tests that the store rebuilds old boards from checkpoints. Without checkpoints, the boards must
be the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import delete, select, update

from indexer.follow.follower import Follower
from indexer.gamekit.game import fold
from indexer.games import GAMES
from indexer.model import Block, Event
from indexer.store.db.schema import CHECKPOINT
from indexer.store.store import Store
from tests.indexer.store.test_store import CHAIN, SLUG, append, block, contract, event, fresh, move, opening
from tests.support.chain import DeployedChain, fresh_store, rows
from tests.support.databases import Databases

INTERVAL, LENGTH = 4, 31
BlockEvents = list[tuple[Block, list[Event]]]


@pytest.fixture(autouse=True)
def frequent_checkpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.store.match_state.CHECKPOINT_EVERY", INTERVAL)


@pytest.fixture
def store(databases: Databases) -> Iterator[Store]:
    with closing(Store(databases.url(), GAMES)) as it:
        it.set_chain(CHAIN, [contract()])
        yield it


def long_match() -> BlockEvents:
    """Return the events of a long match and of a short match. The long match has 31 events, three
    per block, which change the same cells again and again."""
    first = block(1)
    events = [event(first, 3, 1, 4, "MatchStarted")]
    block_events = [(first, [*opening(first, 1), *events, *opening(first, 2, index=4)])]
    for height in range(2, (LENGTH - 4) // 3 + 2):
        at, seq = block(height), 3 * height - 1
        block_events.append(
            (at, [move(at, index, 1, seq + index, (seq + index) % 9, seq + index - 5) for index in range(3)])
        )
    return block_events


def checkpoint_seqs(store: Store) -> list[int]:
    with store.transaction() as connection:
        return sorted(connection.execute(select(CHECKPOINT.c.seq)).scalars())


def delete_checkpoints(store: Store, *seqs: int) -> None:
    with store.transaction() as connection:
        connection.execute(delete(CHECKPOINT).where(CHECKPOINT.c.seq.in_(seqs)))


def boards_are_right(store: Store) -> None:
    rules = GAMES[SLUG]
    with store.read() as snapshot:
        events = snapshot.events(SLUG, 1)
        for seq in range(1, len(events) + 1):
            found = snapshot.board(SLUG, 1, seq)
            assert found is not None
            assert found[0] == fold(rules, rules.start, events[:seq]), seq


@pytest.mark.parametrize("at_once", [False, True])
def test_a_long_match_leaves_one_each_so_many_events(store: Store, at_once: bool) -> None:
    append(store, long_match(), at_once)
    assert checkpoint_seqs(store) == [4, 8, 12, 16, 20, 24, 28]
    boards_are_right(store)


def test_a_board_is_folded_from_the_last_one_before_it(store: Store) -> None:
    """Tests that the store uses a checkpoint, by storing a wrong board in it. All boards that are
    rebuilt from this checkpoint must be wrong, too."""
    append(store, long_match())
    with store.read() as snapshot:
        right = snapshot.board(SLUG, 1, 20)
    assert right is not None
    with store.transaction() as connection:
        wrong = {**right[0], "wrong": True}
        connection.execute(update(CHECKPOINT).where(CHECKPOINT.c.seq == 20).values(board=wrong))
    with store.read() as snapshot:
        seqs = [seq for seq in range(1, LENGTH + 1) if "wrong" in (snapshot.board(SLUG, 1, seq) or ({},))[0]]
    assert seqs == [20, 21, 22, 23]


def test_without_some_of_them_or_any_everything_is_the_same(store: Store, tmp_path: Path) -> None:
    append(store, long_match())
    delete_checkpoints(store, 8, 12, 24)
    boards_are_right(store)
    delete_checkpoints(store, *checkpoint_seqs(store))
    boards_are_right(store)
    store.delete_blocks_from(7)
    append(store, long_match()[6:])
    assert rows(store) == fresh(tmp_path, long_match())


@pytest.mark.parametrize("missing", [(), (4,), (8, 16), tuple(range(4, 30, 4))])
def test_the_writer_makes_the_missing_ones_again_one_at_a_time(
    store: Store, tmp_path: Path, missing: tuple[int, ...]
) -> None:
    append(store, long_match())
    delete_checkpoints(store, *missing)
    steps = 0
    while store.maintain():
        steps += 1
        assert len(checkpoint_seqs(store)) == 7 - len(missing) + min(steps, len(missing))
    assert rows(store) == fresh(tmp_path, long_match())
    assert not store.maintain()


@pytest.mark.parametrize("height", range(2, 11))
def test_a_reorg_takes_those_of_its_blocks_and_folds_on_from_the_rest(
    store: Store, tmp_path: Path, height: int
) -> None:
    append(store, long_match())
    store.delete_blocks_from(height)
    assert rows(store) == fresh(tmp_path, long_match()[: height - 1])
    assert checkpoint_seqs(store) == list(range(INTERVAL, 3 * height - 1, INTERVAL))
    append(store, long_match()[height - 1 :])
    boards_are_right(store)


@pytest.mark.parametrize("height", range(1, 12))
def test_the_last_event_up_to_a_block_is_found(store: Store, height: int) -> None:
    append(store, long_match())
    with store.read() as snapshot:
        found = snapshot.last_event(SLUG, 1, upto_height=height)
        assert found is not None
        assert found.seq == min(LENGTH, 4 + 3 * (height - 1))
        assert snapshot.last_event(SLUG, 1, upto_height=0) is None


async def test_a_follower_that_is_idle_makes_the_missing_ones(played: DeployedChain, tmp_path: Path) -> None:
    """Tests a database from an earlier version, which has no checkpoints. While the follower adds
    checkpoints, it must still follow the head."""
    file = tmp_path / "followed.db"
    with closing(await fresh_store(file, played.node, played.deployments)) as store:
        made = checkpoint_seqs(store)
        delete_checkpoints(store, *made)
    with closing(Store(f"sqlite:///{file}", GAMES)) as store:
        follower = Follower(played.node, store, played.deployments)
        steps = [await follower.try_sync()]
        while steps[-1].maintenance:
            assert follower.health.state == "ok"
            steps.append(await follower.try_sync())
        assert len(steps) > len(made) > 2
        assert rows(store) == await played.fresh_rows()
