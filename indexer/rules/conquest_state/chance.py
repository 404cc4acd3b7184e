"""The random numbers of a draw, and the trail, a hash that distinguishes one history of a match
from another."""

from __future__ import annotations

from dataclasses import dataclass

from eth_utils.crypto import keccak

NO_HASH = bytes(32)
"""The seed if contracts can no longer read the hash of the draw's block."""
APPEARS, SPOT, FAT, BONUS, WHICH, LOST_LAND, LUCK, STARTER = range(8)
"""The purposes for which random numbers are used."""
MIN_LUCK, MAX_LUCK = 80, 120
"""The lowest and the highest luck, in percent."""


@dataclass(frozen=True, slots=True)
class Chance:
    """The random numbers of a draw. `ply`: the match's ply when the draw is carried out."""

    seed: bytes
    match: int
    ply: int

    @property
    def has_no_hash(self) -> bool:
        return self.seed == NO_HASH

    def number(self, purpose: int, index: int = 0) -> int:
        """Return a random number of 256 bits."""
        about = self.match.to_bytes(6) + self.ply.to_bytes(4) + bytes([purpose, index])
        return int.from_bytes(keccak(self.seed + about))

    def luck(self, index: int) -> int:
        """Return the luck, in percent, of the launched attack with this index."""
        return MIN_LUCK if self.has_no_hash else MIN_LUCK + self.number(LUCK, index) % (MAX_LUCK - MIN_LUCK + 1)


def trail_after_command(trail: int, kind: int, seat: int, data: bytes) -> int:
    return int.from_bytes(keccak(trail.to_bytes(4) + bytes([kind, seat]) + data)[:4])


def trail_after_draw(trail: int, seed: bytes) -> int:
    return int.from_bytes(keccak(trail.to_bytes(4) + seed)[:4])
