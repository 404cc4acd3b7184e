"""Tests that the program recomputes the block hashes of a real chain from headers and receipts. If
a node forges receipts, the program reports an error. Forged headers don't count as verified."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from chainboard.commands.verify import _success_line
from indexer.fetch.block_hash import FORK_FIELDS, hash_matches
from indexer.fetch.receipts import BadReceipts
from indexer.model import Json
from replay.verify.verify_file import verify_replay
from tests.replay.recorded_replays import MATCHES, RecordedMatches, recorded
from tests.replay.test_verify_file import NodeWrapper

MATCH = MATCHES[0]


@pytest.fixture(scope="module")
def it(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecordedMatches]:
    with recorded(tmp_path_factory.mktemp("seal")) as found:
        yield found


def ask(it: RecordedMatches, method: str, *params: object) -> Any:
    return it.runner.run(it.chain.node.request(method, params))


def block(it: RecordedMatches, height: int) -> tuple[Json, list[Json]]:
    return ask(it, "eth_getBlockByNumber", hex(height), False), ask(it, "eth_getBlockReceipts", hex(height))


def busy(it: RecordedMatches) -> tuple[Json, list[Json]]:
    """Return the block with the match's last event, and the block's receipts."""
    return block(it, it.replay(MATCH)["events"][-1]["block"])


def test_each_block_of_a_chain_is_sealed(it: RecordedMatches) -> None:
    head = it.runner.run(it.chain.node.head()).height
    assert head > 20
    assert [height for height in range(head + 1) if not hash_matches(*block(it, height))] == []


def test_a_header_of_which_any_field_is_altered_seals_nothing(it: RecordedMatches) -> None:
    header, receipts = busy(it)
    told = [key for key in header if key not in ("size", "totalDifficulty", "transactions", "uncles", "withdrawals")]
    assert set(FORK_FIELDS) < set(told)
    for key in told:
        last = {"0": "1"}.get(header[key][-1], "0")
        assert not hash_matches({**header, key: header[key][:-1] + last}, receipts), key
        assert not hash_matches(
            {name: value for name, value in header.items() if name != key} | {"hash": "0x"}, receipts
        )


@pytest.mark.parametrize("place", ["status", "cumulativeGasUsed", "logsBloom", "type", "address", "topics", "data"])
def test_receipts_of_which_anything_is_altered_are_refused(it: RecordedMatches, place: str) -> None:
    header, receipts = busy(it)
    forged = copy.deepcopy(receipts)
    held = forged[0] if place in forged[0] else forged[0]["logs"][0]
    if place == "topics":
        held[place].append(held[place][0])
    else:
        held[place] = held[place][:-1] + {"0": "1"}.get(held[place][-1], "0")
    with pytest.raises(BadReceipts, match=r"don't match the receipts root of its header"):
        hash_matches(header, forged)


def test_receipts_of_a_kind_that_is_not_ethereums_seal_nothing(it: RecordedMatches) -> None:
    header, receipts = busy(it)
    assert not hash_matches(header, [{**one, "type": "0x7e"} for one in receipts])


@pytest.mark.parametrize(
    "spoilt", [{"logs": None}, {"status": "yes"}, {"logsBloom": "0xz"}, {"cumulativeGasUsed": "-0x1"}]
)
def test_receipts_that_are_none_are_told(it: RecordedMatches, spoilt: Json) -> None:
    header, receipts = busy(it)
    with pytest.raises(BadReceipts, match=r"the receipts of block \d+ can't be read"):
        hash_matches(header, [{**receipts[0], **spoilt}])


def test_a_node_that_forges_what_blooms_do_not_hold_is_blamed(it: RecordedMatches) -> None:
    class Forger(NodeWrapper):
        """A node that changes the last digit of each log's data."""

        async def receipts(self, header: Any) -> Any:
            found = copy.deepcopy(await self.node.receipts(header))
            for log in (log for one in found for log in one["logs"]):
                log["data"] = log["data"][:-1] + {"0": "1"}.get(log["data"][-1], "0")
            return found

    forger: Any = Forger(it.chain.node)
    with pytest.raises(BadReceipts, match=r"the receipts of block \d+ don't match the receipts root of its header"):
        it.runner.run(verify_replay(forger, it.replay(MATCH)))


def test_of_forged_headers_it_is_said_that_they_do_not_make_their_hashes(it: RecordedMatches) -> None:
    replay = it.replay(MATCH)
    true = it.runner.run(verify_replay(it.chain.node, replay))
    assert (true.hash_verified, true.differences) == (true.blocks, [])
    assert "blocks, all hashes recomputed from headers and receipts; views checked" in _success_line(true)

    class AlteredHeader(NodeWrapper):
        async def raw_headers_at(self, heights: Any) -> Any:
            found = await self.node.raw_headers_at(heights)
            return [(header, {**whole, "receiptsRoot": "0x" + "ab" * 32}) for header, whole in found]

    forged: Any = AlteredHeader(it.chain.node)
    loose = it.runner.run(verify_replay(forged, replay))
    assert loose.hash_verified == 0
    assert (
        f"of which {loose.blocks} have hashes that can't be recomputed from the header and the receipts"
        in _success_line(loose)
    )
