"""The random numbers that decide a random draw, and the trail, which is a hash of a match's
history."""

from __future__ import annotations

from dataclasses import dataclass

from eth_utils.crypto import keccak

NO_HASH = bytes(32)
"""Stands for the seed of a random draw if its block is so old that contracts can no longer read the
block's hash."""
APPEARS, SPOT, FAT, BONUS, WHICH, LOST_LAND, LUCK, STARTER = range(8)
"""The purposes of random numbers. Each purpose gets its own number."""
MIN_LUCK, MAX_LUCK = 80, 120
"""The lowest and the highest luck of an attack, in percent."""


@dataclass(frozen=True, slots=True)
class Chance:
    """The random numbers for one random draw. `seed`: a block's hash. `ply`: the match's ply at the
    decision."""

    seed: bytes
    match: int
    ply: int

    @property
    def has_no_hash(self) -> bool:
        return self.seed == NO_HASH

    def number(self, purpose: int, index: int = 0) -> int:
        """Return a number of 256 bits for this purpose. `index` distinguishes several attacks."""
        about = self.match.to_bytes(6) + self.ply.to_bytes(4) + bytes([purpose, index])
        return int.from_bytes(keccak(self.seed + about))

    def luck(self, index: int) -> int:
        """Return an attack's luck, in percent. `index`: the attack's place among those launched."""
        return MIN_LUCK if self.has_no_hash else MIN_LUCK + self.number(LUCK, index) % (MAX_LUCK - MIN_LUCK + 1)


def trail_after_command(trail: int, kind: int, seat: int, data: bytes) -> int:
    return int.from_bytes(keccak(trail.to_bytes(4) + bytes([kind, seat]) + data)[:4])


def trail_after_draw(trail: int, seed: bytes) -> int:
    return int.from_bytes(keccak(trail.to_bytes(4) + seed)[:4])
