"""The part of a match that both the folded board and the contract's view (`board(matchId)`) show, in one shape for
both.

A view comes as an object by the names of the contract's struct: integers, checksummed addresses, bytes as 0x hex. Each
`..._from_contract` has its twin `..._from_board`; a game's own pair (`Game.from_contract`, `Game.from_board`) builds on
them."""

from __future__ import annotations

from collections.abc import Iterable

from indexer.gamekit.lifecycle import NOBODY, REASONS
from indexer.model import Json

STATUS = ("none", "open", "playing", "finished", "cancelled")
"""The statuses in the numbering of IMatch.sol."""


def match_from_contract(contract_view: Json) -> Json:
    """The life cycle of a match: status, ply, deadline; reason and winner when it ended."""
    found = {
        "status": STATUS[contract_view["status"]],
        "ply": contract_view["ply"],
        "deadline": contract_view["deadline"],
    }
    if contract_view["reason"]:
        found["reason"] = REASONS[contract_view["reason"]]
    return found | _without_nobody(winner=contract_view["winner"])


def match_from_board(board: Json) -> Json:
    return {key: board[key] for key in ("status", "ply", "deadline", "reason", "winner") if key in board}


def duel_from_contract(contract_view: Json, players: Iterable[str]) -> Json:
    """A match of two: its life cycle, clock, seats, and who is to move."""
    seats = [one for one in players if one != NOBODY]
    return {
        **match_from_contract(contract_view),
        "clock": contract_view["clock"],
        "players": seats,
        **_without_nobody(mover=contract_view["mover"]),
    }


def duel_from_board(board: Json) -> Json:
    """The same of a board. Who is invited is in the contract's other seat while that is empty."""
    players = seats(board)
    if len(players) == 1 and "opponent" in board:
        taken = board["players"][players[0]]["seat"]
        players.insert(1 - taken, board["opponent"])
    found = {**match_from_board(board), "clock": board["clock"], "players": players}
    return {**found, "mover": board["mover"]} if "mover" in board else found


def seats(board: Json) -> list[str]:
    """The players, seat 0 first."""
    return sorted(board["players"], key=lambda player: board["players"][player]["seat"])


def bits(mask: int) -> list[int]:
    """The numbers of the bits that are set."""
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def _without_nobody(**addresses: str) -> Json:
    """The addresses by name, without the zero address."""
    return {name: address for name, address in addresses.items() if address != NOBODY}
