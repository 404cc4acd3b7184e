"""Chooses random cells with the contract's algorithm (CellSet.sol).

Sets of cells are masks of a whole board. The search goes through the board word by word."""

from __future__ import annotations

from collections.abc import Iterator

from indexer.games.touche_coule import WORD_BITS


def words(cells: int, seed: int) -> Iterator[int]:
    """Yield the words of a board, each as the mask of its cells. The seed selects the word that
    comes first. The other words follow in order."""
    count, first = -(-cells // WORD_BITS), seed % cells // WORD_BITS
    for number in range(count):
        start = (first + number) % count * WORD_BITS
        yield (1 << min(start + WORD_BITS, cells)) - (1 << start)


def draw(taken: int, cells: int, seed: int) -> int | None:
    """Return a random cell that is not taken, or None if all cells are taken."""
    for word in words(cells, seed):
        if free := word & ~taken:
            return pick(free, seed)
    return None


def pick(free: int, seed: int) -> int:
    """Return one of a word's free cells. The upper half of the seed selects the cell."""
    for _ in range((seed >> 128) % free.bit_count()):
        free &= free - 1
    return (free & -free).bit_length() - 1
