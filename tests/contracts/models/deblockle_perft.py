"""Counts the sequences of moves that Deblockle's rules allow. The count is called perft:
https://www.chessprogramming.org/Perft."""

from __future__ import annotations

from indexer.rules.deblockle_cube import hops
from indexer.rules.deblockle_position import NO_HOP, Position, successors


def turns(at: Position) -> list[Position]:
    """Return all positions to which a whole turn can lead. A turn is a roll and the hop after it,
    if there is a hop.

    Passes are not included."""
    found = []
    for _, after in successors(at):
        found += [following for _, following in successors(after)] if after.hopper != NO_HOP else [after]
    return found


def perft(at: Position, depth: int) -> int:
    """Count the sequences of `depth` whole turns. To save time, count the hops in the last turn
    without playing them."""
    if depth > 1:
        return sum(perft(after, depth - 1) for after in turns(at))
    following = [after for _, after in successors(at)]
    return sum(
        1
        if after.hopper == NO_HOP
        else hops(at.mover, after.cubes[after.hopper], after.occupied, at.board_ruleset).bit_count()
        for after in following
    )
