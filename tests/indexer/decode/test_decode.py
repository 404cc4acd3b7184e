"""Tests that the decoder turns logs into events and rejects bad logs. A value's Solidity type
determines its JSON form: wide integers become strings."""

from __future__ import annotations

from typing import Any

import pytest
from eth_abi.abi import encode
from eth_utils.crypto import keccak

from indexer.decode.abi_types import converter
from indexer.decode.decoder import BadLog, Decoder
from indexer.model import Block, Deployment

ADDRESS = "0x00000000000000000000000000000000000000AA"
BLOCK = Block(7, "0x" + "11" * 32, "0x" + "22" * 32, 1_700_000_000)
EVENT = {
    "type": "event",
    "name": "Moved",
    "inputs": [
        {"name": "matchId", "type": "uint48", "indexed": True},
        {"name": "seq", "type": "uint32", "indexed": False},
        {"name": "who", "type": "address", "indexed": True},
        {"name": "stake", "type": "uint256", "indexed": False},
        {"name": "memo", "type": "bytes", "indexed": False},
    ],
}


def deployment(first: int = 1, end: int | None = None) -> Deployment:
    return Deployment("a-game", "AGame", ADDRESS, [EVENT], 1, "0x00", "0x00", first, end)


def log(match: int = 3, **changes: Any) -> dict[str, Any]:
    topics = [keccak(text="Moved(uint48,uint32,address,uint256,bytes)"), encode(["uint48"], [match])]
    topics.append(encode(["address"], [ADDRESS]))
    data = encode(["uint32", "uint256", "bytes"], [5, 2**60, b"\x01\x02"])
    return {
        "address": ADDRESS.lower(), "blockNumber": "0x7", "blockHash": BLOCK.hash, "logIndex": "0x2",
        "transactionHash": "0x" + "33" * 32, "topics": ["0x" + topic.hex() for topic in topics],
        "data": "0x" + data.hex(), **changes,
    }  # fmt: skip


def test_an_event_is_decoded_with_its_place_and_json_values() -> None:
    (event,) = Decoder([deployment()]).events([log()], {7: BLOCK})
    assert (event.game, event.match, event.seq, event.name, event.log_index) == ("a-game", 3, 5, "Moved", 2)
    assert event.args == {"who": ADDRESS, "stake": str(2**60), "memo": "0x0102"}
    assert (event.height, event.hash, event.time) == (7, BLOCK.hash, BLOCK.time)


def test_a_log_of_another_block_than_requested_is_rejected() -> None:
    with pytest.raises(BadLog, match="not requested"):
        Decoder([deployment()]).events([log(blockHash="0x" + "99" * 32)], {7: BLOCK})


def test_each_log_is_held_against_its_block() -> None:
    with pytest.raises(BadLog, match="not requested"):
        Decoder([deployment()]).events([log(), log(blockHash="0x" + "99" * 32, logIndex="0x3")], {7: BLOCK})
    with pytest.raises(BadLog, match="not requested"):
        Decoder([deployment()]).events([log(), log(blockNumber="0x8", logIndex="0x3")], {7: BLOCK})


@pytest.mark.parametrize("change", [{"data": "0x00"}, {"data": "nonsense"}, {"address": "0x12"}, {"blockNumber": 7}])
def test_a_malformed_log_is_rejected_in_a_sentence(change: dict[str, Any]) -> None:
    with pytest.raises(BadLog, match="can't be read"):
        Decoder([deployment()]).events([log(**change)], {7: BLOCK})


def test_matches_outside_a_deployments_range_are_not_followed() -> None:
    decoder = Decoder([deployment(first=2, end=4)])
    found = decoder.events([log(match=number) for number in (1, 2, 3, 4)], {7: BLOCK})
    assert [event.match for event in found] == [2, 3]


def test_unknown_events_are_left_out() -> None:
    assert Decoder([deployment()]).events([log(topics=["0x" + "77" * 32])], {7: BLOCK}) == []


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("uint48", 2**48 - 1, 2**48 - 1),
        ("uint56", 1, "1"),
        ("int256", -1, "-1"),
        ("bytes32", b"\x00" * 32, "0x" + "00" * 32),
        ("bool", True, True),
        ("uint64[]", (1, 2), ["1", "2"]),
    ],
)
def test_values_are_json_by_the_width_of_their_type(kind: str, value: object, expected: object) -> None:
    assert converter(kind)(value) == expected


def test_the_topics_of_all_events_are_known_by_address() -> None:
    topic = "0x" + keccak(text="Moved(uint48,uint32,address,uint256,bytes)").hex()
    assert Decoder([deployment()]).topics == {ADDRESS.lower(): (topic,)}
