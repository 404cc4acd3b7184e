"""Readers of logs: a function for each event, made once from its layout in the ABI.

Every argument has a word of 32 bytes, in the topics or in the data; texts and bytes follow the words of the data. A log
is read in one go: its hex, the bits of its words that must be zero, the words, what follows. Only data with arrays are
read by eth_abi. Layout: https://docs.soliditylang.org/en/latest/abi-spec.html#events
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from struct import Struct
from typing import Any, TypeAlias

from eth_abi.abi import decode as abi_decode
from eth_abi.abi import encode as abi_encode

from indexer.decode.abi_types import HASHED_WORD, WORD_BYTES, AbiWord, converter, number, word_of
from indexer.model import Json

HEX_WORD = len("0x") + 2 * WORD_BYTES

LogReader: TypeAlias = Callable[[list[str], str], tuple[Any, Any, Json]]
"""(topics, data) -> matchId, seq and the other arguments; raises for a log that is not laid out so."""
Column: TypeAlias = tuple[str, AbiWord]


def make_reader(entry: Json) -> LogReader | None:
    """Makes the reader of one event's logs; None for an event of no match: one without `matchId` and `seq`.

    Raises UnknownType."""
    inputs: list[Json] = entry["inputs"]
    if not {"matchId", "seq"} <= {one["name"] for one in inputs}:
        return None
    topics = [(one["name"], _topic(one["type"])) for one in inputs if one["indexed"]]
    plain = {one["name"]: one["type"] for one in inputs if not one["indexed"]}
    data = [(name, found) for name, kind in plain.items() if (found := word_of(kind))]
    if len(data) < len(plain):
        return _reader(topics, [], plain)
    return _reader(topics, data, {})


def _topic(kind: str) -> AbiWord:
    found = word_of(kind)
    return HASHED_WORD if found is None or found.dynamic else found


def _reader(topics: Sequence[Column], data: Sequence[Column], foreign: Mapping[str, str]) -> LogReader:
    """`foreign`: the types of the arguments when eth_abi reads the data."""
    words = [*topics, *data]
    count, begin, end = 1 + len(topics), WORD_BYTES * len(topics), WORD_BYTES * len(words)
    padding = int.from_bytes(b"".join(word.padding.to_bytes(WORD_BYTES, "big") for _, word in words), "big")
    unpack = Struct(">" + "".join(word.code for _, word in words)).unpack_from
    dynamic = [at for at, (_, word) in enumerate(words) if word.dynamic]
    read_foreign = _foreign(list(foreign.values())) if foreign else None
    names = [*(name for name, _ in words), *foreign]
    match, seq = names.index("matchId"), names.index("seq")
    keys = sorted({*names} - {"matchId", "seq"})
    positions = [(key, names.index(key)) for key in keys]
    conversions = [(name, word.convert) for name, word in words if word.convert and name in keys]
    fixed = None if dynamic or foreign else len("0x") + 2 * (end - begin)

    def read(log_topics: list[str], text: str) -> tuple[Any, Any, Json]:
        if len(log_topics) != count or text[:2] != "0x" or fixed not in (None, len(text)):
            raise ValueError("another number of topics, or data of another length")
        joined = ""
        for topic in log_topics[1:]:
            if len(topic) != HEX_WORD or topic[:2] != "0x":
                raise ValueError("a topic of another length")
            joined += topic[2:]
        if read_foreign is None:
            joined += text[2:]
        raw = bytes.fromhex(joined)
        if len(raw) * 2 != len(joined) or len(raw) < end or int.from_bytes(raw[:end], "big") & padding:
            raise ValueError("no hex, or a value beyond its type")
        values: Sequence[Any] = unpack(raw)
        if dynamic:
            values = list(values)
            for at, tail in zip(dynamic, _tails(raw, begin, end, [values[at] for at in dynamic]), strict=True):
                values[at] = tail
        if read_foreign is not None:
            values = [*values, *read_foreign(text)]
        args = {key: values[at] for key, at in positions}
        for name, convert in conversions:
            args[name] = convert(args[name])
        return values[match], values[seq], args

    return read


def _tails(raw: bytes, begin: int, end: int, offsets: Sequence[int]) -> list[bytes]:
    """What follows the words, one after the other without a gap. The data begin at `begin`, their words end at
    `end`."""
    found, at = [], end
    for offset in offsets:
        first = at + WORD_BYTES
        last = first + number(raw[at:first])
        next_at = first + -(-(last - first) // WORD_BYTES) * WORD_BYTES
        if offset != at - begin or any(raw[last:next_at]):
            raise ValueError("the data are laid out in another way")
        found.append(raw[first:last])
        at = next_at
    if at != len(raw):
        raise ValueError("the data don't end where they should")
    return found


def _foreign(kinds: list[str]) -> Callable[[str], list[Any]]:
    """Reads data that eth_abi lays out; what it would have laid out otherwise is refused."""
    converters = [converter(kind) for kind in kinds]

    def read(data: str) -> list[Any]:
        raw = bytes.fromhex(data[2:])
        values = abi_decode(kinds, raw)
        if data[:2] != "0x" or abi_encode(kinds, values) != raw or len(data) != 2 + 2 * len(raw):
            raise ValueError("the data are laid out in another way")
        return [convert(value) for convert, value in zip(converters, values, strict=True)]

    return read
