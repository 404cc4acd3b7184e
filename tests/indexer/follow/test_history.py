"""Tests that the follower detects logs that a node hides in the final history, and then fetches
these logs. The follower compares the events with the contracts' counters."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from typing import Any

import pytest

from indexer.fetch.bloom import bloom_of
from indexer.model import Deployment, Json, Log
from indexer.store.store import Store
from tests.indexer.conftest import MATCH
from tests.indexer.follow.conftest import EMPTY
from tests.indexer.follow.lying_node import Lie, LyingNode, follow, same_but_for_empty_blocks
from tests.support.chain import DeployedChain, rows

LATER = 3


def tic_tac_toe(it: DeployedChain) -> Deployment:
    return next(one for one in it.deployments if one.game == "tic-tac-toe")


def hides(where: Callable[[Log], bool], ranges_only: bool = False) -> Lie:
    """Return a function that changes a node's answers to requests for logs. It removes the logs for
    which `where` returns True."""

    def lie(method: str, params: Any, answer: Any) -> Any:
        if method != "eth_getLogs" or (ranges_only and "fromBlock" not in params[0]):
            return answer
        return [log for log in answer if not where(log)]

    return lie


def of_match(it: DeployedChain, number: int, log: Log) -> bool:
    return log["address"].lower() == it.game.address.lower() and log["topics"][1] == f"0x{number:064x}"


async def logs(it: DeployedChain, number: int = MATCH) -> list[Json]:
    found = await it.node.logs_between(0, (await it.node.head()).height, [it.game.address])
    return [log for log in found if of_match(it, number, log)]


def position(log: Log) -> tuple[str, str]:
    return log["blockNumber"], log["logIndex"]


async def a_block_of_ranges(it: DeployedChain) -> Lie:
    hidden = (await logs(it))[5]
    return hides(lambda log: log["blockNumber"] == hidden["blockNumber"], ranges_only=True)


async def the_last_log(it: DeployedChain) -> Lie:
    hidden = (await logs(it))[-1]
    return hides(lambda log: position(log) == position(hidden))


async def the_last_turn(it: DeployedChain) -> Lie:
    hidden = (await logs(it))[-1]
    return hides(lambda log: log["blockNumber"] == hidden["blockNumber"])


async def a_match(it: DeployedChain) -> Lie:
    return hides(lambda log: of_match(it, LATER, log))


async def a_range(it: DeployedChain) -> Lie:
    """Return a function that changes a node's answers. Starting with the match's second turn, it
    hides every log, including all logs of the third match and of the other game."""
    first = int((await logs(it))[-1]["blockNumber"], 16) - 3 * EMPTY - 10
    return hides(lambda log: int(log["blockNumber"], 16) >= first)


async def the_only_match(it: DeployedChain) -> Lie:
    return hides(lambda log: log["address"].lower() == tic_tac_toe(it).address.lower())


HIDDEN: dict[Callable[[DeployedChain], Any], tuple[str, ...]] = {
    a_block_of_ranges: ("seq",),
    the_last_log: ("bloom", "seqOf"),
    the_last_turn: ("seqOf",),
    a_match: ("counter",),
    a_range: ("counter", "seqOf"),
    the_only_match: ("counter",),
}
"""For each lie that hides logs, the checks that reveal the lie."""


async def _nothing(*_: Any) -> None:
    pass


def switch_off(proof: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match proof:
        case "seq":
            monkeypatch.setattr("indexer.store.match_state.check_seq", lambda *_: None)
        case "seqOf":
            monkeypatch.setattr("indexer.follow.seq_check.SeqCheck.check", _nothing)
        case "counter":
            monkeypatch.setattr("indexer.follow.match_counts.MatchCounts.check", _nothing)
        case "bloom":
            monkeypatch.setattr("indexer.fetch.bloom.consistent_with", lambda *_: True)


@pytest.mark.parametrize("hidden", HIDDEN)
async def test_what_is_hidden_is_caught_and_healed(
    long: DeployedChain, store: Store, hidden: Callable[[DeployedChain], Any]
) -> None:
    async with aclosing(LyingNode(long.node.url, await hidden(long))) as node:
        follower = await follow(long, store, node)
        assert follower.health.state == "ok", follower.health
        assert follower.counters.healed > 0
        assert await same_but_for_empty_blocks(long, store)


@pytest.mark.parametrize("hidden", HIDDEN)
async def test_without_its_proofs_it_would_not_be_caught(
    long: DeployedChain, store: Store, hidden: Callable[[DeployedChain], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    lie = await hidden(long)
    with monkeypatch.context() as blind:
        for proof in HIDDEN[hidden]:
            switch_off(proof, blind)
        async with aclosing(LyingNode(long.node.url, lie)) as node:
            await follow(long, store, node)
            stored = rows(store)
    assert stored["event"] != (await long.fresh_rows())["event"]


async def test_a_bloom_that_is_made_to_fit_does_not_make_the_hash(long: DeployedChain, store: Store) -> None:
    """The node hides a block's last log, and changes the header's bloom filter to match. Tests that
    the follower notices, because the bloom filter doesn't match the receipts."""
    found = await logs(long)
    hidden = found[-1]
    kept = [log for log in found if log["blockNumber"] == hidden["blockNumber"]][:-1]
    assert kept

    def lie(method: str, params: Any, answer: Any) -> Any:
        if method == "eth_getBlockByNumber" and params[0] == hidden["blockNumber"]:
            return {**answer, "logsBloom": f"0x{bloom_of(kept):0512x}"}
        return hides(lambda log: position(log) == position(hidden))(method, params, answer)

    async with aclosing(LyingNode(long.node.url, lie)) as node:
        follower = await follow(long, store, node, 30)
        assert follower.health.state == "degraded"
        assert follower.health.detail.endswith("don't match the block's bloom filter")
