"""Tic-tac-toe: from its events to its board, with the pure rules that tests and bots use.

Board: status, reason, winner, ply, clock, deadline (seconds; 0: none runs), creator, opponent (who is invited; absent:
anyone), rematchOf, rematch (the match's number), players (by address: seat), mover (address, while the match is
played), width, height, cells (by `row * 3 + column`: mark 1 or 2), last (cell), line (the cells that won) and offer
(of a restart: by, ply). What is not there is absent.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TypeAlias

from indexer.gamekit.contract_view import bits, duel_from_board, duel_from_contract
from indexer.gamekit.game import Action, Game, Input
from indexer.gamekit.lifecycle import DUEL, NOBODY, duel_ended, to_move
from indexer.model import Event, Json

SIDE = 3
CELLS = SIDE * SIDE
DAY = 86_400
MAX_CLOCK = 30 * DAY

# ---- the rules

Position: TypeAlias = tuple[int, int]
"""The cells with mark 1 and those with mark 2, as masks: bit `row * 3 + column`."""

EMPTY: Position = (0, 0)
FULL = 0x1FF
LINES = (0x007, 0x038, 0x1C0, 0x049, 0x092, 0x124, 0x111, 0x054)
"""Rows, columns, diagonals."""


def line(cells: int) -> int:
    """All lines that these cells fill, as one mask; 0: none."""
    filled = 0
    for each in LINES:
        if cells & each == each:
            filled |= each
    return filled


def mark_to_move(position: Position) -> int:
    """1 or 2. Mark 1 begins."""
    return 1 + (position[0] | position[1]).bit_count() % 2


def winner(position: Position) -> int:
    """The mark that has won; 0: none. Only who moved last can have."""
    last = 3 - mark_to_move(position)
    return last if line(position[last - 1]) else 0


def legal_moves(position: Position) -> list[int]:
    """The cells where a mark may be set: none after the end."""
    taken = position[0] | position[1]
    return [] if winner(position) else [cell for cell in range(CELLS) if not taken >> cell & 1]


def play(position: Position, cell: int) -> Position:
    """The position after a legal move."""
    one, two = position
    return (one | 1 << cell, two) if mark_to_move(position) == 1 else (one, two | 1 << cell)


@cache
def outcomes(position: Position = EMPTY) -> tuple[int, int, int]:
    """Of all games that go on from here: how many mark 1 wins, mark 2 wins, and are drawn."""
    moves = legal_moves(position)
    if not moves:
        won = winner(position)
        return int(won == 1), int(won == 2), int(won == 0)
    one, two, drawn = zip(*(outcomes(play(position, cell)) for cell in moves), strict=True)
    return sum(one), sum(two), sum(drawn)


def tree() -> Iterator[tuple[Position, tuple[int, ...]]]:
    """Each position that a game can reach, once, with the cells of a game that leads there; shorter ones first."""
    level: dict[Position, tuple[int, ...]] = {EMPTY: ()}
    while level:
        yield from level.items()
        level = {
            play(position, cell): (*path, cell) for position, path in level.items() for cell in legal_moves(position)
        }


# ---- the reducers

START: Json = {"status": "none", "ply": 0, "deadline": 0, "players": {}, "cells": {}, "width": SIDE, "height": SIDE}


def moved(board: Json, event: Event) -> Json:
    """A move cancels an offer to restart."""
    args = event.args
    cell, mark = args["row"] * SIDE + args["column"], args["mark"]
    after = {key: value for key, value in board.items() if key != "offer"}
    after |= {"ply": args["ply"] + 1, "cells": {**board["cells"], str(cell): mark}, "last": cell}
    return to_move(after, mark % 2, event.time)


def won(board: Json, event: Event) -> Json:
    return {**board, "line": [cell for cell in range(CELLS) if event.args["line"] >> cell & 1]}


def offered(board: Json, event: Event) -> Json:
    return {**board, "offer": {"by": event.args["by"], "ply": event.args["ply"]}}


def repeated(board: Json, event: Event) -> Json:
    return {**board, "rematch": event.args["rematch"]}


def match_ended(board: Json, event: Event) -> Json:
    """No offer stands any more."""
    return {key: value for key, value in duel_ended(board, event).items() if key != "offer"}


# ---- beside the contract's view


def from_contract(contract_view: Json) -> Json:
    marks = {1: bits(contract_view["hostCells"]), 2: bits(contract_view["challengerCells"])}
    found = {"cells": {str(cell): mark for mark, held in marks.items() for cell in held}}
    if contract_view["offeredBy"] != NOBODY:
        found["offeredBy"] = contract_view["offeredBy"]
    if contract_view["rematch"]:
        found["rematch"] = contract_view["rematch"]
    return duel_from_contract(contract_view, [contract_view["host"], contract_view["challenger"]]) | found


def from_board(board: Json) -> Json:
    found = {"cells": board["cells"]}
    if "offer" in board:
        found["offeredBy"] = board["offer"]["by"]
    if "rematch" in board:
        found["rematch"] = board["rematch"]
    return duel_from_board(board) | found


_MATCH = "uint48"

GAME = Game(
    slug="tic-tac-toe",
    title="Tic-tac-toe",
    contract="TicTacToe",
    layout="grid",
    start=START,
    reducers={
        **DUEL,
        "Moved": moved,
        "GameWon": won,
        "RestartOffered": offered,
        "RematchOpened": repeated,
        "MatchEnded": match_ended,
    },
    actions=(
        Action(
            "create",
            "create(address,uint24)",
            "New match",
            (
                Input("challenger", "Opponent (nobody named: anyone)", "opponent"),
                Input("clock", "Seconds for a move (0: none, friendly)", "clock", 0, MAX_CLOCK, 0),
            ),
            gas=200_000,
        ),
        Action("accept", f"accept({_MATCH})", "Accept", gas=120_000),
        Action("move", f"move({_MATCH},uint32,uint16,uint16)", "Move", gas=80_000),
        Action("rematch", f"rematch({_MATCH})", "Rematch", gas=220_000),
        Action("offerRestart", f"offerRestart({_MATCH})", "Offer to begin anew", gas=80_000),
        Action("acceptRestart", f"acceptRestart({_MATCH},uint32)", "Begin anew", gas=250_000),
        Action("close", f"close({_MATCH})", "Close", gas=80_000),
        Action("resign", f"resign({_MATCH})", "Resign", gas=80_000),
        Action("claimTimeout", f"claimTimeout({_MATCH})", "Claim the win on time", gas=80_000),
    ),
    from_contract=from_contract,
    from_board=from_board,
)
