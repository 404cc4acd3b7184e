"""Calculates upper limits for the gas of Touché Coulé's calls, from the storage that they write.

The game's rules give round figures for 32 ships on 50 x 50 cells. The real cost of a call depends
on how many words of storage it writes. Each word holds 256 cells. The first shot in a word costs
17,100 gas more than a later shot. A larger board has more words, so calls on it stay expensive for
longer. On 64 x 64 cells, if two ships have each fired ten times, their `communicate` call writes
about eight empty words. This storage alone costs 160,000 gas. This cost is unavoidable as long as
each ship's map has its own words.
"""

from __future__ import annotations

from tests.contracts.support.contract import ContractReceipt
from tests.contracts.support.matches.touche_coule import ToucheCouleTable, shots

SLOT = 20_000
"""The gas for setting the first bits in an empty word of storage."""
CHANGE = 2_900
"""The gas for setting more bits in a word of storage that isn't empty."""


class FirstShotsInWords:
    """For each ship of a match, the storage words that contain the ship's shots."""

    def __init__(self) -> None:
        self._words: dict[int, set[int]] = {}

    def fresh(self, receipt: ContractReceipt) -> int:
        """Return how many shots in this volley are their ship's first shot in a word of storage.
        Remember the shots for later volleys."""
        count = 0
        for ship, cell in shots(receipt).items():
            words = self._words.setdefault(ship, set())
            count += cell >> 8 not in words
            words.add(cell >> 8)
        return count


def turn(receipt: ContractReceipt, afloat: int, ships: int, fresh: int) -> int:
    """Return the gas limit of a volley. The parameter `ships` is the number of all ships in the
    match, and `afloat` is the number of ships that still fire.

    A volley that sinks a ship writes one more word, and can end the match."""
    sunk = len(receipt.named("Touched"))
    return 54_000 + 17_600 * afloat + 17_300 * fresh + 150 * (ships - afloat) + 4_300 * sunk + (10_000 if sunk else 0)


def communicate(table: ToucheCouleTable, a: int, b: int) -> int:
    """Return the gas limit of a `communicate` call, in which ships `a` and `b` share their shots.

    The call reads every storage word of both ships' maps. It writes only the words that get new
    cells."""
    maps = [table.fired(ship) for ship in (a, b)]
    cost = 57_000 + 5_600 * len(maps[0])
    for ship, mine, theirs in ((a, *maps), (b, *reversed(maps))):
        cell = table.ship_view(ship).cell
        for word, (known, told) in enumerate(zip(mine, theirs, strict=True)):
            own = 1 << (cell & 255) if cell >> 8 == word else 0
            after = (known | told) & ~own
            cost += 0 if after == known else CHANGE if known else SLOT
    return cost
