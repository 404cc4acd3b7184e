"""Encodes values in BIPF, a binary format for JSON-like values (https://github.com/ssbc/bipf-spec).
Commitments are hashes of values in BIPF."""

from __future__ import annotations

import struct
from typing import Any

_STRING, _BUFFER, _INT, _DOUBLE, _LIST, _DICT, _ATOM = range(7)


def bipf(value: Any) -> bytes:
    """Encode a value in BIPF: str, bytes, int (32 bits), float, list, dict, bool or None."""
    kind, body = _body(value)
    return _varint(len(body) << 3 | kind) + body


def _body(value: Any) -> tuple[int, bytes]:
    match value:
        case None:
            return _ATOM, b""
        case bool():
            return _ATOM, bytes([value])
        case str():
            return _STRING, value.encode()
        case bytes():
            return _BUFFER, value
        case int():
            return _INT, struct.pack("<i", value)
        case float():
            return _DOUBLE, struct.pack("<d", value)
        case list():
            return _LIST, b"".join(map(bipf, value))
        case dict():
            return _DICT, b"".join(bipf(key) + bipf(item) for key, item in value.items())
        case _:
            raise TypeError(f"BIPF can't encode {type(value).__name__}")


def _varint(number: int) -> bytes:
    """Encode a number as unsigned LEB128. Each byte contains 7 bits, the lowest bits first. The
    high bit of a byte is set if more bytes follow."""
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])
