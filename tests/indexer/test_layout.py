"""The code that is made from an ABI reads what eth_abi wrote, for all types and values; any other log it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from eth_abi.abi import decode as abi_decode
from eth_abi.abi import encode as abi_encode
from eth_utils.abi import event_abi_to_log_topic
from hypothesis import assume, given
from hypothesis import strategies as st

from contracts import artifacts
from indexer.decode import BadLog, Decoder, converter
from indexer.layout import UnknownType, reader
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
    """Any value of a type, as eth_abi takes it."""
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
    """An event of any shape, the log of one, and what eth_abi reads in it."""

    def __init__(self, match: int, seq: int, indexed: list[Typed], plain: list[Typed], at: int) -> None:
        self.match, self.seq = match, seq
        self.indexed = [("matchId", "uint48", match), *((f"i{n}", *one) for n, one in enumerate(indexed))]
        self.plain = [(f"p{n}", *one) for n, one in enumerate(plain)]
        self.plain.insert(at % (len(plain) + 1), ("seq", "uint32", seq))
        columns = [(name, kind, True) for name, kind, _ in self.indexed]
        columns += [(name, kind, False) for name, kind, _ in self.plain]
        inputs = [{"name": name, "type": kind, "indexed": indexed} for name, kind, indexed in columns]
        self.entry: Json = {"type": "event", "name": "Happened", "inputs": inputs}
        topic = event_abi_to_log_topic(self.entry)  # type: ignore[arg-type]
        self.topics = [topic, *(abi_encode([kind], [value]) for _, kind, value in self.indexed)]
        self.data = abi_encode([kind for _, kind, _ in self.plain], [value for *_, value in self.plain])

    def expected(self) -> Json:
        """By eth_abi alone."""
        found = [abi_decode([kind], raw)[0] for (_, kind, _), raw in zip(self.indexed, self.topics[1:], strict=True)]
        found += abi_decode([kind for _, kind, _ in self.plain], self.data)
        columns = [*self.indexed, *self.plain]
        read = {name: converter(kind)(value) for (name, kind, _), value in zip(columns, found, strict=True)}
        return {name: value for name, value in read.items() if name not in ("matchId", "seq")}

    def read(self, **changes: Any) -> list[Event]:
        log = {
            "address": ADDRESS, "blockNumber": "0x7", "blockHash": BLOCK.hash, "logIndex": "0x2",
            "transactionHash": "0x" + "33" * 32, "removed": False,
            "topics": ["0x" + topic.hex() for topic in self.topics], "data": "0x" + self.data.hex(),
        }  # fmt: skip
        return Decoder([self.deployment()]).events([log | changes], {7: BLOCK})

    def deployment(self) -> Deployment:
        return Deployment("a-game", "AGame", ADDRESS, [self.entry], 1, "0x00", "0x00", 0)


def cases(plain: list[str]) -> st.SearchStrategy[Case]:
    return st.builds(
        Case,
        st.integers(0, 2**48 - 1),
        st.integers(0, 2**32 - 1),
        st.lists(typed(VALUE_TYPES), max_size=2),
        st.lists(typed(plain), max_size=6),
        st.integers(0, 6),
    )


@given(cases(VALUE_TYPES) | cases(VALUE_TYPES + OTHER_TYPES))
def test_every_log_is_read_as_eth_abi_reads_it(case: Case) -> None:
    (event,) = case.read()
    assert (event.match, event.seq, event.args) == (case.match, case.seq, case.expected())
    assert json.loads(json.dumps(event.args)) == event.args


@given(cases(VALUE_TYPES + OTHER_TYPES), st.data())
def test_a_log_that_was_changed_anywhere_is_read_as_eth_abi_reads_it_or_refused(
    case: Case, data: st.DataObject
) -> None:
    """A bit turned in the data or in a topic: a value of its type is another value, and nothing else is read at all."""
    raw = [bytearray(part) for part in (*case.topics[1:], case.data)]
    part = data.draw(st.sampled_from(raw))
    bit = data.draw(st.integers(0, len(part) * 8 - 1))
    part[bit // 8] ^= 1 << bit % 8
    *topics, case.data = map(bytes, raw)
    case.topics[1:] = topics
    try:
        expected = case.expected()
        columns = [abi_decode([kind], topic)[0] for (_, kind, _), topic in zip(case.indexed, topics, strict=True)]
        plain = abi_decode([kind for _, kind, _ in case.plain], case.data)
        again = [abi_encode([kind], [value]) for (_, kind, _), value in zip(case.indexed, columns, strict=True)]
        canonical = [*again, abi_encode([kind for _, kind, _ in case.plain], plain)] == [*topics, case.data]
    except Exception:
        canonical = False
    if canonical:
        assert [event.args for event in case.read()] == [expected]
    else:
        with pytest.raises(BadLog):
            case.read()


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
def test_text_that_is_no_such_word_is_refused(how: str, case: Case) -> None:
    topics = ["0x" + topic.hex() for topic in case.topics]
    data = "0x" + case.data.hex()
    assume(SPOILT[how](data) != data)
    with pytest.raises(BadLog):
        case.read(data=SPOILT[how](data))
    for at in range(1, len(topics)):
        with pytest.raises(BadLog):
            case.read(topics=[*topics[:at], SPOILT[how](topics[at]), *topics[at + 1 :]])


@given(cases(VALUE_TYPES + OTHER_TYPES))
def test_topics_too_many_or_too_few_are_refused(case: Case) -> None:
    topics = ["0x" + topic.hex() for topic in case.topics]
    for wrong in ([*topics, topics[-1]], topics[:-1]):
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
def test_a_place_that_is_none_is_refused(change: Json) -> None:
    with pytest.raises(BadLog):
        Case(1, 1, [], [], 0).read(**change)


def test_every_event_of_every_contract_has_a_reader() -> None:
    for file in sorted(Path(artifacts.FOLDER).glob("*.json")):
        for entry in artifacts.load(file.stem).abi:
            if entry["type"] == "event":
                of_a_match = {"matchId", "seq"} <= {one["name"] for one in entry["inputs"]}
                assert (reader(entry) is not None) == of_a_match, entry["name"]


def test_an_indexed_text_is_known_by_its_hash_alone() -> None:
    case = Case(1, 1, [], [], 0)
    case.entry["inputs"].append({"name": "said", "type": "string", "indexed": True})
    topic = "0x" + event_abi_to_log_topic(case.entry).hex()  # type: ignore[arg-type]
    (event,) = case.read(topics=[topic, "0x" + case.topics[1].hex(), "0x" + "ab" * 32])
    assert event.args == {"said": "0x" + "ab" * 32}


def test_a_type_without_json_is_refused_at_once() -> None:
    inputs = [{"name": name, "type": "uint32", "indexed": False} for name in ("matchId", "seq")]
    inputs.append({"name": "how", "type": "function", "indexed": False})
    with pytest.raises(UnknownType, match="function"):
        reader({"type": "event", "name": "Odd", "inputs": inputs})
