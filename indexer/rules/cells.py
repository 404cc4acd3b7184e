"""Chooses random cells in the same way as the contract does (CellSet.sol).

A set of cells is a bit mask of the whole board. As in the contract, the board is divided into words
of 256 cells. The words are searched one by one."""

from __future__ import annotations

from collections.abc import Iterator

from indexer.games.touche_coule import WORD_BITS


def words(cells: int, seed: int) -> Iterator[int]:
    """Yield a mask of the cells in each word of the board. The seed determines which word comes
    first. The other words follow in order."""
    count, first = -(-cells // WORD_BITS), seed % cells // WORD_BITS
    for number in range(count):
        start = (first + number) % count * WORD_BITS
        yield (1 << min(start + WORD_BITS, cells)) - (1 << start)


def draw(taken: int, cells: int, seed: int) -> int | None:
    """Return a random cell that is not taken, or None. The seed determines the cell."""
    for word in words(cells, seed):
        if free := word & ~taken:
            return pick(free, seed)
    return None


def pick(free: int, seed: int) -> int:
    """Return one of the free cells in a word. The upper half of the seed determines which."""
    for _ in range((seed >> 128) % free.bit_count()):
        free &= free - 1
    return (free & -free).bit_length() - 1
