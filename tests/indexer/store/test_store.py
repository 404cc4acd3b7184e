"""Tests that the store writes atomically, rejects gaps in `seq` (the number of an event in its
match), allows only one writer, and can switch to a different chain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from indexer.games import GAMES
from indexer.model import Block, Chain, Deployment, Event, Json
from indexer.store.store import BadEvent, SeqGap, Store, StoreError, WrongChain, WrongParent
from tests.support.chain import rows
from tests.support.databases import Databases

ALICE, BOB = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"
NOBODY = "0x" + 40 * "0"
SLUG = "tic-tac-toe"
CHAIN, NEXT_CHAIN = Chain(31337, "0x" + "a" * 64), Chain(31337, "0x" + "b" * 64)


def contract(number: int = 1, height: int = 1) -> Deployment:
    address = f"0x{number:040x}"
    return Deployment(SLUG, "TicTacToe", address, [], height, "0x0", "0x0", 1)


def digest(text: str) -> str:
    return "0x" + sha256(text.encode()).hexdigest()


def block(height: int, fork: str = "") -> Block:
    return Block(height, digest(f"{fork}{height}"), digest(f"{fork}{height - 1}"), 1_700_000_000 + height)


def event(at: Block, index: int, match: int, seq: int, name: str, **args: Any) -> Event:
    return Event(SLUG, match, seq, name, args, at.height, at.hash, at.time, digest(f"{at.hash}{index}"), index)


def opening(at: Block, match: int, index: int = 0) -> list[Event]:
    """Return the first three events of a match: the opening, and the events that give both players
    their seats."""
    created: Json = {"creator": ALICE, "opponent": NOBODY, "clock": 60, "rematchOf": 0}
    return [
        event(at, index, match, 1, "MatchCreated", **created),
        event(at, index + 1, match, 2, "PlayerJoined", player=ALICE, seat=0),
        event(at, index + 2, match, 3, "PlayerJoined", player=BOB, seat=1),
    ]


def move(at: Block, index: int, match: int, seq: int, cell: int, ply: int) -> Event:
    row, column = divmod(cell, 3)
    args = {"ply": ply, "by": (ALICE, BOB)[ply % 2], "row": row, "column": column, "mark": 1 + ply % 2}
    return event(at, index, match, seq, "Moved", **args)


def ended(at: Block, index: int, match: int, seq: int, winner: str) -> Event:
    """Return the last event of a match. If `winner` is NOBODY, the match is a draw."""
    return event(at, index, match, seq, "MatchEnded", winner=winner, reason=2 if winner == NOBODY else 1)


def block_events(heights: Sequence[int] = range(1, 9)) -> list[tuple[Block, list[Event]]]:
    """Return the blocks of two matches, with their events. The matches open in blocks 1 and 2, and
    start in block 3. Each later block has one move in each match."""
    found: list[tuple[Block, list[Event]]] = []
    for height in heights:
        at = block(height)
        if height < 3:
            found.append((at, opening(at, height)))
        elif height == 3:
            found.append((at, [event(at, match - 1, match, 4, "MatchStarted") for match in (1, 2)]))
        else:
            ply = height - 4
            found.append((at, [move(at, match - 1, match, ply + 5, ply, ply) for match in (1, 2)]))
    return found


@pytest.fixture
def store(databases: Databases) -> Iterator[Store]:
    with closing(Store(databases.url(), GAMES)) as it:
        it.set_chain(CHAIN, [contract()])
        yield it


@pytest.fixture
def file_store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(f"sqlite:///{tmp_path / 'index.db'}", GAMES)) as it:
        it.set_chain(CHAIN, [contract()])
        yield it


def append(store: Store, parts: Sequence[tuple[Block, list[Event]]], at_once: bool = False) -> None:
    if at_once:
        store.append([at for at, _ in parts], [one for _, events in parts for one in events])
        return
    for at, events in parts:
        store.append([at], events)


def fresh(folder: Path, parts: Sequence[tuple[Block, list[Event]]], chain: Chain = CHAIN) -> dict[str, Any]:
    """Append all blocks at once to a new database. Return the contents of the database."""
    with closing(Store(f"sqlite:///{folder / 'fresh.db'}", GAMES)) as made:
        made.set_chain(chain, [contract()])
        append(made, parts, at_once=True)
        return rows(made)


# ---- appending blocks


def test_block_by_block_and_all_at_once_give_the_same_rows(store: Store, tmp_path: Path) -> None:
    append(store, block_events())
    assert rows(store) == fresh(tmp_path, block_events())


def test_what_is_called_before_the_commit_sees_nothing_stored_yet_by_others(store: Store) -> None:
    seen = []

    def look() -> None:
        with store.read() as snapshot:
            seen.append(snapshot.tip())

    store.append(*_all(block_events()[:1]), before_commit=look)
    with store.read() as snapshot:
        assert (seen, snapshot.tip()) == ([None], block(1))


def test_what_is_raised_before_the_commit_comes_out_and_nothing_is_stored(store: Store, tmp_path: Path) -> None:
    append(store, block_events()[:4])
    before = rows(store)

    def refuse() -> None:
        raise LookupError("the contract counts otherwise")

    with pytest.raises(LookupError, match="counts otherwise"):
        store.append(*_all(block_events()[4:]), before_commit=refuse)
    assert rows(store) == before
    append(store, block_events()[4:])
    assert rows(store) == fresh(tmp_path, block_events())


def _all(parts: Sequence[tuple[Block, list[Event]]]) -> tuple[list[Block], list[Event]]:
    return [at for at, _ in parts], [one for _, events in parts for one in events]


@pytest.mark.parametrize(("change", "expected", "given"), [("missing", 6, 7), ("doubled", 7, 6), ("first", 1, 2)])
def test_a_hole_or_a_double_in_seq_is_rejected_and_nothing_is_stored(
    store: Store, tmp_path: Path, change: str, expected: int, given: int
) -> None:
    append(store, block_events()[:4])
    before = rows(store)
    blocks, events = _all(block_events()[4:7])
    if change == "missing":
        events = [one for one in events if (one.match, one.seq) != (1, 6)]
    elif change == "doubled":
        events.insert(2, replace(events[0], log_index=7))
    else:
        events += opening(blocks[-1], 3, index=8)[1:]
    with pytest.raises(SeqGap) as refused:
        store.append(blocks, events)
    hole = refused.value
    assert (hole.match, hole.expected, hole.actual) == (3 if change == "first" else 1, expected, given)
    assert rows(store) == before
    append(store, block_events()[4:])
    assert rows(store) == fresh(tmp_path, block_events())


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (lambda one: replace(one, args={}), "KeyError"),
        (lambda one: replace(one, name="PlayerJoined", args={"player": ALICE, "seat": "first"}), "TypeError"),
        (lambda one: replace(one, name="PlayerJoined", args={"player": ALICE, "seat": 1 << 80}), "TypeError"),
        (lambda one: replace(one, game="chess"), "no game with this name"),
    ],
    ids=["its reducer fails", "it spoils the seats", "it is no longer JSON", "its game is unknown"],
)
def test_an_event_that_a_game_can_not_take_is_reported_and_nothing_is_stored(
    store: Store, tmp_path: Path, bad: Any, why: str
) -> None:
    append(store, block_events()[:4])
    before = rows(store)
    blocks, events = _all(block_events()[4:5])
    events[0] = bad(events[0])
    with pytest.raises(BadEvent, match=why) as refused:
        store.append(blocks, events)
    assert (refused.value.match, refused.value.seq, refused.value.name) == (1, 6, events[0].name)
    assert rows(store) == before
    append(store, block_events()[4:])
    assert rows(store) == fresh(tmp_path, block_events())


def test_many_rows_at_once_and_one_by_one_are_the_same(store: Store, tmp_path: Path) -> None:
    """Tests an append of 1,107 events, which needs SQL statements with a thousand rows, with fifty
    rows, and with one row."""
    parts = [(block(height), opening(block(height), height)) for height in range(1, 370)]
    append(store, parts, at_once=True)
    with closing(Store(f"sqlite:///{tmp_path / 'one by one.db'}", GAMES)) as other:
        other.set_chain(CHAIN, [contract()])
        append(other, parts)
        assert rows(store) == rows(other)
    store.delete_blocks_from(1)
    assert {name: len(found) for name, found in rows(store).items() if found} == {"chain": 1, "deployment": 1}


def test_a_failure_in_the_middle_of_many_rows_stores_none(store: Store) -> None:
    parts = [(block(height), opening(block(height), height)) for height in range(1, 370)]
    append(store, parts[:1])
    before = rows(store)
    blocks, events = _all(parts[1:])
    events[700] = replace(events[700], log_index=events[699].log_index)
    with pytest.raises(StoreError, match=r"(?i)unique"):
        store.append(blocks, events)
    assert rows(store) == before
    append(store, parts[1:], at_once=True)


def test_events_come_with_their_blocks(store: Store) -> None:
    with pytest.raises(ValueError, match="not in these blocks"):
        store.append([block(1)], opening(block(2), 1))


def test_nothing_of_a_first_append_that_failed_is_remembered(store: Store, tmp_path: Path) -> None:
    def refuse() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        store.append(*_all(block_events()[:4]), before_commit=refuse)
    append(store, block_events())
    assert rows(store) == fresh(tmp_path, block_events())


def test_boards_that_are_not_kept_are_read_again(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.store.match_state.MAX_STATES", 1)
    append(store, block_events())
    assert rows(store) == fresh(tmp_path, block_events())


def test_what_another_store_wrote_meanwhile_is_gone_on_from(store: Store, databases: Databases, tmp_path: Path) -> None:
    append(store, block_events()[:5])
    with closing(Store(databases.url(), GAMES)) as other:
        other.delete_blocks_from(4)
        append(other, block_events()[3:6])
    append(store, block_events()[6:])
    assert rows(store) == fresh(tmp_path, block_events())


def test_players_take_their_seats_one_after_the_other(store: Store) -> None:
    """Player 2 can join a match before player 1. Tests that each player's matches are found by the
    player's address."""
    first, second, third = block(1), block(2), block(3)
    created: Json = {"creator": BOB, "opponent": BOB, "clock": 0, "rematchOf": 0}
    store.append([first], [event(first, 0, 1, 1, "MatchCreated", **created)])
    store.append([second], [event(second, 0, 1, 2, "PlayerJoined", player=BOB, seat=1)])
    store.append([third], [event(third, 0, 1, 3, "PlayerJoined", player=ALICE, seat=0)])
    with store.read() as snapshot:
        assert [one.players for one in snapshot.summaries()] == [[ALICE, BOB]]
        assert [len(snapshot.summaries(player=player)) for player in (ALICE, BOB, NOBODY)] == [1, 1, 0]
        assert [[one.seq for one in snapshot.search_events(player=player)] for player in (ALICE, BOB)] == [[3], [1, 2]]


def test_an_event_is_found_by_each_address_that_it_names_once_and_by_nobody_never(store: Store) -> None:
    at = block(1)
    created: Json = {"creator": ALICE, "opponent": ALICE, "clock": 0, "rematchOf": 0}
    store.append([at], [event(at, 0, 1, 1, "MatchCreated", **created), *opening(at, 2, 1)])
    with store.read() as snapshot:
        found = {
            player: [(one.match, one.seq) for one in snapshot.search_events(player=player)]
            for player in (ALICE, BOB, NOBODY)
        }
    assert found == {ALICE: [(1, 1), (2, 1), (2, 2)], BOB: [(2, 3)], NOBODY: []}


# ---- removal of blocks


@pytest.mark.parametrize("height", range(1, 10))
def test_what_is_left_after_a_drop_is_a_fresh_index_of_that_much(store: Store, tmp_path: Path, height: int) -> None:
    append(store, block_events())
    dropped = store.delete_blocks_from(height)
    assert sorted(dropped) == ([(SLUG, 1), (SLUG, 2)] if 1 < height < 9 else [(SLUG, 1), (SLUG, 2)][: 2 * (height < 9)])
    assert rows(store) == fresh(tmp_path, block_events()[: height - 1])
    append(store, block_events()[height - 1 :])
    with store.read() as snapshot:
        whole = snapshot.summary(SLUG, 1)
    assert whole is not None
    assert (whole.seq, whole.ply) == (9, 5)


# ---- new deployments


def test_a_new_contract_below_the_tip_is_looked_for_again(store: Store) -> None:
    append(store, block_events())
    store.set_chain(CHAIN, [contract(), contract(2, height=5)])
    with store.read() as snapshot:
        assert snapshot.tip() == block(4)
        assert len(snapshot.deployments()) == 2


def test_a_contract_that_was_deployed_again_is_followed_from_its_new_block(store: Store) -> None:
    """A development chain can restart within a second and then has the same genesis block. Tests
    that a contract with the same address in a different block counts as new."""
    append(store, block_events())
    again = replace(contract(height=9), block_hash="0x1")
    store.set_chain(CHAIN, [again])
    with store.read() as snapshot:
        assert (snapshot.tip(), snapshot.deployments()) == (None, [again])


def test_another_chain_and_a_lost_contract_are_rejected(store: Store) -> None:
    append(store, block_events())
    before = rows(store)
    with pytest.raises(WrongChain):
        store.set_chain(NEXT_CHAIN, [contract()])
    with pytest.raises(WrongChain):
        store.set_chain(CHAIN, [contract(2)])
    assert rows(store) == before


# ---- switching to a new chain


def test_another_chain_begins_with_the_old_one_kept_beside(store: Store, databases: Databases, tmp_path: Path) -> None:
    append(store, block_events())
    old = rows(store)
    archive = tmp_path / "aside" / "old.db"
    where = store.reset_to(NEXT_CHAIN, [contract()], archive)
    append(store, block_events()[:3])
    assert rows(store) == fresh(tmp_path, block_events()[:3], NEXT_CHAIN)
    assert where == ("the schema aside-aside" if databases.server else str(archive))
    aside = f"{databases.url()}?options=-csearch_path%3Daside-aside" if databases.server else f"sqlite:///{archive}"
    with closing(Store(aside, GAMES)) as kept:
        assert rows(kept) == old
    assert [path.name for path in archive.parent.glob("*.new")] == []


def test_a_reader_sees_the_old_chain_whole_or_the_new_one(store: Store) -> None:
    append(store, block_events())
    with store.read() as snapshot:
        # a snapshot shows the data at the time of its first query
        assert snapshot.tip() == block(8)
        store.reset_to(NEXT_CHAIN, [], None)
        assert (snapshot.chain(), snapshot.tip(), len(snapshot.events(SLUG, 1))) == (CHAIN, block(8), 9)
    with store.read() as snapshot:
        assert (snapshot.chain(), snapshot.tip(), snapshot.events(SLUG, 1)) == (NEXT_CHAIN, None, [])


def test_a_new_beginning_that_fails_half_way_leaves_everything(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    append(store, block_events())
    before = rows(store)

    def fail(*_anything: Any) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr("indexer.store.store._write_chain", fail)
    with pytest.raises(StoreError):
        store.reset_to(NEXT_CHAIN, [contract()], None)
    assert rows(store) == before


def test_no_archive_is_written_over_and_nothing_begins_without_one(file_store: Store, tmp_path: Path) -> None:
    append(file_store, block_events())
    before = rows(file_store)
    taken = tmp_path / "taken"
    taken.write_text("not ours")
    for archive in (taken, taken / "below-a-file.db"):
        with pytest.raises(StoreError, match="can't be backed up to"):
            file_store.reset_to(NEXT_CHAIN, [contract()], archive)
    assert (rows(file_store), taken.read_text()) == (before, "not ours")


# ---- a single writer


def test_two_stores_of_one_process_are_two_writers(file_store: Store, tmp_path: Path) -> None:
    with closing(Store(f"sqlite:///{tmp_path / 'index.db'}", GAMES)) as second, file_store.exclusive_writer():
        with pytest.raises(StoreError, match="another Chainboard process"), second.exclusive_writer():
            pass
        with (
            pytest.raises(StoreError, match="another Chainboard process"),
            second.exclusive_writer(),
        ):  # the rejected attempt must not release the lock
            pass


def test_a_database_in_memory_has_its_writer_to_itself() -> None:
    one, two = Store("sqlite://", GAMES), Store("sqlite://", GAMES)
    with closing(one), closing(two), one.exclusive_writer(), two.exclusive_writer():
        pass


# ---- blocks that must follow the stored blocks


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param([replace(block(4), parent=digest("other"))], id="another parent"),
        pytest.param([block(5)], id="a block is missing"),
        pytest.param([block(3)], id="the tip again"),
        pytest.param([block(4), block(6)], id="one is missing between"),
        pytest.param([block(4), replace(block(5), parent=digest("other"))], id="another parent between"),
    ],
)
def test_a_block_whose_parent_is_not_the_stored_one_is_rejected(databases: Databases, wrong: list[Block]) -> None:
    with closing(Store(databases.url(), GAMES)) as store:
        store.set_chain(CHAIN, [contract()])
        append(store, block_events()[:3])
        before = rows(store)
        with pytest.raises(WrongParent, match="does not follow"):
            store.append(wrong, [])
        assert rows(store) == before
        append(store, block_events()[3:])


async def test_nobody_listens_to_a_file(tmp_path: Path) -> None:
    with closing(Store(f"sqlite:///{tmp_path / 'index.db'}", GAMES)) as store:
        await store.listen(lambda: pytest.fail("woken"))
