"""Converts values of Solidity types to JSON, and describes their layout in ABI words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from contracts.abi import checksum

JSON_SAFE_BITS = 48
WORD_BYTES = 32
ALL_BITS = (1 << 8 * WORD_BYTES) - 1
INTEGERS = {8: "B", 16: "H", 32: "I", 64: "Q"}
"""The format codes of the `struct` module for unsigned integers. The key is the number of bits."""

Convert: TypeAlias = Callable[[Any], Any]


class UnknownType(Exception):
    """A Solidity type that this module can't convert to JSON."""


def converter(abi_type: str) -> Convert:
    """Return the function that converts a value of this Solidity type to JSON.

    Integers of up to 48 bits become numbers, and larger integers become decimal strings. Bytes
    become 0x hex. Raises UnknownType."""
    if abi_type.endswith("]"):
        inner = converter(abi_type[: abi_type.rindex("[")])
        return lambda values: [inner(value) for value in values]
    if abi_type == "address":
        return checksum
    if abi_type.startswith("bytes"):
        return lambda value: "0x" + value.hex()
    if abi_type.startswith(("uint", "int")):
        return int if _bits(abi_type) <= JSON_SAFE_BITS else str
    if abi_type in ("bool", "string"):
        return lambda value: value
    raise UnknownType(f"the Solidity type {abi_type} has no JSON form")


def _bits(abi_type: str) -> int:
    return int(abi_type.removeprefix("u").removeprefix("int") or 256)


@dataclass(frozen=True, slots=True)
class AbiWord:
    """The layout of a value in an ABI word of 32 bytes.

    - `code`: the value's format code in the `struct` module
    - `padding`: a mask of the bits that must be zero
    - `convert`: the function that converts the unpacked value to JSON, or None if the value needs
      no conversion
    - `dynamic`: True if the word is an offset. The value's length and bytes follow after all words.
    """

    code: str
    padding: int
    convert: Convert | None = None
    dynamic: bool = False


def _hex(raw: bytes) -> str:
    return "0x" + raw.hex()


HASHED_WORD = AbiWord(f"{WORD_BYTES}s", 0, _hex)
"""The layout of a topic that contains a hash. A topic contains a value's hash if the value doesn't
fit into a word."""


def abi_word(abi_type: str) -> AbiWord | None:
    """Return the layout of a type's values in a word, or None for an array. Raises UnknownType."""
    converter(abi_type)
    if abi_type.endswith("]"):
        return None
    if abi_type in ("bytes", "string"):
        return AbiWord("24xQ", ALL_BITS ^ ((1 << 64) - 1), _hex if abi_type == "bytes" else bytes.decode, dynamic=True)
    if abi_type == "address":
        return AbiWord("12x20s", ALL_BITS ^ ((1 << 160) - 1), checksum)
    if abi_type == "bool":
        return AbiWord("31x?", ALL_BITS ^ 1)
    if abi_type.startswith("bytes"):
        size = int(abi_type.removeprefix("bytes"))
        return AbiWord(f"{size}s{WORD_BYTES - size}x", (1 << 8 * (WORD_BYTES - size)) - 1, _hex)
    return _integer(abi_type)


def _integer(abi_type: str) -> AbiWord:
    bits, json = _bits(abi_type), converter(abi_type)
    if abi_type.startswith("int"):
        return AbiWord(f"{WORD_BYTES}s", 0, lambda raw: json(decode_int(raw, bits)))
    padding = ALL_BITS ^ ((1 << bits) - 1)
    for size, code in INTEGERS.items():
        if bits <= size:
            return AbiWord(f"{WORD_BYTES - size // 8}x{code}", padding, None if json is int else json)
    return AbiWord(f"{WORD_BYTES}s", padding, lambda raw: json(decode_uint(raw)))


def decode_uint(raw: bytes) -> int:
    return int.from_bytes(raw, "big")


def decode_int(raw: bytes, bits: int) -> int:
    """Decode a signed integer, big endian. Raises ValueError if it doesn't fit into `bits` bits."""
    value = int.from_bytes(raw, "big", signed=True)
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise ValueError(f"{value} does not fit into int{bits}")
    return value
