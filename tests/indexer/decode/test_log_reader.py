"""Tests the code that is generated from an ABI to decode logs. The code must decode all types and
values that eth_abi encodes, and reject all other logs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from eth_abi.abi import decode as abi_decode
from eth_abi.abi import encode as abi_encode
from eth_abi.exceptions import DecodingError, EncodingError
from eth_utils.abi import event_abi_to_log_topic
from hypothesis import assume, given
from hypothesis import strategies as st

from contracts import artifacts
from indexer.decode.abi_types import UnknownType, converter
from indexer.decode.decoder import BadLog, Decoder
from indexer.decode.log_reader import make_reader
from indexer.model import Block, Deployment, Event, Json

ADDRESS = "0x00000000000000000000000000000000000000aa"
BLOCK = Block(7, "0x" + "11" * 32, "0x" + "22" * 32, 1_700_000_000)
VALUE_TYPES = [
    *("uint8", "uint16", "uint24", "uint32", "uint40", "uint48", "uint56", "uint64", "uint96", "uint128", "uint256"),
    *("int8", "int24", "int48", "int64", "int128", "int256"),
    *("bool", "address", "bytes1", "bytes4", "bytes20", "bytes31", "bytes32"),
]
OTHER_TYPES = ["bytes", "string", "uint16[]", "address[]", "bytes32[2]", "uint64[3]", "bool[2][]"]

Typed = tuple[str, Any]


def values(kind: str) -> st.SearchStrategy[Any]:
    """Return a Hypothesis strategy for the values of a Solidity type, in the form that eth_abi
    accepts."""
    if kind.endswith("]"):
        inner, size = kind[: kind.rindex("[")], kind[kind.rindex("[") + 1 : -1]
        return st.lists(values(inner), min_size=int(size or 0), max_size=int(size or 4)).map(tuple)
    if kind.startswith("uint"):
        return st.integers(0, 2 ** int(kind[4:]) - 1)
    if kind.startswith("int"):
        bits = int(kind[3:])
        return st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    if kind == "address":
        return st.binary(min_size=20, max_size=20).map(lambda raw: "0x" + raw.hex())
    if kind == "bytes":
        return st.binary(max_size=100)
    if kind.startswith("bytes"):
        return st.binary(min_size=int(kind[5:]), max_size=int(kind[5:]))
    return st.booleans() if kind == "bool" else st.text(max_size=50)


def typed(kinds: list[str]) -> st.SearchStrategy[Typed]:
    return st.sampled_from(kinds).flatmap(lambda kind: st.tuples(st.just(kind), values(kind)))


class Case:
    """An event with arbitrary parameters, and the log that encodes it. A test can also change the
    log and decode it again."""

    def __init__(
        self, match: int, seq: int, indexed: list[Typed], plain: list[Typed], at: int, usual: bool = True
    ) -> None:
        self.match, self.seq = match, seq
        self.indexed = [(f"i{n}", *one) for n, one in enumerate(indexed)]
        self.plain = [(f"p{n}", *one) for n, one in enumerate(plain)]
        self.plain.insert(at % (len(plain) + 1), ("seq", "uint32", seq))
        (self.indexed if usual else self.plain).insert(0, ("matchId", "uint48", match))
        columns = [(name, kind, True) for name, kind, _ in self.indexed]
        columns += [(name, kind, False) for name, kind, _ in self.plain]
        inputs = [{"name": name, "type": kind, "indexed": indexed} for name, kind, indexed in columns]
        self.entry: Json = {"type": "event", "name": "Happened", "inputs": inputs}
        topic = event_abi_to_log_topic(self.entry)  # type: ignore[arg-type]
        self.topics = [topic, *(abi_encode([kind], [value]) for _, kind, value in self.indexed)]
        self.decoder = Decoder([Deployment("a-game", "AGame", ADDRESS, [self.entry], 1, "0x00", "0x00", 0)])
        self.data = abi_encode([kind for _, kind, _ in self.plain], [value for *_, value in self.plain])

    def read(self, *parts: bytes, **changes: Any) -> list[Event]:
        """Decode the case's log, or a changed log, and return its events.

        - `parts`: the topics and the data of the changed log.
        - `changes`: other changed fields of the log."""
        *topics, data = ["0x" + part.hex() for part in (parts or (*self.topics, self.data))]
        log = {
            "address": ADDRESS, "blockNumber": "0x7", "blockHash": BLOCK.hash, "logIndex": "0x2",
            "transactionHash": "0x" + "33" * 32, "removed": False, "topics": topics, "data": data,
        }  # fmt: skip
        return self.decoder.events([log | changes], {7: BLOCK})


def cases(plain: list[str]) -> st.SearchStrategy[Case]:
    return st.builds(
        Case,
        st.integers(0, 2**48 - 1),
        st.integers(0, 2**32 - 1),
        st.lists(typed(VALUE_TYPES), max_size=2),
        st.lists(typed(plain), max_size=6),
        st.integers(0, 6),
        st.sampled_from([True, True, True, False]),
    )


@given(cases(VALUE_TYPES) | cases(VALUE_TYPES + OTHER_TYPES))
def test_every_log_is_read_as_eth_abi_reads_it(case: Case) -> None:
    (event,) = case.read()
    assert {"matchId": event.match, "seq": event.seq, **event.args} == canonical(case, [*case.topics, case.data])
    assert json.loads(json.dumps(event.args)) == event.args


SAMPLES: dict[str, Any] = {
    "bool": True, "address": ADDRESS, "string": "Ω and more than a word of thirty-two bytes", "bytes": b"\x01\x02",
    "uint16[]": (1, 2), "bytes32[2]": (bytes(32), b"\xff" * 32),
}  # fmt: skip


def sample(kind: str, negative: bool = False) -> Any:
    if kind in SAMPLES:
        return SAMPLES[kind]
    if "int" in kind:
        return -3 if negative and kind.startswith("int") else 5
    return bytes(range(1, 1 + int(kind.removeprefix("bytes"))))


@pytest.mark.parametrize("kind", dict.fromkeys([*VALUE_TYPES, *SAMPLES]))
def test_no_bit_is_left_unread(kind: str) -> None:
    """Tests each bit in the data and in the topics. If the test flips a bit, a decoded value must
    change or the decoder must reject the log."""
    indexed = [(kind, sample(kind))] if kind in VALUE_TYPES else []
    case = Case(1, 2, indexed, [(kind, sample(kind)), ("uint8", 7), (kind, sample(kind, True))], 3)
    refused = 0
    for part, whole in enumerate([*case.topics[1:], case.data], 1):
        for bit in range(len(whole) * 8):
            turned = bytearray(whole)
            turned[bit // 8] ^= 1 << bit % 8
            parts = [*case.topics, case.data]
            parts[part] = bytes(turned)
            expected = canonical(case, parts)
            if expected is None:
                refused += 1
                with pytest.raises(BadLog):
                    case.read(*parts)
            else:
                (event,) = case.read(*parts)
                assert {"matchId": event.match, "seq": event.seq, **event.args} == expected, (part, bit)
    # for some types, a flipped bit is always valid, so only flips in matchId and seq are rejected
    assert refused > 500


def canonical(case: Case, parts: list[bytes]) -> Json | None:
    """Return the values that eth_abi decodes. Return None if eth_abi rejects the data, or if the
    data differs from eth_abi's own encoding of the values."""
    kinds = [[kind] for _, kind, _ in case.indexed] + [[kind for _, kind, _ in case.plain]]
    try:
        found = [abi_decode(some, part) for some, part in zip(kinds, parts[1:], strict=True)]
        if [abi_encode(some, values) for some, values in zip(kinds, found, strict=True)] != parts[1:]:
            return None
    except (DecodingError, EncodingError, OverflowError, ValueError):
        return None
    columns = [*case.indexed, *case.plain]
    values = [value for some in found for value in some]
    return {name: converter(kind)(value) for (name, kind, _), value in zip(columns, values, strict=True)}


SPOILT = {
    "a word too many": lambda text: text + "00" * 32,
    "a word too few": lambda text: text[:-64],
    "a byte too many": lambda text: text + "00",
    "a digit too few": lambda text: text[:-1],
    "no prefix": lambda text: text[2:],
    "another prefix": lambda text: "0X" + text[2:],
    "a space for a digit": lambda text: text[:-1] + " ",
    "spaces for a byte": lambda text: text[:-2] + "  ",
    "no hex": lambda text: text[:-1] + "g",
    "a sign": lambda text: text[:2] + "-" + text[3:],
    "digits of another script": lambda text: text[:-1] + "٣",
    "nothing": lambda _text: "",
    "no text": lambda _text: None,
}


@pytest.mark.parametrize("how", SPOILT)
@given(case=cases(VALUE_TYPES) | cases(VALUE_TYPES + OTHER_TYPES))
def test_text_that_is_no_such_word_is_rejected(how: str, case: Case) -> None:
    topics = ["0x" + topic.hex() for topic in case.topics]
    data = "0x" + case.data.hex()
    assume(SPOILT[how](data) != data)
    with pytest.raises(BadLog):
        case.read(data=SPOILT[how](data))
    for at in range(1, len(topics)):
        with pytest.raises(BadLog):
            case.read(topics=[*topics[:at], SPOILT[how](topics[at]), *topics[at + 1 :]])


@given(cases(VALUE_TYPES + OTHER_TYPES))
def test_topics_too_many_or_too_few_are_rejected(case: Case) -> None:
    topics = ["0x" + topic.hex() for topic in case.topics]
    for wrong in ([*topics, topics[-1]], topics[:-1]):
        if not wrong:  # a log without topics is not one of our events
            continue
        with pytest.raises(BadLog):
            case.read(topics=wrong)


@pytest.mark.parametrize(
    "change",
    [
        {"blockNumber": "7"}, {"blockNumber": "0x07"}, {"blockNumber": " 0x7"}, {"blockNumber": "0x7_0"},
        {"blockNumber": 7}, {"blockNumber": None}, {"logIndex": "-0x1"}, {"logIndex": "0x"},
        {"logIndex": "0x100000000"}, {"transactionHash": "0x12"}, {"transactionHash": None},
        {"transactionHash": "0x" + "3G" * 32},
        {"address": "0x12"}, {"address": None}, {"topics": None}, {"topics": "0x"}, {"blockHash": None},
    ],
)  # fmt: skip
def test_a_place_that_is_none_is_rejected(change: Json) -> None:
    with pytest.raises(BadLog):
        Case(1, 1, [], [], 0).read(**change)


def test_every_event_of_every_contract_has_a_reader() -> None:
    for file in sorted(Path(artifacts.FOLDER).glob("*.json")):
        for entry in artifacts.load(file.stem).abi:
            if entry["type"] == "event":
                of_a_match = {"matchId", "seq"} <= {one["name"] for one in entry["inputs"]}
                assert (make_reader(entry) is not None) == of_a_match, entry["name"]


def test_an_indexed_text_is_known_by_its_hash_alone() -> None:
    case = Case(1, 1, [("bytes32", b"\xab" * 32)], [], 0)
    case.entry["inputs"][1]["type"] = "string"
    decoder = Decoder([Deployment("a-game", "AGame", ADDRESS, [case.entry], 1, "0x00", "0x00", 0)])
    case.topics[0] = event_abi_to_log_topic(case.entry)  # type: ignore[arg-type]
    case.decoder = decoder
    (event,) = case.read()
    assert event.args == {"i0": "0x" + "ab" * 32}


def test_a_type_without_json_is_rejected_at_once() -> None:
    inputs = [{"name": name, "type": "uint32", "indexed": False} for name in ("matchId", "seq")]
    inputs.append({"name": "how", "type": "function", "indexed": False})
    with pytest.raises(UnknownType, match="function"):
        make_reader({"type": "event", "name": "Odd", "inputs": inputs})
