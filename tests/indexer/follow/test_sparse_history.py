"""Tests that the follower fetches and stores the final history without the empty blocks, and that
queries still find everything."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from api.live.tail import Tail
from chainboard.commands import verify
from chainboard.errors import UserError
from chainboard.settings import Settings
from indexer.follow.follower import Follower
from indexer.games import GAMES
from indexer.model import Block
from indexer.node.client import Node, NodeError
from indexer.store.store import Store
from tests.indexer.conftest import MATCH
from tests.indexer.follow.conftest import EMPTY, NOT_FINAL
from tests.indexer.follow.lying_node import Lie, LyingNode, follow, honest, same_but_for_empty_blocks
from tests.support.chain import DeployedChain, rows


@asynccontextmanager
async def followed(it: DeployedChain, store: Store, lie: Lie = honest) -> AsyncIterator[tuple[Follower, LyingNode]]:
    async with aclosing(LyingNode(it.node.url, lie)) as node:
        yield await follow(it, store, node), node


async def test_empty_blocks_below_finalized_are_neither_fetched_nor_stored(long: DeployedChain, store: Store) -> None:
    async with followed(long, store) as (follower, node):
        head = await long.node.head()
        assert (follower.health.state, follower.height) == ("ok", head.height)
        assert await same_but_for_empty_blocks(long, store)
        with store.read() as snapshot:
            assert snapshot.sparse_height() == head.height - NOT_FINAL
            assert snapshot.confirmed_height() >= snapshot.sparse_height()
            assert not snapshot.unconfirmed()
        assert len(rows(store)["block"]) < node.headers_read + 1 < head.height - 4 * EMPTY + 20
        assert follower.counters.healed == follower.counters.refused == 0


async def test_our_own_node_and_one_without_finalized_are_followed_block_by_block(
    long: DeployedChain, store: Store
) -> None:
    def lie(method: str, params: Any, answer: Any) -> Any:
        if method == "eth_getBlockByNumber" and params[0] == "finalized":
            raise NodeError(-32000, "finalized block not found")
        return answer

    async with followed(long, store, lie):
        assert rows(store) == await long.fresh_rows()
    with store.read() as snapshot:
        assert snapshot.sparse_height() == -1


async def test_a_provider_that_rejects_ranges_gets_shorter_ones(long: DeployedChain, store: Store) -> None:
    def lie(method: str, params: Any, answer: Any) -> Any:
        if method == "eth_getLogs" and "fromBlock" in params[0]:
            blocks = int(params[0]["toBlock"], 16) - int(params[0]["fromBlock"], 16) + 1
            if blocks > 5:
                raise NodeError(-32005, "eth_getLogs is limited to a 5 range")
        return answer

    async with followed(long, store, lie) as (follower, _node):
        assert follower.health.state == "ok"
        assert await same_but_for_empty_blocks(long, store)


async def test_each_start_goes_on_where_the_last_one_ended(long: DeployedChain, store: Store) -> None:
    store.set_chain(await long.node.chain(), long.deployments)
    async with aclosing(Node(long.node.url)) as node:
        more = True
        while more:
            follower = Follower(node, store, long.deployments)
            more = (await follower.sync()).more
            follower.close()
    assert await same_but_for_empty_blocks(long, store)


async def test_without_old_states_the_counts_are_compared_at_the_head(long: DeployedChain, store: Store) -> None:
    """The node hides a match and has no old states. Tests that the follower finds the match by the
    contract's state at the head."""
    head = (await long.node.head()).hash

    def lie(method: str, params: Any, answer: Any) -> Any:
        if method == "eth_call" and params[1] != {"blockHash": head}:
            raise NodeError(-32000, "missing trie node")
        if method == "eth_getLogs":
            return [log for log in answer if log["topics"][1] != f"0x{3:064x}"]
        return answer

    async with followed(long, store, lie) as (follower, _node):
        assert (follower.health.state, follower.counters.healed) == ("ok", 1)
        assert await same_but_for_empty_blocks(long, store)


async def test_what_a_node_never_gives_is_reported_in_a_sentence(long: DeployedChain, store: Store) -> None:
    """The node omits a match from its logs and from its bloom filters. Tests that the follower
    finds the match by the contract's counter."""
    opened = [
        log["blockNumber"]
        for log in await long.node.logs_between(0, (await long.node.head()).height, [long.game.address])
        if log["topics"][1] == f"0x{3:064x}"
    ]

    def lie(method: str, _params: Any, answer: Any) -> Any:
        if method == "eth_getLogs":
            return [log for log in answer if log["blockNumber"] not in opened]
        if method == "eth_getBlockByNumber" and answer and answer["number"] in opened:
            return {**answer, "logsBloom": "0x" + 512 * "0", "transactions": []}
        return answer

    async with followed(long, store, lie) as (follower, _node):
        assert follower.health.state == "degraded"
        assert follower.health.detail == (
            "touche-coule/3: the contract has opened matches up to number 3, but the node's logs lack this match"
        )
        assert follower.height < (await long.node.head()).height - NOT_FINAL


async def test_a_reorg_below_finalized_is_one_like_any_other(
    long: DeployedChain, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    async with followed(long, store) as (follower, _node):
        depth = 2 * NOT_FINAL + EMPTY + 20
        await long.node.request("anvil_reorg", (depth, []))
        await long.mine(3)
        for _ in range(40):
            if not (result := await follower.try_sync()).more and not result.failed:
                break
        assert (follower.health.state, follower.counters.reorgs) == ("ok", 1)
        assert "which a node had reported as final" in caplog.text
        assert await same_but_for_empty_blocks(long, store)


async def test_a_node_that_is_behind_the_empty_blocks_is_waited_for(long: DeployedChain, store: Store) -> None:
    async with followed(long, store) as (follower, node):
        before = rows(store)
        stored = {row[0] for row in before["block"]}
        at = next(height for height in range(follower.height - 3 * NOT_FINAL, 0, -1) if height not in stored)

        def lie(method: str, params: Any, answer: Any) -> Any:
            return shorter if method == "eth_getBlockByNumber" and params[0] == "latest" else answer

        shorter = await long.node.request("eth_getBlockByNumber", (hex(at), False))
        node.lie = lie
        await follower.try_sync()
        assert follower.health.state == "node-behind"
        assert rows(store) == before


async def test_watchers_get_each_event_of_it(long: DeployedChain, store: Store) -> None:
    """Tests that gaps between the stored blocks don't matter to `Tail`, which reads the stored
    events and sends new events to watchers."""
    tail = Tail(GAMES)
    with store.read() as snapshot:
        tail.advance(snapshot, [])
    store.set_chain(await long.node.chain(), long.deployments)
    async with aclosing(Node(long.node.url)) as node:
        follower = Follower(node, store, long.deployments)
        while (await follower.sync()).more:
            with store.read() as snapshot:
                tail.advance(snapshot, [])
                tip = snapshot.tip()
            assert tail.tip == tip
    assert not tail.reorged


async def test_verify_finds_no_fault_with_it_but_with_what_is_wrong(
    long: DeployedChain, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.verify.audit.GRACE_SECONDS", 0.1)
    settings = Settings(tmp_path, rpc=(long.node.url,))
    with closing(Store(settings.database_url, GAMES)) as store:
        async with followed(long, store):
            pass
        await verify.verify(settings, None, False)
        assert capsys.readouterr().out.startswith("Verified: ")
        with store.read() as snapshot:
            event = snapshot.last_event("touche-coule", MATCH)
            sparse_height = snapshot.sparse_height()
        assert event is not None
        for height in (event.height, sparse_height + 3):
            with store.transaction() as connection:
                connection.exec_driver_sql(f"DELETE FROM block WHERE height = {height}")
            with pytest.raises(UserError, match="differs from the chain"):
                await verify.verify(settings, None, False)
            assert f"block {height}: missing from the database" in capsys.readouterr().out
            await verify.verify(settings, None, True)
            assert "Verified" in capsys.readouterr().out


def test_above_it_each_parent_must_fit(store: Store) -> None:
    blocks = [Block(height, f"0x{height:064x}", f"0x{height - 1:064x}", height) for height in range(40)]
    store.append([blocks[3], blocks[9], blocks[12]], [], sparse_to=12)
    with pytest.raises(Exception, match=r"block 14 .* does not follow block 12"):
        store.append([blocks[14]], [])
    store.append([blocks[13]], [])
    store.append([blocks[20]], [], sparse_to=20)
    assert sparse_and_tip(store) == (20, 20)
    store.delete_blocks_from(11)
    assert sparse_and_tip(store) == (10, 9)
    with pytest.raises(Exception, match=r"block 11 .* does not follow block 9"):
        store.append([blocks[11]], [])
    store.append(blocks[10:12], [])
    assert sparse_and_tip(store) == (10, 11)


def sparse_and_tip(store: Store) -> tuple[int, int]:
    with store.read() as snapshot:
        tip = snapshot.tip()
        assert tip is not None
        return snapshot.sparse_height(), tip.height
