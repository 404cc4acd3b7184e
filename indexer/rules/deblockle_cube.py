"""The cubes of Deblockle: their 24 orientations, and where they can roll and hop on a board of 7 x
7 cells.

A cube's cell and orientation are encoded as one number: `24 * cell + orientation`. A set of cells
is a bit mask, in which bit i stands for cell i. All tables are computed when the module is
imported."""

from __future__ import annotations

from functools import lru_cache

from indexer.games.deblockle import SIDE, STEPS, cell_of

STAR, X_HOP, SLIDE, HOOPS, T_HOP, STOP = range(1, 7)
"""The faces of a cube. The numbers of two opposite faces add up to 7."""
CELLS = SIDE * SIDE
ALL_CELLS = (1 << CELLS) - 1
STARS = (cell_of(4, 2), cell_of(4, 6))
"""The star square of each seat. The opponent's cubes can't enter it."""

Faces = tuple[int, int, int]
"""The numbers of three faces of a cube: up, front, right."""


def rolled(faces: Faces, direction: int) -> Faces:
    """Return a cube's faces after it has rolled. The directions are 0 forward, 1 right, 2 backward,
    3 left."""
    up, front, right = faces
    return (
        (7 - front, up, right),
        (7 - right, front, up),
        (front, 7 - up, right),
        (right, front, 7 - up),
    )[direction]


def _orientations() -> tuple[Faces, ...]:
    """Return the 24 orientations that a cube can reach by rolling. The orientations of a mirrored
    cube are not among them."""
    found = [(STAR, SLIDE, X_HOP)]
    for faces in found:
        found += [after for way in range(4) if (after := rolled(faces, way)) not in found]
    return tuple(sorted(found))


ORIENTATIONS = _orientations()
TURNS = len(ORIENTATIONS)
ORIENTATION = {faces: number for number, faces in enumerate(ORIENTATIONS)}
UP = tuple(up for up, _, _ in ORIENTATIONS)


def beside(cell: int, direction: int) -> int | None:
    """Return the neighbouring cell in this direction, or None at the edge of the board."""
    to = cell + STEPS[direction]
    if direction % 2:
        return to if to // SIDE == cell // SIDE else None
    return to if 0 <= to < CELLS else None


def _rolls(seat: int, cell: int, orientation: int) -> tuple[tuple[int, int, int], ...]:
    """Return the rolls that the edges and the star squares allow for a cube on an empty board. A
    roll is a tuple: the target cell as a bit, the target cell's number, and the cube after the
    roll."""
    found = []
    for direction in range(4):
        to = beside(cell, direction)
        if to is None or to == STARS[1 - seat]:
            continue
        after = ORIENTATION[rolled(ORIENTATIONS[orientation], direction)]
        if (UP[after] == STAR) == (to == STARS[seat]):
            found.append((1 << to, to, TURNS * to + after))
    return tuple(found)


ROLLS = tuple(
    tuple(_rolls(seat, cell, orientation) for cell in range(CELLS) for orientation in range(TURNS)) for seat in range(2)
)
"""All rolls on an empty board. The indexes are the seat and the cube."""


# ---- hops

_STEPS = tuple(tuple(to for way in range(4) if (to := beside(cell, way)) is not None) for cell in range(CELLS))
_BESIDE = tuple(sum(1 << to for to in targets) for targets in _STEPS)


def _ray(cell: int, direction: int) -> int:
    mask, to = 0, beside(cell, direction)
    while to is not None:
        mask, to = mask | 1 << to, beside(to, direction)
    return mask


_RAYS = tuple(tuple(_ray(cell, way) for way in range(4)) for cell in range(CELLS))
_CROSS = tuple(sum(rays) for rays in _RAYS)
_DIAGONAL = tuple(
    sum(1 << to for to in range(CELLS) if {abs(to // SIDE - cell // SIDE), abs(to % SIDE - cell % SIDE)} == {1})
    for cell in range(CELLS)
)


def _distant(cell: int, *distances: int) -> int:
    y, x = divmod(cell, SIDE)
    return sum(1 << to for to in range(CELLS) if abs(to // SIDE - y) + abs(to % SIDE - x) in distances)


_HOOPS = tuple(_distant(cell, 1, 3) for cell in range(CELLS))
_AROUND = tuple(_distant(cell, 1, 2, 3) for cell in range(CELLS))

_NEAR = {X_HOP: _DIAGONAL, SLIDE: _CROSS, HOOPS: _HOOPS, T_HOP: _BESIDE}
NEAR_HOPS = tuple(
    tuple(
        _NEAR[UP[orientation]][cell] & ~(1 << STARS[1 - seat]) if UP[orientation] in _NEAR else 0
        for cell in range(CELLS)
        for orientation in range(TURNS)
    )
    for seat in range(2)
)
"""The cells to which a cube can hop on an empty board in the ruleset NEAR. The indexes are
the seat and the cube."""


def hops(seat: int, cube: int, occupied: int, board_ruleset: bool) -> int:
    """Return the cells to which a cube can hop, as a mask. `board_ruleset`: True for the rules of
    the wooden board, and False for the ruleset NEAR."""
    up = UP[cube % TURNS]
    if board_ruleset and up in (SLIDE, HOOPS):
        cell, taken = cube // TURNS, occupied | 1 << STARS[1 - seat]
        return _slide(cell, taken & _CROSS[cell]) if up == SLIDE else _hoops(cell, taken & _AROUND[cell])
    return NEAR_HOPS[seat][cube] & ~occupied


@lru_cache(maxsize=1 << 16)
def _slide(cell: int, taken: int) -> int:
    """Return a mask of the cells where a slide can end: in each direction, the last free cell."""
    found = 0
    for direction, ray in enumerate(_RAYS[cell]):
        upwards, in_the_way = STEPS[direction] > 0, taken & ray
        if in_the_way and upwards:
            ray &= (in_the_way & -in_the_way) - 1
        elif in_the_way:
            ray &= -1 << in_the_way.bit_length()
        if ray:
            found |= 1 << ray.bit_length() - 1 if upwards else ray & -ray
    return found


@lru_cache(maxsize=1 << 16)
def _hoops(cell: int, taken: int) -> int:
    """Return a mask of the cells that three steps through free cells can reach. The steps can cross
    the start cell but can't end there."""
    free, reached = ALL_CELLS & ~taken | 1 << cell, 1 << cell
    for _ in range(3):
        spread = 0
        while reached:
            spread |= _BESIDE[(reached & -reached).bit_length() - 1]
            reached &= reached - 1
        reached = spread & free
    return reached & ~(1 << cell)
