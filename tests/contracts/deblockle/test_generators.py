"""Tests that Deblockle's rules are the same in the contract, in the model and in the indexer's
Python module.

The tests call the contract's rules through a separate contract, the probe.

- Given the 24 orientations of a cube
  - When a player rolls the cube any number of times
    - The cube should have the orientation that the table in the game's rules gives
- Given random matches from each starting position, in both rulesets
  - When the probe plays each ply
    - The model and the module should find the same legal moves and reach the same position
- Given the starting positions
  - When the probe counts all sequences of 2 whole turns (3 in `make soak`)
    - The counts should equal the module's counts, and the counts that the game's rules give
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from indexer.rules import deblockle_position as module
from indexer.rules.deblockle_cube import ORIENTATIONS, TURNS
from tests.contracts.models.deblockle_board import BOARD, NEAR, RIGHT, Cube, CubeBoard, Faces, Square, mask, rolled
from tests.contracts.models.deblockle_perft import perft
from tests.contracts.support.contract import Contract, deploy
from tests.contracts.support.node import Node
from tests.support.compiled import SOURCES, compiled

CONTRACT = "Deblockle"
BATCH_SIZE = 10
"""The number of random matches that one call plays."""
PLIES = 100
NO_CELL, PASS = 63, 255
GONE = -1


@pytest.fixture(scope="module")
def probe(node: Node) -> Contract:
    return deploy(node, compiled(SOURCES / "DeblockleProbe.sol"))


@pytest.fixture(scope="module")
def faces(probe: Contract) -> tuple[Faces, ...]:
    """The faces of a cube in each orientation, in the order that the contract uses."""
    return tuple(probe.call("orientations")[0])


def square_of(cell: int) -> Square:
    return cell % 7 + 1, cell // 7 + 1


def cubes_of(position: int, faces: tuple[Faces, ...]) -> dict[int, Cube]:
    """Decode `position`, which has eleven bits per cube. Return the cubes that are still on the
    board. The keys are the cubes' numbers."""
    found = {}
    for number in range(8):
        cube = position >> 11 * number & 0x7FF
        if cube & 63 != NO_CELL:
            found[number] = Cube(square_of(cube & 63), faces[cube >> 6])
    return found


# ---- the orientations of a cube


def test_the_table_has_the_24_orientations_and_no_mirrored_one(faces: tuple[Faces, ...]) -> None:
    assert sorted(faces) == sorted((up, front, RIGHT[up][front]) for up in RIGHT for front in RIGHT[up])
    assert len(set(faces)) == 24
    assert faces == ORIENTATIONS


def test_rolls_lead_from_each_orientation_to_the_sheets(probe: Contract, faces: tuple[Faces, ...]) -> None:
    _, turned = probe.call("orientations")
    for number, direction in product(range(24), range(4)):
        assert faces[turned[number][direction]] == rolled(faces[number], direction)
        back = turned[turned[number][direction]][(direction + 2) % 4]
        again = number
        for _ in range(4):
            again = turned[again][direction]
        assert (back, again) == (number, number)


def test_rolls_reach_all_24_orientations_and_no_other(probe: Contract) -> None:
    _, turned = probe.call("orientations")
    for first in range(24):
        reached = [first]
        for number in reached:
            reached += [after for after in turned[number] if after not in reached]
        assert sorted(reached) == list(range(24))


def test_the_sheets_vectors(probe: Contract, faces: tuple[Faces, ...]) -> None:
    _, turned = probe.call("orientations")
    from_star = turned[faces.index((1, 3, 2))]
    assert [faces[after] for after in from_star] == [(4, 1, 2), (5, 3, 1), (3, 6, 2), (2, 3, 6)]


@pytest.mark.parametrize("cubes", [1, 2, 3, 4])
def test_set_ups(probe: Contract, faces: tuple[Faces, ...], cubes: int) -> None:
    for ruleset in (NEAR, BOARD):
        position = probe.call("setUp", cubes, ruleset == BOARD)
        assert cubes_of(position, faces) == CubeBoard.begun(cubes, ruleset).cubes
        assert tuple(_numbers(cubes_of(position, faces))) == module.set_up(cubes).cubes


# ---- random matches


@pytest.mark.parametrize("ruleset", [NEAR, BOARD], ids=["near", "board"])
@pytest.mark.parametrize("matches", [pytest.param(80, id="80"), pytest.param(2_000, id="2000", marks=pytest.mark.soak)])
def test_random_matches_are_the_same_to_contract_model_and_module(
    probe: Contract, faces: tuple[Faces, ...], ruleset: int, matches: int
) -> None:
    seen = {"roll": 0, "hop": 0, "removed": 0, "won": 0}
    for cubes, plies in _playouts(probe, ruleset, matches):
        _replayed(cubes, ruleset, plies, faces, seen)
    assert min(seen.values()) > 0, seen


def _playouts(probe: Contract, ruleset: int, matches: int) -> Iterator[tuple[int, list[int]]]:
    for seed in range(0, matches, BATCH_SIZE):
        cubes = 1 + seed // BATCH_SIZE % 4
        for plies in probe.call("playouts", cubes, ruleset == BOARD, seed, BATCH_SIZE, PLIES):
            yield cubes, plies


def _replayed(cubes: int, ruleset: int, plies: list[int], faces: tuple[Faces, ...], seen: dict[str, int]) -> None:
    model, at = CubeBoard.begun(cubes, ruleset), module.set_up(cubes, ruleset == BOARD)
    for ply in plies:
        options, number, cell, after = ply & 2**64 - 1, ply >> 64 & 255, ply >> 72 & 255, ply >> 128
        seat = model.mover
        assert (at.mover, at.hopper) == (seat, module.NO_HOP if model.hopper is None else model.hopper)
        legal = module.legal_moves(at)
        if model.hopper is not None:
            assert options == mask(model.hops(model.hopper))
            assert options == sum(1 << move % module.MOVE_CELLS for move in legal)
            model.hop(square_of(cell))
            seen["hop"] += 1
        else:
            assert options == model.roll_mask(seat)
            assert options.bit_count() == len(legal)
            if cell == PASS:
                assert not legal
                model.skip()
            else:
                direction = model.direction(model.cubes[number].square, square_of(cell))
                assert direction is not None
                seen["removed"] += model.roll(number, direction)
                seen["roll"] += 1
        at = module.play(at, module.PASS if cell == PASS else module.MOVE_CELLS * number + cell)
        at = at._replace(passes=0, quiet=0)  # `test_stateful.py` tests the rules for draws
        assert cubes_of(after, faces) == dict(sorted(model.cubes.items()))
        assert tuple(_numbers(cubes_of(after, faces))) == at.cubes
    seen["won"] += model.won


def _numbers(cubes: dict[int, Cube]) -> Iterator[int]:
    """Yield each cube as a number, in the encoding of the Python module."""
    for number in range(8):
        if number not in cubes:
            yield GONE
        else:
            (x, y), orientation = cubes[number].square, ORIENTATIONS.index(cubes[number].faces)
            yield TURNS * (7 * (y - 1) + x - 1) + orientation


# ---- the number of sequences of turns


@pytest.mark.parametrize(("cubes", "rolls"), [(1, (1, 1)), (2, (5, 4)), (3, (8, 7)), (4, (11, 11))])
def test_first_rolls_are_the_sheets(probe: Contract, cubes: int, rolls: tuple[int, int]) -> None:
    for ruleset in (NEAR, BOARD):
        board = CubeBoard.begun(cubes, ruleset)
        assert tuple(len(board.rolls(seat)) for seat in (0, 1)) == rolls
        masks = [ply[0] for ply in probe.call("playouts", cubes, ruleset == BOARD, 0, 1, 1)]
        assert [(first & 2**64 - 1).bit_count() for first in masks] == [rolls[0]]


@pytest.mark.parametrize(
    ("cubes", "ruleset", "counts"),
    [(1, NEAR, [1, 1]), (1, BOARD, [1, 1]), (2, NEAR, [17, 279]), (2, BOARD, [16, 143])],
)
def test_turns_are_counted_as_on_the_sheet(probe: Contract, cubes: int, ruleset: int, counts: list[int]) -> None:
    position = probe.call("setUp", cubes, ruleset == BOARD)
    assert [probe.call("count", position, 0, depth) for depth in (1, 2)] == counts
    first = list(CubeBoard.begun(cubes, ruleset).turns())
    assert [len(first), sum(len(list(board.turns())) for board in first)] == counts


@pytest.mark.parametrize("ruleset", [NEAR, BOARD], ids=["near", "board"])
@pytest.mark.parametrize("cubes", [1, 2, 3, 4])
@pytest.mark.parametrize("depth", [1, 2, pytest.param(3, marks=pytest.mark.soak)])
def test_turns_are_counted_as_by_the_module(probe: Contract, cubes: int, ruleset: int, depth: int) -> None:
    position, at = probe.call("setUp", cubes, ruleset == BOARD), module.set_up(cubes, ruleset == BOARD)
    if depth < 3:
        counted = probe.call("count", position, 0, depth)
    else:
        requests = [probe.request("count", after, 1, depth - 1) for after in probe.call("turns", position, 0)]
        counted = sum(probe.result("count", answer) for answer in probe.node.batch(requests))
    assert counted == perft(at, depth)
