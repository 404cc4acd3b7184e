"""Tests that the follower follows a real chain, block by block and in bulk, through reorgs and
rollbacks. The follower rejects bad answers."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from indexer.follow.follower import Follower
from indexer.follow.sync_result import SyncResult
from indexer.games import GAMES
from indexer.model import Block
from indexer.node.client import Node, NodeError
from indexer.store.store import SeqGap, Store
from tests.support.chain import DeployedChain, rows
from tests.support.contract_views import public

SLUG = "touche-coule"
MATCH = 2


async def followed(it: DeployedChain, store: Store) -> Follower:
    store.set_chain(await it.node.chain(), it.deployments)
    follower = Follower(it.node, store, it.deployments)
    await sync_until_idle(follower)
    return follower


async def sync_until_idle(follower: Follower) -> list[SyncResult]:
    """Run syncs until there is nothing left to do. Return their results. After 50 syncs, the test
    fails, because the follower might never stop."""
    steps: list[SyncResult] = []
    for _ in range(50):
        steps.append(await follower.sync())
        if steps[-1] == SyncResult():
            return steps
    raise AssertionError(f"no end: {steps[-3:]}")


async def agrees(it: DeployedChain, store: Store, *matches: int) -> None:
    """Check that the database equals a new index of the chain, and that each match's board equals
    the contract's view of the match."""
    assert rows(store) == await it.fresh_rows()
    with store.read() as snapshot:
        for match in matches:
            summary = snapshot.summary(SLUG, match)
            assert summary is not None
            assert public(summary.game, summary.board, summary.seq) == it.chain_board(match)


async def test_bulk_and_live_store_the_same_rows(played: DeployedChain, store: Store) -> None:
    follower = await followed(played, store)
    await played.turn(2, MATCH, 4)
    await played.play(3, "create", 7, 4, False)
    live = await sync_until_idle(follower)
    assert sum(step.appended for step in live) == 3
    await agrees(played, store, MATCH, 3)


async def test_every_board_equals_the_contracts_at_the_end_of_its_block(played: DeployedChain, store: Store) -> None:
    await followed(played, store)
    with store.read() as snapshot:
        ends = {event.height: event for event in snapshot.events(SLUG, MATCH)}
        for height, event in ends.items():
            found = snapshot.board(SLUG, MATCH, event.seq)
            assert found is not None
            assert public(event.game, found[0], event.seq) == played.chain_board(MATCH, height)
    assert len(ends) >= 8


@pytest.mark.parametrize("depth", [1, 2, 10])
async def test_a_reorg_is_followed_whatever_its_depth(played: DeployedChain, store: Store, depth: int) -> None:
    for number in range(4, 9):
        await played.turn(2, MATCH, number)
    follower = await followed(played, store)
    await played.node.request("anvil_reorg", (depth, []))
    steps = await sync_until_idle(follower)
    # A single sync handles a reorg of any depth.
    assert [step.dropped for step in steps if step.dropped] == [depth]
    await agrees(played, store, MATCH)


async def test_a_reorg_that_brings_other_moves_is_folded_anew(played: DeployedChain, store: Store) -> None:
    follower = await followed(played, store)
    create = played.call(4, "create", 9, 9, True)
    await played.node.request("anvil_reorg", (2, [[{**create, "gas": hex(500_000)}, 1]]))
    await sync_until_idle(follower)
    await agrees(played, store, MATCH, 3)


async def test_two_reorgs_in_a_row_before_the_follower_looks(played: DeployedChain, store: Store) -> None:
    follower = await followed(played, store)
    await played.node.request("anvil_reorg", (3, []))
    await played.mine(2)
    await played.node.request("anvil_reorg", (4, []))
    await sync_until_idle(follower)
    await agrees(played, store, MATCH)


async def test_a_rollback_of_our_own_node_is_followed_down(played: DeployedChain, store: Store) -> None:
    follower = await followed(played, store)
    before = follower.height
    await played.node.request("anvil_rollback", (4,))
    steps = await sync_until_idle(follower)
    assert (follower.height, sum(step.dropped for step in steps)) == (before - 4, 4)
    await agrees(played, store, MATCH)


async def test_a_given_node_that_is_behind_destroys_nothing_until_a_block_proves_a_fork(
    played: DeployedChain, store: Store
) -> None:
    await followed(played, store)
    kept = rows(store)
    given = Node(played.node.url)
    follower = Follower(given, store, played.deployments)
    await played.node.request("anvil_rollback", (2,))
    assert await follower.sync() == SyncResult()
    assert follower.health.state == "node-behind"
    assert rows(store) == kept
    await played.node.request("evm_setNextBlockTimestamp", (2**33,))
    await played.mine(2)  # the follower finds the fork by the different hashes at the stored heights
    await sync_until_idle(follower)
    assert follower.health.state == "ok"
    await agrees(played, store, MATCH)
    await given.aclose()


async def test_stale_blocks_below_the_first_contract_are_dropped(played: DeployedChain, store: Store) -> None:
    """Tests stored blocks that are no longer on the chain, and that come from an index with an
    earlier first block. An older version of the follower tried to remove such blocks again and
    again."""
    store.set_chain(await played.node.chain(), played.deployments)
    first = min(one.height for one in played.deployments)
    old = [f"0x{height:064x}" for height in range(first + 1)]
    store.append([Block(height, old[height], old[height - 1], 1) for height in range(max(1, first - 5), first)], [])
    await sync_until_idle(Follower(played.node, store, played.deployments))
    await agrees(played, store, MATCH)


async def test_a_block_without_events_is_stored_too(played: DeployedChain, store: Store) -> None:
    follower = await followed(played, store)
    await played.mine(3)
    await sync_until_idle(follower)
    head = await played.node.head()
    with store.read() as snapshot:
        assert snapshot.tip() == head
        assert len(snapshot.blocks_after(head.height - 3)) == 3


class RecordingNode(Node):
    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.requested: list[tuple[str, Any]] = []

    async def request(self, method: str, params: Sequence[Any] = ()) -> Any:
        self.requested.append((method, params))
        return await super().request(method, params)


async def test_the_logs_of_a_new_head_are_requested_by_its_hash(played: DeployedChain, store: Store) -> None:
    await followed(played, store)
    node = RecordingNode(played.node.url)
    follower = Follower(node, store, played.deployments)
    await played.play(0, "create", 10, 10, False)
    head = await played.node.head()
    assert (await follower.sync()).appended == 1
    assert [params[0]["blockHash"] for method, params in node.requested if method == "eth_getLogs"] == [head.hash]
    await node.aclose()


class NonsenseNode(Node):
    async def request(self, method: str, params: Sequence[Any] = ()) -> Any:
        return {"number": "soon", "asked": [method, params]}


async def test_nonsense_from_the_node_is_reported_and_changes_nothing(played: DeployedChain, store: Store) -> None:
    await followed(played, store)
    before = rows(store)
    node = NonsenseNode(played.node.url)
    follower = Follower(node, store, played.deployments)
    assert await follower.try_sync() == SyncResult(failed=True)
    assert (follower.health.state, rows(store)) == ("degraded", before)
    await node.aclose()


async def test_a_store_that_can_not_be_written_is_reported_and_tried_again(
    played: DeployedChain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.store.db.engine.BUSY_MILLISECONDS", 50)
    with contextlib.closing(Store(f"sqlite:///{tmp_path / 'busy.db'}", GAMES)) as store:
        follower = await followed(played, store)
        await played.mine()
        with store.transaction():  # another writer has locked the database for a long time
            assert await follower.try_sync() == SyncResult(failed=True)
        assert (follower.health.state, "locked" in follower.health.detail) == ("degraded", True)
        await sync_until_idle(follower)
        assert follower.health.state == "ok"


async def test_a_lost_node_is_reported_and_found_again(played: DeployedChain, store: Store) -> None:
    await followed(played, store)
    nowhere = Node("http://127.0.0.1:9")
    follower = Follower(nowhere, store, played.deployments)
    assert await follower.try_sync() == SyncResult(failed=True)
    assert follower.health.state == "node-lost"
    assert "http" not in follower.health.detail  # a node's address can contain a key
    await nowhere.aclose()


async def test_what_a_provider_says_is_published_without_its_address(
    played: DeployedChain, store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    key = "9aa3d95b3bc440fa88ea12eaa4456161"

    async def refused(*_asked: object) -> None:
        raise NodeError(-32000, f"upstream https://mainnet.example/v3/{key} failed \x1b[2J" + "x" * 5_000_000)

    follower = Follower(played.node, store, played.deployments)
    monkeypatch.setattr(played.node, "request", refused)
    for _ in range(3):
        assert await follower.try_sync() == SyncResult(failed=True)
    assert follower.health.state == "degraded"
    assert follower.health.detail.startswith("upstream … failed")
    assert len(follower.health.detail) <= 200
    assert follower.health.detail.isprintable()
    [told] = caplog.messages
    assert key in told
    assert len(told) <= 2000
    assert told.isprintable()


@pytest.mark.parametrize("change", ["missing", "doubled"])
async def test_a_hole_in_seq_is_rejected_and_nothing_is_stored(
    played: DeployedChain, store: Store, change: str
) -> None:
    follower = await followed(played, store)
    before = rows(store)
    first, last = follower.height + 1, follower.height + 2
    await played.turn(1, MATCH, 4)
    span = await follower._fetcher.range(first, last)
    events = follower._decoder.events(span.logs, {block.height: block for block in span.blocks})
    again = replace(events[-1], log_index=events[-1].log_index + 1)
    with pytest.raises(SeqGap) as refused:
        store.append(span.blocks, events[1:] if change == "missing" else [*events, again])
    assert refused.value.expected == (events[0].seq if change == "missing" else again.seq + 1)
    assert rows(store) == before


class PrunedNode(Node):
    """A node that has only the state at its newest block. If `busy` is True, the node mines a block
    before each answer."""

    busy = False
    requested = 0

    async def requests(self, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
        if calls and calls[0][0] == "eth_call":
            self.requested += 1
            if self.busy:
                await self.request("evm_mine")
            if calls[0][1][1] != {"blockHash": (await self.head()).hash}:
                raise NodeError(-32602, "BlockOutOfRangeError: block height is 9 but requested was 8")
        return await super().requests(calls)


async def test_a_node_without_past_states_is_followed_while_blocks_come(played: DeployedChain, store: Store) -> None:
    """The node no longer has the state at an event's block. Tests that the follower uses the state
    at a later block to confirm the event."""
    store.set_chain(await played.node.chain(), played.deployments)
    async with contextlib.aclosing(PrunedNode(played.node.url)) as node:
        follower = Follower(node, store, played.deployments)
        node.busy = True
        for _ in range(3):
            await follower.sync()
        assert node.requested >= 2
        with store.read() as snapshot:
            assert snapshot.unconfirmed()
        node.busy = False
        await sync_until_idle(follower)
        await agrees(played, store, MATCH)
        assert not follower._recent.unconfirmed
        assert (follower.health.state, follower.counters.refused) == ("ok", 0)


async def test_a_node_that_has_not_the_state_of_its_own_head_is_rejected(played: DeployedChain, store: Store) -> None:
    class Blank(PrunedNode):
        async def requests(self, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
            if calls and calls[0][0] == "eth_call":
                raise NodeError(-32602, "BlockOutOfRangeError")
            return await super().requests(calls)

    store.set_chain(await played.node.chain(), played.deployments)
    async with contextlib.aclosing(Blank(played.node.url)) as node:
        follower = Follower(node, store, played.deployments)
        with pytest.raises(NodeError, match="BlockOutOfRange"):
            await sync_until_idle(follower)
