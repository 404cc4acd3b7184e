"""Reversi's reducer, which computes the board from the match's events.

Besides the fields of every match (indexer/gamekit/lifecycle.py), the board has `mover`, `deadline`,
`width`, `height` and three more fields. `cells` maps each cell with a disc (`row * 8 + column`) to
the disc's seat; seat 0 is black. `last` is the cell of the newest disc. `turned` lists the cells of
the discs that the newest disc turned.
"""

from __future__ import annotations

from indexer.gamekit.contract_view import bits, duel_from_board, duel_from_contract
from indexer.gamekit.game import Action, Game, Input
from indexer.gamekit.lifecycle import DUEL, duel_overdue, to_move
from indexer.model import Event, Json

WIDTH, HEIGHT = 8, 8
START: Json = {
    "status": "none",
    "ply": 0,
    "players": {},
    "cells": {"27": 1, "28": 0, "35": 0, "36": 1},
    "width": WIDTH,
    "height": HEIGHT,
    "clock": 0,
    "deadline": 0,
}


def moved(board: Json, event: Event) -> Json:
    args = event.args
    seat, turned = board["players"][args["by"]]["seat"], bits(int(args["turned"]))
    discs = {str(cell): seat for cell in (args["cell"], *turned)}
    after = {**board, "ply": args["ply"] + 1, "cells": board["cells"] | discs, "last": args["cell"], "turned": turned}
    return to_move(after, 1 - seat, event.time)


def passed(board: Json, event: Event) -> Json:
    """Give the turn back to the opponent of the player who can't move."""
    return to_move(board, 1 - board["players"][event.args["by"]]["seat"], event.time)


def from_contract(contract_view: Json) -> Json:
    """Return the contract's `board` view in a form that can be compared with `from_board`'s
    result."""
    discs = {str(cell): seat for seat, mask in enumerate(contract_view["discs"]) for cell in bits(int(mask))}
    return {**duel_from_contract(contract_view, contract_view["players"]), "cells": discs}


def from_board(board: Json) -> Json:
    """Return the board in a form that can be compared with `from_contract`'s result."""
    return {**duel_from_board(board), "cells": board["cells"]}


CLOCK = Input("clock", "Time for a move", "clock", 0, 30 * 86_400, 0)

GAME = Game(
    slug="reversi",
    title="Reversi",
    contract="Reversi",
    layout="grid",
    start=START,
    reducers={**DUEL, "Moved": moved, "Passed": passed},
    actions=(
        Action("create", "New match", (Input("opponent", "Opponent", "opponent"), CLOCK)),
        Action("join", "Join"),
        Action("move", "Move"),
        Action("close", "Close"),
        Action("resign", "Resign"),
        Action("claimTimeout", "Claim the win"),
    ),
    overdue=duel_overdue,
    from_contract=from_contract,
    from_board=from_board,
)
