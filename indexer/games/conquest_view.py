"""Converts Conquest's board and the contract's view to the same shape, so that they can be
compared.

Values that belong to seats or lands are lists, in the order of the numbers of the seats or lands.
255 stands for no seat or no land. A set of lands is a bit mask in decimal text, because it has more
than 48 bits."""

from __future__ import annotations

from indexer.gamekit.contract_view import STATUS, bits
from indexer.gamekit.lifecycle import NOBODY, REASONS
from indexer.model import Json

NONE = 255
"""The number that stands for no seat or no land."""
PHASES = ("reinforcement", "action", "move", "capital")
DRAWS = ("none", "first", "turn", "battle", "collect")
STARTED = ("playing", "finished")


def from_contract(contract_view: Json) -> Json:
    """Convert the contract's view of a match. It names no winner, because the winner is the only
    player who is still alive."""
    status = STATUS[contract_view["status"]]
    found: Json = {
        **{key: contract_view[key] for key in ("ply", "trail", "clock", "deadline", "seats", "players", "invited")},
        "status": status,
        "reason": REASONS[contract_view["reason"]],
    }
    if status in STARTED:
        names = ("alive", "capitals", "heroes", "hadHero", "stored", "forced", "ports", "soldiers", "first")
        found |= {key: contract_view[key] for key in names}
        found["owned"] = [str(mask) for mask in contract_view["owned"]]
        found["ports"] = str(contract_view["ports"])
        found["items"] = [{key: one[key] for key in ("land", "fat", "turns")} for one in contract_view["items"]]
    if status == "playing":
        found |= {key: contract_view[key] for key in ("mover", "drawBlock", "attacked", "built", "pairs")}
        found |= {
            "phase": PHASES[contract_view["phase"]],
            "draw": DRAWS[contract_view["draw"]],
            "used": [bit + 1 for bit in bits(contract_view["used"])],
        }
    return found


def from_board(board: Json) -> Json:
    count = board["seatCount"]
    by_seat = {player["seat"]: account for account, player in board["players"].items()}
    reserved = board.get("invited", {})
    found: Json = {
        **{key: board[key] for key in ("ply", "trail", "clock", "deadline", "status")},
        "seats": count,
        "players": [by_seat.get(seat, NOBODY) for seat in range(count)],
        "invited": [reserved.get(str(seat), NOBODY) for seat in range(count)],
        "reason": board.get("reason", REASONS[0]),
    }
    if board["status"] in STARTED:
        found |= _of_seats(board) | _of_lands(board) | {"first": board.get("first", NONE)}
    if board["status"] == "playing":
        draw = board.get("draw", {"kind": DRAWS[0], "block": 0})
        found |= {
            "mover": board["players"][board["mover"]]["seat"] if "mover" in board else NONE,
            "phase": board["phase"],
            "draw": draw["kind"],
            "drawBlock": draw["block"],
            "used": board.get("used", []),
            "attacked": board.get("attacked", False),
            "built": board.get("built", False),
            "pairs": "0x" + bytes(_open_lands(board)).hex(),
        }
    return found


def _open_lands(board: Json) -> list[int]:
    """If the open random draw decides an item, return the item's land. If it decides attacks,
    return the lands of the attacks."""
    if "collecting" in board:
        return [board["collecting"]]
    return [land for pair in board.get("attacks", ()) for land in pair]


def _of_seats(board: Json) -> Json:
    seats = [board["seats"][str(seat)] for seat in range(board["seatCount"])]
    lists = {"capitals": ("capital", NONE), "heroes": ("hero", NONE), "stored": ("item", 0), "forced": ("forced", 0)}
    found = {name: [seat.get(key, missing) for seat in seats] for name, (key, missing) in lists.items()}
    return {**found, "alive": _mask(seats, "alive"), "hadHero": _mask(seats, "hadHero")}


def _of_lands(board: Json) -> Json:
    lands = [board["lands"][str(land)] for land in range(board["map"]["lands"])]
    owned = [0] * board["seatCount"]
    for number, land in enumerate(lands):
        if "owner" in land:
            owned[land["owner"]] |= 1 << number
    return {
        "owned": [str(mask) for mask in owned],
        "ports": str(_mask(lands, "port")),
        "soldiers": [land["soldiers"] for land in lands],
        "items": [{"land": number, **land["item"]} for number, land in enumerate(lands) if "item" in land],
    }


def _mask(states: list[Json], key: str) -> int:
    """Return a bit mask of the seats or lands whose field `key` is true."""
    return sum(bool(state.get(key)) << number for number, state in enumerate(states))
