"""How the logs of an event are laid out: code that reads them, made once from the ABI.

Every value type takes one word of 32 bytes, in topics as in data; the rest of the word is zero. So the log of an event
that has no others is read in one go: its hex, the bits that must be zero, its words. Events with arrays, strings or
bytes have their data read by eth_abi. Layout: https://docs.soliditylang.org/en/latest/abi-spec.html#events
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from struct import Struct
from typing import Any, TypeAlias

from eth_abi.abi import decode as abi_decode
from eth_abi.abi import encode as abi_encode
from eth_utils.address import to_checksum_address

from indexer.model import Json

JSON_SAFE_BITS = 48
WORD = 32
HEX_WORD = len("0x") + 2 * WORD
ALL = (1 << 8 * WORD) - 1
INTEGERS = {8: "B", 16: "H", 32: "I", 64: "Q"}
"""What `struct` can unpack at once, by bits."""

Read: TypeAlias = Callable[[list[str], str], tuple[Any, Any, Json]]
"""(topics, data) -> matchId, seq and the other arguments; raises for a log that is not laid out so."""
Convert: TypeAlias = Callable[[Any], Any]

checksum = lru_cache(maxsize=65_536)(to_checksum_address)


class UnknownType(Exception):
    """No JSON is defined for this type of Solidity's."""


@dataclass(frozen=True, slots=True)
class Word:
    """A value type's word: its `struct` code, the bits that must be zero, and its JSON as an expression in `{}`."""

    code: str
    padding: int
    json: str


def converter(kind: str) -> Convert:
    """How a Solidity value becomes JSON: a number up to 48 bits, else a decimal string; bytes 0x hex."""
    if kind.endswith("]"):
        inner = converter(kind[: kind.rindex("[")])
        return lambda values: [inner(value) for value in values]
    if kind == "address":
        return checksum
    if kind.startswith("bytes"):
        return lambda value: "0x" + value.hex()
    if kind.startswith(("uint", "int")):
        return int if _bits(kind) <= JSON_SAFE_BITS else str
    if kind in ("bool", "string"):
        return lambda value: value
    raise UnknownType(f"no JSON is defined for the Solidity type {kind}")


def _bits(kind: str) -> int:
    return int(kind.removeprefix("u").removeprefix("int") or 256)


def word(kind: str) -> Word | None:
    """The word of a value type; None for a type that takes several, or a varying number. Raises UnknownType."""
    converter(kind)
    if kind.endswith("]") or kind in ("bytes", "string"):
        return None
    if kind == "address":
        return Word("12x20s", ALL ^ ((1 << 160) - 1), "checksum({})")
    if kind == "bool":
        return Word("31x?", ALL ^ 1, "{}")
    if kind.startswith("bytes"):
        size = int(kind.removeprefix("bytes"))
        return Word(f"{size}s{WORD - size}x", (1 << 8 * (WORD - size)) - 1, "'0x' + {}.hex()")
    bits = _bits(kind)
    json = "{}" if bits <= JSON_SAFE_BITS else "str({})"
    if kind.startswith("int"):
        return Word("32s", 0, json.format(f"signed({{}}, {bits})"))
    padding = ALL ^ ((1 << bits) - 1)
    for size, code in INTEGERS.items():
        if bits <= size:
            return Word(f"{WORD - size // 8}x{code}", padding, json)
    return Word("32s", padding, json.format("number({})"))


def _number(raw: bytes) -> int:
    return int.from_bytes(raw, "big")


def _signed(raw: bytes, bits: int) -> int:
    value = int.from_bytes(raw, "big", signed=True)
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise ValueError(f"{value} is no int{bits}")
    return value


def _dynamic(kinds: Sequence[str]) -> Callable[[str], tuple[Any, ...]]:
    """Reads data that eth_abi lays out; what it would have laid out otherwise is refused."""
    names, converters = list(kinds), [converter(kind) for kind in kinds]

    def read(data: str) -> tuple[Any, ...]:
        raw = bytes.fromhex(data[2:])
        values = abi_decode(names, raw)
        if data[:2] != "0x" or abi_encode(names, values) != raw or len(data) != 2 + 2 * len(raw):
            raise ValueError("the data are laid out in another way")
        return tuple(convert(value) for convert, value in zip(converters, values, strict=True))

    return read


TEMPLATE = """
def read(topics, data):
    {topics} = topics
    if not ({lengths}):
        raise ValueError("a topic or the data of another length")
    raw = fromhex({text})
    if len(raw) != {size} or from_bytes(raw, "big") & {padding}:
        raise ValueError("no hex, or a value beyond its type")
    {words} = unpack(raw)
    {dynamic}
    return {match}, {seq}, {{{arguments}}}
"""


def reader(entry: Json) -> Read | None:
    """Reads the logs of one event; None for an event of no match: one without `matchId` and `seq`.

    Raises UnknownType."""
    inputs: list[Json] = entry["inputs"]
    if not {"matchId", "seq"} <= {one["name"] for one in inputs}:
        return None
    indexed, plain = [one for one in inputs if one["indexed"]], [one for one in inputs if not one["indexed"]]
    kinds = [one["type"] for one in plain]
    topics = [(one["name"], word(one["type"]) or Word("32s", 0, "'0x' + {}.hex()")) for one in indexed]  # hashed
    data = [(one["name"], found) for one in plain if (found := word(one["type"]))]
    fixed = len(data) == len(plain)
    code = _code(topics, data if fixed else [], [] if fixed else [one["name"] for one in plain])
    words = [found for _, found in (topics + data if fixed else topics)]
    names: dict[str, Any] = {
        "fromhex": bytes.fromhex,
        "from_bytes": int.from_bytes,
        "number": _number,
        "signed": _signed,
        "checksum": checksum,
        "unpack": Struct(">" + "".join(found.code for found in words)).unpack,
        "dynamic": None if fixed else _dynamic(kinds),
    }
    exec(compile(code, f"<the log of {entry['name']}>", "exec"), names)
    made: Read = names["read"]
    return made


def _code(topics: Sequence[tuple[str, Word]], data: Sequence[tuple[str, Word]], dynamic: Sequence[str]) -> str:
    words = [*topics, *data]
    marks = [f"t{at}" for at in range(len(topics))]
    parts = marks if dynamic else [*marks, "data"]
    sizes = dict.fromkeys(marks, HEX_WORD) | ({} if dynamic else {"data": 2 + 2 * WORD * len(data)})
    padding = 0
    for _, found in words:
        padding = padding << 8 * WORD | found.padding
    values = {name: found.json.format(f"a{at}") for at, (name, found) in enumerate(words)}
    values |= {name: f"d{at}" for at, name in enumerate(dynamic)}
    arguments = sorted(values.keys() - {"matchId", "seq"})
    return TEMPLATE.format(
        topics=", ".join(["_", *marks]),
        lengths=" and ".join([f"len({part}) == {sizes[part]} and {part}[:2] == '0x'" for part in parts]),
        text=" + ".join(f"{part}[2:]" for part in parts),
        size=WORD * len(words),
        padding=hex(padding),
        words=", ".join([*(f"a{at}" for at in range(len(words)))]) + ",",
        dynamic=", ".join([*(f"d{at}" for at in range(len(dynamic)))]) + ", = dynamic(data)" if dynamic else "",
        match=values["matchId"],
        seq=values["seq"],
        arguments=", ".join(f"{name!r}: {values[name]}" for name in arguments),
    )
