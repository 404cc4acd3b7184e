"""Upper limits for the gas of Touché Coulé's calls, which depend on the storage that they write.

The round figures in the game's rules are for 32 ships on 50 x 50 cells. The real cost of a call
depends on the words of storage (256 cells each) that the call writes. The first shot in a word
costs 17,100 gas more than a later shot, so a larger board, which has more words, stays expensive
for longer. On 64 x 64 cells, two ships that have each fired ten times communicate about eight new
words. That costs 160,000 gas for storage alone, and no encoding that stores each ship's map in
separate words avoids this cost.
"""

from __future__ import annotations

from tests.contracts.support.contract import ContractReceipt
from tests.contracts.support.matches.touche_coule import ToucheCouleTable, shots

SLOT = 20_000
"""The gas for writing bits to a word of storage that is still empty."""
CHANGE = 2_900
"""The gas for writing more bits to a word that already has some."""


class FirstShotsInWords:
    """The words into which each ship of a match has fired."""

    def __init__(self) -> None:
        self._words: dict[int, set[int]] = {}

    def fresh(self, receipt: ContractReceipt) -> int:
        """Count the shots in this volley that are their ship's first shot in a word."""
        count = 0
        for ship, cell in shots(receipt).items():
            words = self._words.setdefault(ship, set())
            count += cell >> 8 not in words
            words.add(cell >> 8)
        return count


def turn(receipt: ContractReceipt, afloat: int, ships: int, fresh: int) -> int:
    """Return the gas limit of a volley in which `afloat` of `ships` ships fire.

    A volley that sinks a ship writes one more word and can end the match."""
    sunk = len(receipt.named("Touched"))
    return 54_000 + 17_600 * afloat + 17_300 * fresh + 150 * (ships - afloat) + 4_300 * sunk + (10_000 if sunk else 0)


def communicate(table: ToucheCouleTable, a: int, b: int) -> int:
    """Return the gas limit of `communicate` between the ships `a` and `b`.

    The call reads both maps completely, and writes the words in which a ship learns new cells."""
    maps = [table.fired(ship) for ship in (a, b)]
    cost = 57_000 + 5_600 * len(maps[0])
    for ship, mine, theirs in ((a, *maps), (b, *reversed(maps))):
        cell = table.ship_view(ship).cell
        for word, (known, told) in enumerate(zip(mine, theirs, strict=True)):
            own = 1 << (cell & 255) if cell >> 8 == word else 0
            after = (known | told) & ~own
            cost += 0 if after == known else CHANGE if known else SLOT
    return cost
