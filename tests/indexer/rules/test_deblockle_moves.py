"""Tests the rolls, hops and orientations of Deblockle's cubes, and the number of possible moves.
All expected values come from the game's rules."""

from __future__ import annotations

from random import Random

import pytest

from indexer.rules.deblockle import rolls_mask
from indexer.rules.deblockle_cube import ORIENTATIONS, STARS, hops, rolled
from indexer.rules.deblockle_position import cube_of, legal_moves, position, set_up
from tests.contracts.models.deblockle_board import Cube, CubeBoard, mask
from tests.contracts.models.deblockle_perft import perft
from tests.indexer.rules.deblockle_table import square

NEAR, BOARD = False, True
RIGHTS = {
    1: {2: 4, 3: 2, 4: 5, 5: 3},
    2: {1: 3, 3: 6, 4: 1, 6: 4},
    3: {1: 5, 2: 1, 5: 6, 6: 2},
    4: {1: 2, 2: 6, 5: 1, 6: 5},
    5: {1: 4, 3: 1, 4: 6, 6: 3},
    6: {2: 3, 3: 5, 4: 2, 5: 4},
}
"""The right face of a cube. The key is the cube's top face and front face. The values come from the
table in the game's rules."""


def cell(x: int, y: int) -> int:
    return 7 * (y - 1) + x - 1


# ---- the cube


def test_the_24_orientations_are_the_sheets() -> None:
    table = {(up, front, right) for up, fronts in RIGHTS.items() for front, right in fronts.items()}
    assert set(ORIENTATIONS) == table
    assert len(ORIENTATIONS) == len(table) == 24


def test_rolls_are_the_sheets() -> None:
    assert [rolled((1, 3, 2), way) for way in range(4)] == [(4, 1, 2), (5, 3, 1), (3, 6, 2), (2, 3, 6)]


@pytest.mark.parametrize("faces", ORIENTATIONS)
def test_four_rolls_one_way_or_one_there_and_back_change_nothing(faces: tuple[int, int, int]) -> None:
    for way in range(4):
        assert rolled(rolled(faces, way), (way + 2) % 4) == faces
        turned = [faces]
        for _ in range(4):
            turned.append(rolled(turned[-1], way))
        assert turned[4] == faces
        assert len(set(turned)) == 4


def targets(faces: tuple[int, int, int], at: tuple[int, int], ruleset: bool, *taken: tuple[int, int]) -> set[object]:
    """Return the squares to which player 1's cube can hop from `at`. `taken` contains the squares
    of all other cubes."""
    occupied = sum(1 << cell(*each) for each in (at, *taken))
    mask = hops(0, cube_of(cell(*at), *faces), occupied, ruleset)
    return {square(bit) for bit in range(49) if mask >> bit & 1}


X, L, H, T, P = (2, 3, 6), (3, 1, 5), (4, 1, 2), (5, 3, 1), (6, 3, 5)


def test_the_ruleset_near_lets_nothing_stand_in_the_way() -> None:
    assert targets(X, (1, 4), NEAR, (2, 3)) == {(2, 5)}
    assert targets(T, (4, 5), NEAR, (3, 5)) == {(5, 5), (4, 4)}, "nobody enters the opponent's star square"
    cross = {(x, 6) for x in range(1, 8)} | {(3, y) for y in range(1, 8)}
    assert targets(L, (3, 6), NEAR, (3, 5)) == cross - {(3, 6), (3, 5), (4, 6)}
    around = {(x, y) for x in range(1, 8) for y in range(1, 8) if abs(x - 3) + abs(y - 3) in (1, 3)}
    assert targets(H, (3, 3), NEAR, (3, 2), (2, 3), (4, 3)) == around - {(3, 2), (2, 3), (4, 3)}
    assert targets(P, (3, 3), NEAR) == set()


def test_on_the_board_a_slide_goes_on_until_something_stops_it() -> None:
    assert targets(L, (5, 2), BOARD) == {(5, 1), (5, 7), (1, 2), (7, 2)}, "its own star square is crossed"
    assert targets(L, (5, 2), BOARD, (3, 2), (6, 2), (5, 6)) == {(5, 1), (5, 5), (4, 2)}, "or at the edge"
    assert targets(L, (4, 7), BOARD) == {(1, 7), (7, 7)}, "the opponent's star square stops it"
    assert targets(L, (1, 1), BOARD, (1, 2), (7, 1)) == {(6, 1)}


def test_on_the_board_hoops_are_three_steps_through_open_squares() -> None:
    free = {(x, y) for x in range(1, 8) for y in range(1, 8) if abs(x - 4) + abs(y - 4) in (1, 3)}
    assert targets(H, (4, 4), BOARD) == free - {(4, 6)} - {(4, 7)}, "(4, 7) lies behind the opponent's star square"
    assert targets(H, (4, 4), BOARD, (4, 3), (3, 4), (5, 4), (4, 5)) == set(), "the cube is walled in"
    assert targets(H, (1, 1), BOARD, (1, 2)) == {(2, 1), (4, 1), (3, 2), (2, 3)}


@pytest.mark.parametrize("faces", ORIENTATIONS)
def test_its_own_star_square_is_entered_by_a_hop_or_with_the_star_up(faces: tuple[int, int, int]) -> None:
    below = position([cube_of(cell(4, 3), *faces), -1, -1, -1, cube_of(cell(1, 1), *P), -1, -1, -1])
    assert (STARS[0] in legal_moves(below)) == (faces[1] == 6), "Star is opposite of stoP"
    assert ((4, 2) in targets(faces, (4, 3), NEAR)) == (faces[0] in (3, 4, 5))


@pytest.mark.parametrize("ruleset", [NEAR, BOARD])
def test_moves_are_those_of_the_sheets_model_wherever_cubes_stand(ruleset: bool) -> None:
    random = Random(7)
    for _ in range(300):
        numbers = sorted({random.randrange(4), 4 + random.randrange(4), *random.sample(range(8), 4)})
        cells = random.sample([one for one in range(49) if one not in STARS], len(numbers))
        model, cubes = CubeBoard(int(ruleset), {}), [-1] * 8
        for number, one in zip(numbers, cells, strict=True):
            faces = random.choice(ORIENTATIONS)
            model.cubes[number], cubes[number] = Cube(square(one), faces), cube_of(one, *faces)
        for seat in range(2):
            at = position(cubes, seat, board_ruleset=ruleset)
            assert rolls_mask(at) == model.roll_mask(seat)
            for number in model.owned(seat):
                assert hops(seat, cubes[number], at.occupied, ruleset) == mask(model.hops(number))


# ---- the number of possible turns


@pytest.mark.parametrize("ruleset", [NEAR, BOARD])
def test_first_rolls_are_as_many_as_the_sheet_says(ruleset: bool) -> None:
    starts = [set_up(cubes, ruleset) for cubes in (1, 2, 3, 4)]
    assert [len(legal_moves(start)) for start in starts] == [1, 5, 8, 11]
    assert [len(legal_moves(start._replace(mover=1))) for start in starts] == [1, 4, 7, 11]


@pytest.mark.parametrize(
    ("cubes", "ruleset", "counts"),
    [
        (1, NEAR, [1, 1, 16]),
        (1, BOARD, [1, 1, 15]),
        (2, NEAR, [17, 279, 4_836]),
        (2, BOARD, [16, 143, 2_157]),
        (3, NEAR, [25, 902, 25_046]),
        (3, BOARD, [23, 617, 14_578]),
        (4, NEAR, [51, 2_704, 116_139]),
        (4, BOARD, [37, 1_149, 39_471]),
    ],
)
def test_whole_turns_are_so_many(cubes: int, ruleset: bool, counts: list[int]) -> None:
    """Tests the number of sequences of one, two and three whole turns. For one and two cubes per
    player, the numbers for one and two turns are in the game's rules."""
    assert [perft(set_up(cubes, ruleset), depth) for depth in (1, 2, 3)] == counts
