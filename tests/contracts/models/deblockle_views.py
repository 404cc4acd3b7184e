"""Predicts two things from the model of a Deblockle match: the results of the contract's views, and
the board in the index."""

from __future__ import annotations

from typing import Any

from tests.contracts.models.deblockle import FINISHED, OPEN, PLAYING, REASON, STATUS, ZERO, DeblockleMatch
from tests.contracts.models.deblockle_board import STEPS, cell, mask

NO_CUBE = 255


def phase(match: DeblockleMatch) -> int:
    """Return the phase of the match: 0 for a roll, 1 for a hop, 2 after the match."""
    return 2 if match.status not in (OPEN, PLAYING) else 0 if match.cubes.hopper is None else 1


def contract_view(match: DeblockleMatch) -> tuple[Any, ...]:
    """Return the value that the contract's `board` should return."""
    cubes, streams, playing = match.cubes, match.streams, match.status == PLAYING
    hopper = cubes.hopper if playing else None
    return (
        match.seq, match.status, match.reason, match.ply, match.clock, match.deadline,
        match.seats[cubes.mover] if playing else ZERO, tuple(match.seats),
        ZERO if match.winner is None else match.seats[match.winner], match.size, match.ruleset, phase(match),
        NO_CUBE if hopper is None else hopper,
        cubes.roll_mask(cubes.mover) if playing and hopper is None else 0,
        0 if hopper is None else mask(cubes.hops(hopper)),
        cubes.passes, cubes.quiet, match.token, match.stake, match.rate, tuple(streams.seconds),
        tuple(streams.withdrawn), tuple((number, *cube.square, *cube.faces) for number, cube in cubes.cubes.items()),
    )  # fmt: skip


def status_view(match: DeblockleMatch, now: int) -> tuple[Any, ...]:
    """Return the value that the contract's `status` should return."""
    deposited = (match.stake, match.stake if match.status in (PLAYING, FINISHED) else 0)
    due = tuple(match.earned(seat, now) - match.streams.withdrawn[seat] for seat in (0, 1))
    return tuple(match.seats), match.token, match.rate, deposited, due


def folded_board(match: DeblockleMatch) -> dict[str, Any]:
    """Return the board that the index should store for the match."""
    cubes, streams, playing = match.cubes, match.streams, match.status == PLAYING
    joined = match.seats if match.status in (PLAYING, FINISHED) else match.seats[:1]
    shown: dict[str, Any] = {
        "status": STATUS[match.status], "ply": match.ply, "clock": match.clock, "deadline": match.deadline,
        "creator": match.seats[0], "width": 7, "height": 7, "setup": match.size,
        "ruleset": ["near", "board"][match.ruleset], "stake": str(match.stake), "rate": str(match.rate),
        "players": {
            account: {"seat": seat, "streamed": streams.seconds[seat], "withdrawn": str(streams.withdrawn[seat])}
            for seat, account in enumerate(joined)
        },
        "cubes": {
            str(number): {"seat": number // 4, "cell": cell(cube.square)}
            | dict(zip(("up", "front", "right"), cube.faces, strict=True))
            for number, cube in cubes.cubes.items()
        },
        "moves": _moves(match) if playing else {},
        "passes": cubes.passes, "quiet": cubes.quiet,
        "removed": {str(seat): cubes.gone[seat] for seat in (0, 1)},
    }  # fmt: skip
    optional = {
        "opponent": match.invited if match.invited != ZERO else None,
        "rematchOf": match.rematch_of or None,
        "token": match.token if match.token != ZERO else None,
        "reason": REASON.get(match.reason),
        "winner": None if match.winner is None else match.seats[match.winner],
        "last": match.last,
    }
    if playing:
        optional |= {
            "mover": match.seats[cubes.mover],
            "phase": ["roll", "hop"][phase(match)],
            "hopper": cubes.hopper,
            "turnStart": streams.start,
            "runsDry": streams.runs_dry if match.stake else None,
        }
    return shown | {key: value for key, value in optional.items() if value is not None}


def _moves(match: DeblockleMatch) -> dict[str, list[int]]:
    """Return the cells that each cube can reach by a legal roll. If a cube must hop now, return
    only the cells to which this cube can hop."""
    cubes = match.cubes
    if cubes.hopper is not None:
        return {str(cubes.hopper): sorted(cell(square) for square in cubes.hops(cubes.hopper))}
    found: dict[str, list[int]] = {}
    for number, direction in cubes.rolls(cubes.mover):
        (x, y), (dx, dy) = cubes.cubes[number].square, STEPS[direction]
        found.setdefault(str(number), []).append(cell((x + dx, y + dy)))
    return {number: sorted(cells) for number, cells in found.items()}
