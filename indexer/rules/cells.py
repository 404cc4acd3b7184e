"""Sets of cells as the contract draws from them (CellSet.sol): masks of a whole board, drawn from word by word."""

from __future__ import annotations

from collections.abc import Iterator

from indexer.games.touche_coule import WORD


def words(cells: int, seed: int) -> Iterator[int]:
    """The words of a board, each as the mask of its cells, from the drawn one on."""
    count, first = -(-cells // WORD), seed % cells // WORD
    for number in range(count):
        start = (first + number) % count * WORD
        yield (1 << min(start + WORD, cells)) - (1 << start)


def draw(taken: int, cells: int, seed: int) -> int | None:
    """A cell that is not taken; None when there is none."""
    for word in words(cells, seed):
        if free := word & ~taken:
            return pick(free, seed)
    return None


def pick(free: int, seed: int) -> int:
    """One of the cells of a word, by the upper half of the seed."""
    for _ in range((seed >> 128) % free.bit_count()):
        free &= free - 1
    return (free & -free).bit_length() - 1
