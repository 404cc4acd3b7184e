"""Builds a log reader for each event in an ABI. A log reader decodes the logs of one event.

Each argument of an event has a word of 32 bytes in the log's topics or data. Strings and byte
arrays follow after the data's words. A log reader works in these steps:
- decode the log's hex digits
- check that the padding bits are zero
- unpack all words
- read the strings and byte arrays

The library eth_abi decodes data with other arrays, such as `address[]`. Layout:
https://docs.soliditylang.org/en/latest/abi-spec.html#events"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from struct import Struct
from typing import Any, TypeAlias

from eth_abi.abi import decode as abi_decode
from eth_abi.abi import encode as abi_encode

from indexer.decode.abi_types import HASHED_WORD, WORD_BYTES, AbiWord, abi_word, converter, decode_uint
from indexer.model import Json

HEX_WORD = len("0x") + 2 * WORD_BYTES

LogReader: TypeAlias = Callable[[list[str], str], tuple[Any, Any, Json]]
"""A function `(topics, data) -> (matchId, seq, args)`. It raises an error if the log doesn't have
the layout that the event's ABI describes."""
NamedWord: TypeAlias = tuple[str, AbiWord]


def make_reader(entry: Json) -> LogReader | None:
    """Return the log reader for an event. `entry`: the event's entry in the ABI. Return None if the
    event has no `matchId` or no `seq`, because it belongs to no match. Raises UnknownType."""
    inputs: list[Json] = entry["inputs"]
    if not {"matchId", "seq"} <= {one["name"] for one in inputs}:
        return None
    topics = [(one["name"], _topic(one["type"])) for one in inputs if one["indexed"]]
    unindexed = {one["name"]: one["type"] for one in inputs if not one["indexed"]}
    data = [(name, found) for name, abi_type in unindexed.items() if (found := abi_word(abi_type))]
    if len(data) < len(unindexed):
        return _reader(topics, [], unindexed)
    return _reader(topics, data, {})


def _topic(abi_type: str) -> AbiWord:
    found = abi_word(abi_type)
    return HASHED_WORD if found is None or found.dynamic else found


def _reader(topics: Sequence[NamedWord], data: Sequence[NamedWord], eth_abi_types: Mapping[str, str]) -> LogReader:
    """Build a log reader from the layouts of an event's topics and data. `eth_abi_types`: the
    name and Solidity type of each argument in the data. It is empty unless eth_abi decodes the
    data."""
    words = [*topics, *data]
    count, begin, end = 1 + len(topics), WORD_BYTES * len(topics), WORD_BYTES * len(words)
    padding = int.from_bytes(b"".join(word.padding.to_bytes(WORD_BYTES, "big") for _, word in words), "big")
    unpack = Struct(">" + "".join(word.code for _, word in words)).unpack_from
    dynamic = [at for at, (_, word) in enumerate(words) if word.dynamic]
    read_with_eth_abi = _eth_abi_reader(list(eth_abi_types.values())) if eth_abi_types else None
    names = [*(name for name, _ in words), *eth_abi_types]
    match, seq = names.index("matchId"), names.index("seq")
    keys = sorted({*names} - {"matchId", "seq"})
    positions = [(key, names.index(key)) for key in keys]
    conversions = [(name, word.convert) for name, word in words if word.convert and name in keys]
    fixed = None if dynamic or eth_abi_types else len("0x") + 2 * (end - begin)

    def read(log_topics: list[str], text: str) -> tuple[Any, Any, Json]:
        if len(log_topics) != count or text[:2] != "0x" or fixed not in (None, len(text)):
            raise ValueError("the number of topics or the length of the data is wrong")
        joined = ""
        for topic in log_topics[1:]:
            if len(topic) != HEX_WORD or topic[:2] != "0x":
                raise ValueError("a topic has the wrong length")
            joined += topic[2:]
        if read_with_eth_abi is None:
            joined += text[2:]
        raw = bytes.fromhex(joined)
        if len(raw) * 2 != len(joined) or len(raw) < end or int.from_bytes(raw[:end], "big") & padding:
            raise ValueError("the data has invalid hex, or a value is too large for its type")
        values: Sequence[Any] = unpack(raw)
        if dynamic:
            values = list(values)
            for at, tail in zip(dynamic, _tails(raw, begin, end, [values[at] for at in dynamic]), strict=True):
                values[at] = tail
        if read_with_eth_abi is not None:
            values = [*values, *read_with_eth_abi(text)]
        args = {key: values[at] for key, at in positions}
        for name, convert in conversions:
            args[name] = convert(args[name])
        return values[match], values[seq], args

    return read


def _tails(raw: bytes, begin: int, end: int, offsets: Sequence[int]) -> list[bytes]:
    """Return the strings and byte arrays of a log. They must follow the data's words without gaps.
    In `raw`, the data begins at `begin` and its words end at `end`."""
    found, at = [], end
    for offset in offsets:
        first = at + WORD_BYTES
        last = first + decode_uint(raw[at:first])
        next_at = first + -(-(last - first) // WORD_BYTES) * WORD_BYTES
        if offset != at - begin or any(raw[last:next_at]):
            raise ValueError("the data has an unexpected layout")
        found.append(raw[first:last])
        at = next_at
    if at != len(raw):
        raise ValueError("the data is too long or too short")
    return found


def _eth_abi_reader(abi_types: list[str]) -> Callable[[str], list[Any]]:
    """Return a function that decodes data with eth_abi. The function rejects data that
    differs from eth_abi's encoding of the decoded values."""
    converters = [converter(abi_type) for abi_type in abi_types]

    def read(data: str) -> list[Any]:
        raw = bytes.fromhex(data[2:])
        values = abi_decode(abi_types, raw)
        if data[:2] != "0x" or abi_encode(abi_types, values) != raw or len(data) != 2 + 2 * len(raw):
            raise ValueError("the data has an unexpected layout")
        return [convert(value) for convert, value in zip(converters, values, strict=True)]

    return read
