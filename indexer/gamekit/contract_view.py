"""Converts a board and the contract's view (`board(matchId)`) to the same shape, so that they can
be compared.

A view is an object with the field names of the contract's struct. Its values are integers,
checksummed addresses, and bytes as 0x hex. Each function `..._from_contract` has a counterpart
`..._from_board`. A game's own pair (`Game.from_contract`, `Game.from_board`) calls them."""

from __future__ import annotations

from collections.abc import Iterable

from indexer.gamekit.lifecycle import NOBODY, REASONS
from indexer.model import Json

STATUS = ("none", "open", "playing", "finished", "cancelled")
"""The names of the statuses, by their numbers in IMatch.sol."""


def match_from_contract(contract_view: Json) -> Json:
    """Return the life cycle of a match: status, ply, deadline and, after the end, reason and
    winner."""
    found = {
        "status": STATUS[contract_view["status"]],
        "ply": contract_view["ply"],
        "deadline": contract_view["deadline"],
    }
    if contract_view["reason"]:
        found["reason"] = REASONS[contract_view["reason"]]
    return found | _without_nobody(winner=contract_view["winner"])


def match_from_board(board: Json) -> Json:
    """Return the life cycle of a folded board, in the same shape as `match_from_contract`."""
    return {key: board[key] for key in ("status", "ply", "deadline", "reason", "winner") if key in board}


def duel_from_contract(contract_view: Json, players: Iterable[str]) -> Json:
    """Return the life cycle, clock, seats and player to move in a match for two."""
    seats = [one for one in players if one != NOBODY]
    return {
        **match_from_contract(contract_view),
        "clock": contract_view["clock"],
        "players": seats,
        **_without_nobody(mover=contract_view["mover"]),
    }


def duel_from_board(board: Json) -> Json:
    """Return a folded board's life cycle, clock, seats and player to move, in the same shape as
    `duel_from_contract`. Like the contract's view, show the invited player in a free seat."""
    players = seats(board)
    if len(players) == 1 and "opponent" in board:
        taken = board["players"][players[0]]["seat"]
        players.insert(1 - taken, board["opponent"])
    found = {**match_from_board(board), "clock": board["clock"], "players": players}
    return {**found, "mover": board["mover"]} if "mover" in board else found


def seats(board: Json) -> list[str]:
    """Return the players' addresses, starting with seat 0."""
    return sorted(board["players"], key=lambda player: board["players"][player]["seat"])


def bits(mask: int) -> list[int]:
    """Return the numbers of the bits that are set, in ascending order."""
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def _without_nobody(**addresses: str) -> Json:
    """Return these addresses by name. Leave out zero addresses."""
    return {name: address for name, address in addresses.items() if address != NOBODY}
