"""The rules of a fleet in Battleship: the string that names it, the tiles that it covers, the commitment that seals it.

Tiles are numbered 0..98, row by row from the top left, 9 a row. A boat is its letter, H (to the right) or V (down) and
its top or left tile; a fleet is the five boats with a space between: `PH12 SH81 DV7 BV51 CH40`, in any order.
A commitment is the SHA-256 of the list [ships, nonce] as BIPF encodes it (https://github.com/ssbc/bipf-spec).
"""

from __future__ import annotations

import hashlib
import re
import struct
from enum import IntEnum
from typing import Any

from indexer.games.battleship import HEIGHT, WIDTH

TILES = WIDTH * HEIGHT
LENGTHS = {"P": 2, "S": 3, "D": 3, "B": 4, "C": 5}
"""Tiles of each boat: patrol, submarine, destroyer, battleship, carrier."""
OCCUPIED = sum(LENGTHS.values())

_BOAT = re.compile(r"([PSDBC])([HV])(0|[1-9][0-9]?)", re.ASCII)
_STRING, _BUFFER, _INT, _DOUBLE, _LIST, _DICT, _ATOM = range(7)


class FleetFault(IntEnum):
    """Faults of a revealed fleet, in the contract's numbering and order of precedence."""

    NONE = 0
    MALFORMED = 1
    NOT_THE_FIVE_BOATS = 2
    OFF_THE_GRID = 3
    OVERLAP = 4
    FALSE_ANSWER = 5


class IllegalFleet(ValueError):
    """The string names no legal fleet."""

    def __init__(self, ships: str, fault: FleetFault) -> None:
        super().__init__(f"{ships!r}: {fault.name.lower().replace('_', ' ')}")
        self.ships, self.fault = ships, fault


def parse(ships: str) -> dict[str, tuple[int, ...]]:
    """The tiles of each boat, by letter, in the order of the string. Raises Illegal."""
    boats = [_boat(ships, text) for text in ships.split(" ")]
    if sorted(letter for letter, _, _ in boats) != sorted(LENGTHS):
        raise IllegalFleet(ships, FleetFault.NOT_THE_FIVE_BOATS)
    if any(not _fits(*boat) for boat in boats):
        raise IllegalFleet(ships, FleetFault.OFF_THE_GRID)
    fleet = {letter: _tiles(letter, down, tile) for letter, down, tile in boats}
    if len({tile for tiles in fleet.values() for tile in tiles}) != OCCUPIED:
        raise IllegalFleet(ships, FleetFault.OVERLAP)
    return fleet


def mask(ships: str) -> int:
    """The tiles of the fleet as bits: bit i is tile i. Raises Illegal."""
    return sum(1 << tile for tiles in parse(ships).values() for tile in tiles)


def fault(ships: str) -> FleetFault:
    """The fault of the string itself."""
    try:
        parse(ships)
    except IllegalFleet as illegal:
        return illegal.fault
    return FleetFault.NONE


def commitment(ships: str, nonce: bytes) -> bytes:
    """The 32 bytes that seal a fleet. Any string can be sealed; the contract takes a nonce of 32 bytes only."""
    return hashlib.sha256(bipf([ships, nonce])).digest()


def bipf(value: Any) -> bytes:
    """A value in BIPF: str, bytes, int (32 bits), float, list, dict, bool or None."""
    kind, body = _body(value)
    return _varint(len(body) << 3 | kind) + body


def _boat(ships: str, text: str) -> tuple[str, bool, int]:
    found = _BOAT.fullmatch(text)
    if found is None or int(found[3]) >= TILES:
        raise IllegalFleet(ships, FleetFault.MALFORMED)
    return found[1], found[2] == "V", int(found[3])


def _fits(letter: str, down: bool, tile: int) -> bool:
    y, x = divmod(tile, WIDTH)
    return (y + LENGTHS[letter] <= HEIGHT) if down else (x + LENGTHS[letter] <= WIDTH)


def _tiles(letter: str, down: bool, tile: int) -> tuple[int, ...]:
    step = WIDTH if down else 1
    return tuple(range(tile, tile + step * LENGTHS[letter], step))


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
            raise TypeError(f"BIPF has no {type(value).__name__}")


def _varint(number: int) -> bytes:
    """Unsigned LEB128: 7 bits a byte, the low ones first, the high bit says that more follow."""
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])
