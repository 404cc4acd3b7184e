"""Tests on a real chain that a single call returns the event counts from several views. Separate
calls must return the same counts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from contracts.abi import encode_call
from indexer.node.client import Node, NodeError
from indexer.node.multicall import BYTECODE, Multicall, View
from tests.support.chain import DeployedChain, deployed_chain

MATCHES = 5
NOBODY = "0x" + "0" * 36 + "dEaD"


def seq_of(it: DeployedChain, match: int) -> View:
    return it.game.address, encode_call(it.game.abi, "seqOf", (match,))


def match_range(it: DeployedChain) -> View:
    return it.game.address, encode_call(it.game.abi, "matchRange", ())


async def test_each_view_gives_its_count_in_one_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with deployed_chain(tmp_path) as it:
        for _ in range(MATCHES):
            await it.play(0, "create", 10, 10, False)
        head = await it.node.head()
        views = [match_range(it), *(seq_of(it, match) for match in range(1, MATCHES + 3)), (NOBODY, "0x12345678")]
        single = await Multicall(it.node)._one_by_one(views, {"blockHash": head.hash})
        asked: list[str] = []
        requests = it.node.requests

        async def recorded(calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
            asked.extend(method for method, _params in calls)
            return await requests(calls)

        monkeypatch.setattr(it.node, "requests", recorded)
        found = await Multicall(it.node).counts(views, head.hash)
        assert asked == ["eth_call"]
        assert found == single
        assert found[-1] is None
        assert sum(1 for one in found if one) >= MATCHES + 1

        many = [seq_of(it, match % MATCHES + 1) for match in range(1500)]
        asked.clear()
        assert None not in await Multicall(it.node).counts(many, head.hash)
        assert asked == ["eth_call"] * 2
        with pytest.raises(NodeError):
            await Multicall(it.node).counts(views, "0x" + "1" * 64)


async def test_where_no_such_code_runs_views_are_requested_one_by_one(tmp_path: Path) -> None:
    class Strict(Node):
        """A node that rejects calls that have no `to` address."""

        rejected = 0

        async def requests(self, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
            if any(method == "eth_call" and "to" not in params[0] for method, params in calls):
                self.rejected += 1
                raise NodeError(-32602, "missing field `to`")
            return await super().requests(calls)

    async with deployed_chain(tmp_path) as it:
        await it.play(0, "create", 10, 10, False)
        head, node = await it.node.head(), Strict(it.node.url)
        multicall, views = Multicall(node), [match_range(it), seq_of(it, 1), seq_of(it, 2)]
        expected = await Multicall(it.node).counts(views, head.hash)
        for _ in range(5):
            assert await multicall.counts(views, head.hash) == expected
        assert node.rejected == 3
        await node.aclose()


def test_the_code_is_as_long_as_it_says() -> None:
    assert int(BYTECODE[2:4], 16) == len(BYTECODE) // 2
