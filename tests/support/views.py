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


VIEWS: Mapping[str, Callable[[Json], Json]] = {"touche-coule": _touche_view}
BOARDS: Mapping[str, Callable[[Json], Json]] = {"touche-coule": _touche_board}
