"""A contract's own view of a match beside the folded board: each game's two sides in one shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from indexer.match import NOBODY, REASONS
from indexer.model import Json

STATUS = ("none", "open", "playing", "finished", "cancelled")


def chain_view(slug: str, raw: Any) -> Json:
    """The contract's `board(matchId)`, as web3.py gives it with named tuples, in the shape of `public`."""
    view = raw._asdict()
    board = {"seq": view["seq"], "status": STATUS[view["status"]], "ply": view["ply"], "deadline": view["deadline"]}
    if view["reason"]:
        board["reason"] = REASONS[view["reason"]]
    if view["winner"] != NOBODY:
        board["winner"] = view["winner"]
    return board | VIEWS[slug](view)


def public(slug: str, board: Json, seq: int) -> Json:
    """What a folded board and the contract's view both tell."""
    shown = {key: board[key] for key in ("status", "ply", "deadline", "reason", "winner") if key in board}
    return {"seq": seq, **shown, **BOARDS[slug](board)}


def _touche_view(view: Json) -> Json:
    width, ships = view["width"], [ship._asdict() for ship in view["ships"]]
    return {
        **{key: view[key] for key in ("width", "height", "captains", "anchor")},
        "afloat": sum(ship["afloat"] for ship in ships),
        "owners": list(dict.fromkeys(ship["owner"] for ship in ships)),
        "ships": {str(number): _ship(ship, width) for number, ship in enumerate(ships, start=1)},
    }


def _ship(ship: Json, width: int) -> Json:
    y, x = divmod(ship["cell"], width)
    shown = {"owner": ship["owner"], "x": x, "y": y, "afloat": ship["afloat"], "ready": ship["readyAt"]}
    return shown if ship["captain"] == NOBODY else {**shown, "captain": ship["captain"]}


def _touche_board(board: Json) -> Json:
    ships = {
        number: {key: value for key, value in ship.items() if key not in ("fired", "ally")}
        for number, ship in board["ships"].items()
    }
    return {
        **{key: board[key] for key in ("width", "height", "captains", "anchor", "afloat")},
        "owners": seats(board),
        "ships": ships,
    }


def seats(board: Json) -> list[str]:
    """The players, seat 0 first."""
    return sorted(board["players"], key=lambda player: board["players"][player]["seat"])


def cells(mask: int) -> list[int]:
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def _duel_view(view: Json, players: list[str]) -> Json:
    shown = {"clock": view["clock"], "players": [one for one in players if one != NOBODY]}
    return shown if view["mover"] == NOBODY else {**shown, "mover": view["mover"]}


def _duel_board(board: Json) -> Json:
    """Who is invited stands in the contract's second seat while it is empty."""
    players = seats(board)
    if len(players) == 1 and "opponent" in board:
        taken = board["players"][players[0]]["seat"]
        players.insert(1 - taken, board["opponent"])
    shown = {"clock": board["clock"], "players": players}
    return {**shown, "mover": board["mover"]} if "mover" in board else shown


def _three_view(view: Json) -> Json:
    marks = {1: cells(view["hostCells"]), 2: cells(view["challengerCells"])}
    shown = {"cells": {str(cell): mark for mark, held in marks.items() for cell in held}}
    if view["offeredBy"] != NOBODY:
        shown["offeredBy"] = view["offeredBy"]
    if view["rematch"]:
        shown["rematch"] = view["rematch"]
    return _duel_view(view, [view["host"], view["challenger"]]) | shown


def _three_board(board: Json) -> Json:
    shown = {"cells": board["cells"]}
    if "offer" in board:
        shown["offeredBy"] = board["offer"]["by"]
    if "rematch" in board:
        shown["rematch"] = board["rematch"]
    return _duel_board(board) | shown


def _fleets_view(view: Json) -> Json:
    phase = ("reveals" if view["revealing"] else "shots") if STATUS[view["status"]] == "playing" else None
    both = list(zip(view["shots"], view["hits"], strict=True))
    shown = {
        "commitments": ["0x" + one.hex() for one in view["commitments"] if any(one)],
        "shots": [{str(tile): "hit" if hits >> tile & 1 else "miss" for tile in cells(shots)} for shots, hits in both],
        "faults": [fault if told else None for fault, told in zip(view["faults"], view["revealed"], strict=True)],
        "stake": str(view["stake"]),
        "token": None if view["token"] == NOBODY else view["token"],
        "phase": phase,
        "pending": None if view["pending"] == 255 else view["pending"],
        "loser": None if view["loser"] == NOBODY else view["loser"],
        "cause": REASONS[view["cause"]] if view["cause"] else None,
        "withdrawn": [player for player, out in zip(view["players"], view["withdrawn"], strict=True) if out],
    }
    return _duel_view(view, view["players"]) | shown


def _fleets_board(board: Json) -> Json:
    players = seats(board)
    fleets = [board["fleets"].get(player, {}) for player in players]
    shots = [board["players"][player].get("shots", {}) for player in players]
    missing = 2 - len(players)
    shown = {
        "commitments": [fleet["commitment"] for fleet in fleets if "commitment" in fleet],
        "shots": shots + [{}] * missing,
        "faults": [fleet.get("fault") for fleet in fleets] + [None] * missing,
        "stake": board["stake"],
        "token": board.get("token"),
        "phase": board.get("phase") if board["status"] == "playing" else None,
        "pending": board["pending"]["tile"] if "pending" in board else None,
        "loser": board.get("loser"),
        "cause": board.get("cause"),
        "withdrawn": [player for player in players if player in board.get("withdrawn", {})],
    }
    return _duel_board(board) | shown


VIEWS: Mapping[str, Callable[[Json], Json]] = {
    "touche-coule": _touche_view,
    "tic-tac-toe": _three_view,
    "battleship": _fleets_view,
}
BOARDS: Mapping[str, Callable[[Json], Json]] = {
    "touche-coule": _touche_board,
    "tic-tac-toe": _three_board,
    "battleship": _fleets_board,
}
