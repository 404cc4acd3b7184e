"""Tests that the follower notices a node's wrong or missing answers before it updates the newest
block in the store. It then fetches the missing logs."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from indexer.follow.follower import Follower
from indexer.follow.sync_result import SyncResult
from indexer.node.client import Node, NodeUnavailable
from indexer.node.failover import FailoverNode
from indexer.store.store import Store
from tests.indexer.follow.lying_node import LyingNode
from tests.support.chain import DeployedChain, deployed_chain, rows

MATCH = 2
NO_BLOOM = "0x" + 512 * "0"


async def lied_to(it: DeployedChain, store: Store, lie: Callable[[str, Any, Any], Any]) -> Follower:
    store.set_chain(await it.node.chain(), it.deployments)
    return Follower(LyingNode(it.node.url, lie), store, it.deployments)


async def attempts(follower: Follower, most: int = 30) -> None:
    """Follow the chain until there is nothing left to do, or until `most` syncs have run."""
    for _ in range(most):
        if (await follower.try_sync()) == SyncResult():
            return


async def _nothing(*_: Any) -> None:
    pass


async def healed(it: DeployedChain, store: Store, lie: Callable[[str, Any, Any], Any]) -> Follower:
    """Let the follower follow a lying node. Check that the store finally equals an index of the
    real chain."""
    follower = await lied_to(it, store, lie)
    await attempts(follower)
    assert follower.health.state == "ok"
    assert rows(store) == await it.fresh_rows()
    await follower._node.aclose()
    return follower


def is_range(method: str, params: Any) -> bool:
    return method == "eth_getLogs" and "fromBlock" in params[0]


async def test_logs_missing_from_a_range_are_found_in_the_receipts(played: DeployedChain, store: Store) -> None:
    at = hex((await played.node.head()).height - 4)

    def lie(method: str, params: Any, answer: Any) -> Any:
        return [log for log in answer if log["blockNumber"] != at] if is_range(method, params) else answer

    assert (await healed(played, store, lie)).counters.healed == 1


async def test_logs_missing_from_a_new_block_are_found_in_its_receipts(played: DeployedChain, store: Store) -> None:
    await healed(played, store, lambda _method, _params, answer: answer)

    def lie(method: str, _params: Any, answer: Any) -> Any:
        return [] if method == "eth_getLogs" else answer

    await played.turn(1, MATCH, 4)
    assert (await healed(played, store, lie)).counters.healed == 1


async def test_a_last_log_that_the_bloom_does_not_miss_is_missed_by_the_contracts_count(
    played: DeployedChain, store: Store
) -> None:
    """Tests that the follower finds a missing event that the bloom filter doesn't reveal. Two
    matches with the same types of events open in one block, and the node omits the block's last
    event."""
    await played.node.request("evm_setAutomine", (False,))
    for player in (3, 4):
        await played.node.request(
            "eth_sendTransaction", ({**played.call(player, "create", 9, 9, True), "gas": "0xfffff"},)
        )
    await played.mine()
    await played.node.request("evm_setAutomine", (True,))

    def lie(method: str, _params: Any, answer: Any) -> Any:
        return answer[:-1] if method == "eth_getLogs" and answer else answer

    follower = await healed(played, store, lie)
    assert follower.counters.refused + follower.counters.healed > 0


async def test_an_event_missing_in_the_middle_is_missed_by_the_next_number(played: DeployedChain, store: Store) -> None:
    def lie(method: str, _params: Any, answer: Any) -> Any:
        return answer[:3] + answer[4:] if method == "eth_getLogs" and len(answer) > 9 else answer

    follower = await healed(played, store, lie)
    assert follower.counters.refused + follower.counters.healed > 0


async def test_an_event_that_was_left_out_long_ago_is_found_when_its_match_goes_on(
    played: DeployedChain, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index that didn't check answers has stored a match without one of its events. Tests that
    the follower notices the gap at the match's next event, and reads the blocks again."""
    head = (await played.node.head()).height

    def lie(method: str, _params: Any, answer: Any) -> Any:
        return [one for one in answer if one["blockNumber"] != hex(head)] if method == "eth_getLogs" else answer

    with monkeypatch.context() as blind:
        blind.setattr("indexer.fetch.bloom.consistent_with", lambda *_: True)
        blind.setattr("indexer.follow.follower.SeqCheck.check", _nothing)
        follower = await lied_to(played, store, lie)
        await attempts(follower)
        assert follower.height == head
        await follower._node.aclose()
    await played.turn(1, MATCH, 4)
    assert (await healed(played, store, lambda _method, _params, answer: answer)).counters.dropped > 0


@pytest.mark.parametrize("kind", ["short", "cut", "foreign", "nonsense"])
async def test_until_it_fits_the_cursor_does_not_move(played: DeployedChain, store: Store, kind: str) -> None:
    await healed(played, store, lambda _method, _params, answer: answer)
    before = rows(store)
    await played.turn(1, MATCH, 4)

    def lie(method: str, _params: Any, answer: Any) -> Any:
        if method == "eth_getBlockReceipts":
            return {
                "short": answer[:-1],
                "cut": [{**one, "logs": one["logs"][:-1]} for one in answer],
                "foreign": [{**one, "logs": [{**log, "blockHash": NO_BLOOM} for log in one["logs"]]} for one in answer],
                "nonsense": ["receipt"],
            }[kind]
        return [] if method == "eth_getLogs" else answer

    follower = await lied_to(played, store, lie)
    await attempts(follower, 6)
    assert follower.health.state == "degraded"
    assert "receipts" in follower.health.detail
    assert rows(store)["event"] == before["event"]
    assert follower.height < (await played.node.head()).height
    await follower._node.aclose()


async def test_another_node_is_asked_when_one_does_not_fit(played: DeployedChain, store: Store) -> None:
    def lie(method: str, _params: Any, answer: Any) -> Any:
        return [] if method in ("eth_getLogs", "eth_getBlockReceipts") else answer

    store.set_chain(await played.node.chain(), played.deployments)
    nodes = FailoverNode([LyingNode(played.node.url, lie), Node("http://127.0.0.1:9"), Node(played.node.url)])
    await nodes.chain()
    follower = Follower(nodes, store, played.deployments)
    await attempts(follower)
    assert follower.health.state == "ok"
    assert rows(store) == await played.fresh_rows()
    await nodes.aclose()


async def test_a_node_of_another_chain_is_never_asked(played: DeployedChain, store: Store, tmp_path: Path) -> None:
    store.set_chain(await played.node.chain(), played.deployments)
    async with deployed_chain(tmp_path / "other", beside=played) as other:
        nodes = FailoverNode([Node(played.node.url), Node(other.node.url)])
        await nodes.chain()
        follower = Follower(nodes, store, played.deployments)
        await attempts(follower)
        nodes.failover()
        for _ in range(4):
            await follower.try_sync()
        assert (follower.health.state, nodes.url) == ("ok", played.node.url)
        assert rows(store) == await played.fresh_rows()
        found, expected = await played.node.chain(), await other.node.chain()
        nodes.expect_chain(expected)
        sentence = (
            f"the node at {played.node.url} is on chain {found.chain_id} (genesis {found.genesis}), but must be on "
            f"chain {expected.chain_id} (genesis {expected.genesis})"
        )
        with pytest.raises(NodeUnavailable, match=f"^{re.escape(sentence)}$"):
            await nodes.request("eth_blockNumber")
        assert await nodes.request("eth_blockNumber") == await other.node.request("eth_blockNumber")
        await nodes.aclose()


async def test_a_chain_without_blooms_is_recognised_and_read_by_its_receipts(
    played: DeployedChain, store: Store
) -> None:
    missing: list[str] = []

    def lie(method: str, _params: Any, answer: Any) -> Any:
        if method == "eth_getBlockByNumber" and answer:
            return {**answer, "logsBloom": NO_BLOOM}
        if method == "eth_getLogs" and missing:
            return []
        return answer

    follower = await healed(played, store, lie)
    assert not follower._fetcher.has_blooms
    await played.turn(1, MATCH, 4)
    missing.append("all logs, from now on")
    follower = await lied_to(played, store, lie)
    # the first follower noticed only after several blocks that there are no blooms
    follower._fetcher.has_blooms = False
    await attempts(follower)
    assert rows(store) == await played.fresh_rows()
    await follower._node.aclose()


@pytest.mark.parametrize("change", [1, -1])
async def test_a_count_that_nothing_confirms_is_reported_and_destroys_nothing(
    played: DeployedChain, store: Store, change: int
) -> None:
    await healed(played, store, lambda _method, _params, answer: answer)
    before = rows(store)
    await played.turn(1, MATCH, 4)

    def lie(method: str, _params: Any, answer: Any) -> Any:
        return f"0x{int(answer, 16) + change:0{len(answer) - 2}x}" if method == "eth_call" else answer

    follower = await lied_to(played, store, lie)
    await attempts(follower, 6)
    assert follower.health.state == "degraded"
    assert "the contract has counted" in follower.health.detail
    kept = rows(store)
    assert all(row in kept["event"] for row in before["event"])
    await follower._node.aclose()


async def test_a_log_that_no_bloom_covers_is_rejected(played: DeployedChain, store: Store) -> None:
    """The node adds an invented log, or a log from a different block. Tests that the follower
    rejects this log, because the block's receipts don't contain it."""

    def lie(method: str, _params: Any, answer: Any) -> Any:
        if method != "eth_getLogs" or not answer:
            return answer
        return [*answer, {**answer[-1], "logIndex": "0x77", "topics": [*answer[-1]["topics"][:-1], "0x" + 64 * "7"]}]

    await healed(played, store, lie)
