"""The reducers for Tic-tac-toe. They fold the events of a match into its board.

The board has these fields, which are absent if they don't apply:
- status, reason, winner, ply, clock, creator, rematchOf, width, height
- deadline: in seconds since 1970, or 0 if no clock is running
- opponent: the invited player; if absent, anyone can join
- rematch: the number of the next match between the same players
- players: keyed by address, each with seat
- mover: the address of the player to move, while the match is in progress
- cells: the marks (1 or 2), keyed by `row * 3 + column`
- last: the cell of the last move
- line: the winning cells
- offer: an offer to restart the match: by (the player who made it), ply
"""

from __future__ import annotations

from indexer.gamekit.contract_view import bits, duel_from_board, duel_from_contract
from indexer.gamekit.game import Action, Game, Input
from indexer.gamekit.lifecycle import DUEL, MAX_CLOCK, NO_MATCH, NOBODY, duel_ended, duel_overdue, to_move, without
from indexer.model import Event, Json

SIDE = 3
CELLS = SIDE * SIDE

START: Json = {**NO_MATCH, "cells": {}, "width": SIDE, "height": SIDE}


def moved(board: Json, event: Event) -> Json:
    """Return the board after `Moved`. The move cancels an offer to restart the match."""
    args = event.args
    cell, mark = args["row"] * SIDE + args["column"], args["mark"]
    after = without(board, "offer") | {
        "ply": args["ply"] + 1,
        "cells": {**board["cells"], str(cell): mark},
        "last": cell,
    }
    return to_move(after, mark % 2, event.time)


def won(board: Json, event: Event) -> Json:
    return {**board, "line": bits(event.args["line"])}


def offered(board: Json, event: Event) -> Json:
    return {**board, "offer": {"by": event.args["by"], "ply": event.args["ply"]}}


def repeated(board: Json, event: Event) -> Json:
    return {**board, "rematch": event.args["rematch"]}


def match_ended(board: Json, event: Event) -> Json:
    """Return the board after `MatchEnded`. The end cancels an offer to restart the match."""
    return without(duel_ended(board, event), "offer")


# ---- comparison with the contract's view


def from_contract(contract_view: Json) -> Json:
    marks = {1: bits(contract_view["hostCells"]), 2: bits(contract_view["challengerCells"])}
    found = {"cells": {str(cell): mark for mark, cells in marks.items() for cell in cells}}
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
            "New match",
            (
                Input("challenger", "Opponent (empty: anyone)", "opponent"),
                Input("clock", "Seconds per move (0: no clock, unrated)", "clock", 0, MAX_CLOCK, 0),
            ),
            gas=200_000,
            usual_gas=129_000,
        ),
        Action("accept", "Accept", gas=120_000, usual_gas=47_000),
        Action("move", "Move", gas=80_000, usual_gas=36_000),
        Action("rematch", "Rematch", gas=220_000, usual_gas=138_000),
        Action("offerRestart", "Offer a restart", gas=80_000, usual_gas=34_000),
        Action("acceptRestart", "Restart", gas=250_000, usual_gas=133_000),
        Action("close", "Close", gas=80_000, usual_gas=33_000),
        Action("resign", "Resign", gas=80_000, usual_gas=37_000),
        Action("claimTimeout", "Claim the win", gas=80_000, usual_gas=33_000),
    ),
    overdue=duel_overdue,
    from_contract=from_contract,
    from_board=from_board,
)
