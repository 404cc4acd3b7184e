"""Measures how fast Deblockle's computer player searches. Compares its move generation, which uses
tables, with a naive method without tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from random import Random
from statistics import mean
from time import process_time

from bots.deblockle import MIN_DEPTH, search_moves
from indexer.games.deblockle import CUBES, RULESETS, SET_UPS
from indexer.rules.deblockle_cube import rolled
from indexer.rules.deblockle_position import is_over, legal_moves, play, set_up, successors

DEPTH = 5
"""The number of plies that are generated from the starting position with four cubes per player."""
WIDTH = 6_000
"""At each depth, the approximate number of positions for which moves are generated."""
MOVES = 150
MOST_SECONDS = 1.0
"""The maximum time that the computer player may take for a move, in seconds."""

Cubes = dict[int, tuple[int, int, tuple[int, int, int]]]
"""A map from each cube's id to the cube's x, y and faces (up, front, right)."""
Plain = tuple[Cubes, int, int | None]
"""A position: the cubes, the seat to move, and the cube that must hop, if any."""
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
STARS = ((4, 2), (4, 6))


def main() -> None:
    print(f"Deblockle's moves, {CUBES} cubes each, {DEPTH} plies; positions per second, one core")
    for board_ruleset, ruleset in enumerate(RULESETS):
        tables, count = _speed(set_up(CUBES, bool(board_ruleset)), lambda at: [after for _, after in successors(at)])
        plain, same = _speed(_plain_start(), partial(plain_successors, board_ruleset=board_ruleset))
        print(
            f"    {ruleset:6} {tables:9,.0f} by tables {plain:9,.0f} by coordinates {tables / plain:5.1f} times"
            f"   {count:,} positions, {'the same' if count == same else f'NOT THE SAME: {same:,}'}"
        )
    print(f"\nThe thinker, {MOVES} moves in each ruleset from 1 to {CUBES} cubes; one core")
    for board_ruleset, ruleset in enumerate(RULESETS):
        _print_thoughts(ruleset, bool(board_ruleset))


def _speed(start: object, following: Callable) -> tuple[float, int]:
    """Return the number of generated positions per second, and the total number of generated
    positions."""
    level, found, began = [start], 0, process_time()
    for _ in range(DEPTH):
        level = [after for at in level for after in following(at)]
        found += len(level)
        level = level[:: 1 + len(level) // WIDTH]
    return found / (process_time() - began), found


def _print_thoughts(ruleset: str, board_ruleset: bool) -> None:
    random, seconds, thoughts = Random(1), [], []
    while len(thoughts) < MOVES:
        at = set_up(1 + len(thoughts) % CUBES, board_ruleset)
        for _ in range(20):
            if is_over(at):
                break
            began = process_time()
            found = search_moves(at, random)
            if found.depth:
                seconds.append(process_time() - began)
                thoughts.append(found)
            at = play(at, random.choice([found.move, *legal_moves(at)]))
    depths = [one.depth for one in thoughts if abs(one.value) < 1_000]
    reached = max(seconds) <= MOST_SECONDS and min(depths) >= MIN_DEPTH
    speed = sum(one.nodes for one in thoughts) / sum(seconds)
    print(
        f"    {ruleset:6} depth {mean(depths):.1f} plies on average, {min(depths)} at least,"
        f" {mean(seconds):.3f} s per move, {max(seconds):.3f} s at most, {speed:,.0f} positions per second;"
        f" target {MIN_DEPTH} plies within {MOST_SECONDS:g} s: {'reached' if reached else 'NOT REACHED'}"
    )


# ---- the naive method, for comparison


def _plain_start() -> Plain:
    sides = enumerate(SET_UPS[CUBES - 1])
    return {
        CUBES * seat + number: (x, y, (up, front, right))
        for seat, side in sides
        for number, (x, y, up, front, right) in enumerate(side)
    }, 0, None  # fmt: skip


def plain_successors(at: Plain, board_ruleset: int) -> list[Plain]:
    """Return the positions after all possible moves, computed with coordinates and loops. This
    method doesn't detect draws."""
    cubes, mover, hopper = at
    if hopper is not None:
        faces = cubes[hopper][2]
        return [({**cubes, hopper: (x, y, faces)}, 1 - mover, None) for x, y in _hops(cubes, hopper, board_ruleset)]
    if not any(number // CUBES == 1 - mover for number in cubes):
        return []
    found: list[Plain] = []
    for number, (x, y, faces) in cubes.items():
        if number // CUBES != mover:
            continue
        for direction, (right, down) in enumerate(STEPS):
            to, turned = (x + right, y + down), rolled(faces, direction)
            if not _is_free(cubes, mover, to) or (turned[0] == 1) != (to == STARS[mover]):
                continue
            after = {**cubes, number: (*to, turned)}
            if turned[0] == 1:
                del after[number]
                found.append((after, 1 - mover, None))
            else:
                hops = _hops(after, number, board_ruleset)
                found.append((after, mover, number) if hops else (after, 1 - mover, None))
    return found


def _is_free(cubes: Cubes, seat: int, square: tuple[int, int]) -> bool:
    x, y = square
    taken = any((one[0], one[1]) == square for one in cubes.values())
    return 1 <= x <= 7 and 1 <= y <= 7 and square != STARS[1 - seat] and not taken


def _hops(cubes: Cubes, number: int, board_ruleset: int) -> set[tuple[int, int]]:
    x, y, (up, _, _) = cubes[number]
    seat, found = number // CUBES, set()
    others = {key: one for key, one in cubes.items() if key != number} if board_ruleset else cubes
    for end in product(range(1, 8), repeat=2):
        far = sorted((abs(end[0] - x), abs(end[1] - y)))
        if up == 2 and far == [1, 1]:
            found.add(end)
        if up == 5 and far == [0, 1]:
            found.add(end)
        if up == 3 and not board_ruleset and far[0] == 0:
            found.add(end)
        if up == 4 and not board_ruleset and sum(far) in (1, 3):
            found.add(end)
    if up == 3 and board_ruleset:
        for right, down in STEPS:
            end = x, y
            while _is_free(cubes, seat, (end[0] + right, end[1] + down)):
                end = end[0] + right, end[1] + down
            found.add(end)
    if up == 4 and board_ruleset:
        for path in product(STEPS, repeat=3):
            end = x, y
            for right, down in path:
                end = end[0] + right, end[1] + down
                if not _is_free(others, seat, end):
                    break
            else:
                found.add(end)
    return {end for end in found if _is_free(cubes, seat, end)}
