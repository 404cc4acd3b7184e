"""A model of the cubes in Deblockle. It follows the game's rules (sections 4.1 to 4.5) and is
independent of our code: it uses coordinates and loops instead of bitmaps."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import product

STAR, CROSS, SLIDE, HOOPS, TEE, STOP = range(1, 7)
NEAR, BOARD = 0, 1

RIGHT = {
    1: {2: 4, 3: 2, 4: 5, 5: 3},
    2: {1: 3, 3: 6, 4: 1, 6: 4},
    3: {1: 5, 2: 1, 5: 6, 6: 2},
    4: {1: 2, 2: 6, 5: 1, 6: 5},
    5: {1: 4, 3: 1, 4: 6, 6: 3},
    6: {2: 3, 3: 5, 4: 2, 5: 4},
}
"""The right face of a cube. The first key is the top face, and the second key the front face."""

Square = tuple[int, int]
Faces = tuple[int, int, int]
Entry = tuple[int, Square, Faces]

TWO: list[Entry] = [(0, (3, 7), (2, 3, 6)), (1, (5, 7), (4, 1, 2)), (4, (3, 1), (5, 3, 1)), (5, (5, 1), (4, 1, 2))]
SET_UPS: dict[int, list[Entry]] = {
    1: [(0, (4, 7), (2, 3, 6)), (4, (4, 1), (5, 3, 1))],
    2: TWO,
    3: [*TWO, (2, (4, 5), (4, 1, 2)), (6, (4, 3), (6, 4, 2))],
    4: [
        (0, (3, 5), (2, 3, 6)), (1, (5, 5), (2, 3, 6)), (2, (3, 7), (1, 3, 2)), (3, (5, 7), (3, 6, 2)),
        (4, (3, 1), (6, 4, 2)), (5, (5, 1), (2, 3, 6)), (6, (3, 3), (2, 3, 6)), (7, (5, 3), (5, 3, 1)),
    ],
}  # fmt: skip
"""The starting position for each number of cubes per player. Each cube has an id, a square, and its
top, front and right faces. The cubes are in the order of the game's rules."""

STARS: tuple[Square, Square] = ((4, 2), (4, 6))
STEPS: tuple[Square, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The changes of (x, y) for a step forward, to the right, backward and to the left."""


def rolled(faces: Faces, direction: int) -> Faces:
    up, front, right = faces
    return [(7 - front, up, right), (7 - right, front, up), (front, 7 - up, right), (right, front, 7 - up)][direction]


def on_board(square: Square) -> bool:
    return square[0] in range(1, 8) and square[1] in range(1, 8)


def squares() -> Iterator[Square]:
    for y in range(1, 8):
        for x in range(1, 8):
            yield x, y


def cell(square: Square) -> int:
    """Return the number of a square. The squares are numbered row by row, from the top left
    corner."""
    return 7 * (square[1] - 1) + square[0] - 1


def mask(targets: set[Square]) -> int:
    """Return a set of squares as a bitmap. Each bit stands for a square, row by row from the top
    left corner."""
    return sum(2 ** (7 * (y - 1) + x - 1) for x, y in targets)


@dataclass
class Cube:
    square: Square
    faces: Faces

    @property
    def up(self) -> int:
        return self.faces[0]


@dataclass
class CubeBoard:
    """The state of the board: the cubes, and the player to move. The keys of `cubes` are
    the cubes' IDs, in the order of the starting position."""

    ruleset: int
    cubes: dict[int, Cube]
    mover: int = 0
    hopper: int | None = None
    passes: int = 0
    quiet: int = 0
    gone: list[int] = field(default_factory=lambda: [0, 0])

    @classmethod
    def begun(cls, cubes: int, ruleset: int) -> CubeBoard:
        return cls(ruleset, {number: Cube(square, faces) for number, square, faces in SET_UPS[cubes]})

    def copy(self) -> CubeBoard:
        return deepcopy(self)

    # ---- positions

    def owned(self, seat: int) -> list[int]:
        return [number for number in self.cubes if number // 4 == seat]

    def on(self, square: Square) -> int | None:
        for number, cube in self.cubes.items():
            if cube.square == square:
                return number
        return None

    def enterable(self, square: Square, seat: int) -> bool:
        return on_board(square) and self.on(square) is None and square != STARS[1 - seat]

    # ---- legal moves

    def direction(self, start: Square, end: Square) -> int | None:
        for direction, (dx, dy) in enumerate(STEPS):
            if (start[0] + dx, start[1] + dy) == end:
                return direction
        return None

    def rolls(self, seat: int) -> list[tuple[int, int]]:
        """Return all legal rolls of a seat, as pairs of a cube's ID and a direction."""
        found = []
        for number in sorted(self.owned(seat)):
            cube = self.cubes[number]
            for direction, (dx, dy) in enumerate(STEPS):
                target = (cube.square[0] + dx, cube.square[1] + dy)
                shows = rolled(cube.faces, direction)[0] == STAR
                if self.enterable(target, seat) and shows == (target == STARS[seat]):
                    found.append((number, direction))
        return found

    def roll_mask(self, seat: int) -> int:
        return sum(2 ** (4 * (number % 4) + direction) for number, direction in self.rolls(seat))

    def hops(self, number: int) -> set[Square]:
        cube, seat = self.cubes[number], number // 4
        return {target for target in self._reached(cube, seat) if self.enterable(target, seat)}

    def _reached(self, cube: Cube, seat: int) -> Iterator[Square]:
        (x, y), board_ruleset = cube.square, self.ruleset == BOARD
        if cube.up in (CROSS, TEE):
            for tx, ty in squares():
                if (abs(tx - x), abs(ty - y)) in ([(1, 1)] if cube.up == CROSS else [(0, 1), (1, 0)]):
                    yield tx, ty
        elif cube.up == SLIDE and not board_ruleset:
            for tx, ty in squares():
                if (tx == x) != (ty == y):
                    yield tx, ty
        elif cube.up == SLIDE:
            for dx, dy in STEPS:
                at = cube.square
                while self.enterable((at[0] + dx, at[1] + dy), seat):
                    at = at[0] + dx, at[1] + dy
                if at != cube.square:
                    yield at
        elif cube.up == HOOPS and not board_ruleset:
            for tx, ty in squares():
                if abs(tx - x) + abs(ty - y) in (1, 3):
                    yield tx, ty
        elif cube.up == HOOPS:
            for path in product(STEPS, repeat=3):
                at = cube.square
                for dx, dy in path:
                    at = at[0] + dx, at[1] + dy
                    if at != cube.square and not self.enterable(at, seat):
                        break
                else:
                    if at != cube.square:
                        yield at

    # ---- the effects of rolls and hops

    def roll(self, number: int, direction: int) -> bool:
        """Roll a cube. Return True if the roll removed the cube. If the cube must hop next, it is
        still the same player's turn."""
        cube = self.cubes[number]
        dx, dy = STEPS[direction]
        cube.square = cube.square[0] + dx, cube.square[1] + dy
        cube.faces = rolled(cube.faces, direction)
        self.passes, self.quiet = 0, self.quiet + 1
        if cube.square == STARS[self.mover]:
            del self.cubes[number]
            self.quiet = 0
            self.gone[self.mover] += 1
            if self.owned(self.mover):
                self.mover = 1 - self.mover
            return True
        if self.hops(number):
            self.hopper = number
        else:
            self.mover = 1 - self.mover
        return False

    def hop(self, square: Square) -> None:
        assert self.hopper is not None
        self.cubes[self.hopper].square = square
        self.passes, self.quiet = 0, self.quiet + 1
        self.hopper, self.mover = None, 1 - self.mover

    def may_pass(self) -> bool:
        return self.ruleset == NEAR or (self.hopper is None and not self.rolls(self.mover))

    def skip(self) -> None:
        self.passes, self.quiet = self.passes + 1, self.quiet + 1
        self.hopper, self.mover = None, 1 - self.mover

    @property
    def won(self) -> bool:
        """True if the mover has removed all their own cubes and has therefore won. After the end,
        the winner remains the mover."""
        return not self.owned(self.mover)

    @property
    def drawn(self) -> bool:
        return not self.won and (self.passes == 6 or self.quiet == 100)

    def turns(self) -> Iterator[CubeBoard]:
        """Yield each board to which a whole turn can lead. A turn is a roll and the hop after it,
        if there is a hop."""
        for number, direction in self.rolls(self.mover):
            after = self.copy()
            after.roll(number, direction)
            if after.hopper is None:
                yield after
                continue
            for square in sorted(after.hops(number)):
                end = after.copy()
                end.hop(square)
                yield end
