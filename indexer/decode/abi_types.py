"""Solidity's types: the layout of a value in a word of 32 bytes, and its JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from contracts.abi import checksum

JSON_SAFE_BITS = 48
WORD_BYTES = 32
ALL_BITS = (1 << 8 * WORD_BYTES) - 1
INTEGERS = {8: "B", 16: "H", 32: "I", 64: "Q"}
"""Codes of the integers that `struct` can unpack, by number of bits."""

Convert: TypeAlias = Callable[[Any], Any]


class UnknownType(Exception):
    """No JSON is defined for this Solidity type."""


def converter(kind: str) -> Convert:
    """Return the function that converts a value of this Solidity type to JSON.

    Integers of up to 48 bits become numbers, larger ones decimal strings. Bytes become 0x hex.
    Raises UnknownType."""
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


@dataclass(frozen=True, slots=True)
class AbiWord:
    """Layout of a value in a word.

    `code`: its `struct` code. `padding`: the bits that must be zero.
    `convert`: converts the unpacked value to JSON. None: the value is JSON already.
    `dynamic`: the word is an offset. The value's length and bytes follow the words."""

    code: str
    padding: int
    convert: Convert | None = None
    dynamic: bool = False


def _hex(raw: bytes) -> str:
    return "0x" + raw.hex()


HASHED_WORD = AbiWord(f"{WORD_BYTES}s", 0, _hex)
"""A topic with the hash of a value that does not fit into a word."""


def word_of(kind: str) -> AbiWord | None:
    """Return the word of a type, None for an array. Raises UnknownType."""
    converter(kind)
    if kind.endswith("]"):
        return None
    if kind in ("bytes", "string"):
        return AbiWord("24xQ", ALL_BITS ^ ((1 << 64) - 1), _hex if kind == "bytes" else bytes.decode, dynamic=True)
    if kind == "address":
        return AbiWord("12x20s", ALL_BITS ^ ((1 << 160) - 1), checksum)
    if kind == "bool":
        return AbiWord("31x?", ALL_BITS ^ 1)
    if kind.startswith("bytes"):
        size = int(kind.removeprefix("bytes"))
        return AbiWord(f"{size}s{WORD_BYTES - size}x", (1 << 8 * (WORD_BYTES - size)) - 1, _hex)
    return _integer(kind)


def _integer(kind: str) -> AbiWord:
    bits, json = _bits(kind), converter(kind)
    if kind.startswith("int"):
        return AbiWord(f"{WORD_BYTES}s", 0, lambda raw: json(signed(raw, bits)))
    padding = ALL_BITS ^ ((1 << bits) - 1)
    for size, code in INTEGERS.items():
        if bits <= size:
            return AbiWord(f"{WORD_BYTES - size // 8}x{code}", padding, None if json is int else json)
    return AbiWord(f"{WORD_BYTES}s", padding, lambda raw: json(number(raw)))


def number(raw: bytes) -> int:
    return int.from_bytes(raw, "big")


def signed(raw: bytes, bits: int) -> int:
    """Read a signed integer. Raises ValueError if it has more than `bits` bits."""
    value = int.from_bytes(raw, "big", signed=True)
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise ValueError(f"{value} does not fit into int{bits}")
    return value
