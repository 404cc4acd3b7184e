"""Nim's reducer, which computes the board from the match's events.

Besides the fields of every match (indexer/gamekit/lifecycle.py), the board has `mover`, `deadline`,
`width`, `height`, `stones` (the number of stones left on the heap) and `last` (the number of stones
taken in the last move).
"""

from __future__ import annotations

from indexer.gamekit.contract_view import duel_from_board, duel_from_contract
from indexer.gamekit.game import Action, Game, Input
from indexer.gamekit.lifecycle import DUEL, duel_overdue, to_move
from indexer.model import Event, Json

HEAP = 21
START: Json = {
    "status": "none",
    "ply": 0,
    "players": {},
    "stones": HEAP,
    "width": 7,
    "height": 3,
    "clock": 0,
    "deadline": 0,
}


def taken(board: Json, event: Event) -> Json:
    args = event.args
    other = 1 - board["players"][args["by"]]["seat"]
    after = {**board, "ply": args["ply"] + 1, "stones": args["left"], "last": args["stones"]}
    return to_move(after, other, event.time) if args["left"] else after


def from_contract(contract_view: Json) -> Json:
    """Return the contract's `board` view in a form that can be compared with `from_board`'s
    result."""
    return {**duel_from_contract(contract_view, contract_view["players"]), "stones": contract_view["stones"]}


def from_board(board: Json) -> Json:
    """Return the board in a form that can be compared with `from_contract`'s result."""
    return {**duel_from_board(board), "stones": board["stones"]}


CLOCK = Input("clock", "Time for a move", "clock", 0, 30 * 86_400, 0)

GAME = Game(
    slug="nim",
    title="Nim",
    contract="Nim",
    layout="grid",
    start=START,
    reducers={**DUEL, "Taken": taken},
    actions=(
        Action("create", "New match", (Input("opponent", "Opponent", "opponent"), CLOCK)),
        Action("join", "Join"),
        Action("take", "Take"),
        Action("close", "Close"),
        Action("resign", "Resign"),
        Action("claimTimeout", "Claim the win"),
    ),
    overdue=duel_overdue,
    from_contract=from_contract,
    from_board=from_board,
)
