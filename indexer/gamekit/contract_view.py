"""Converts the contract's view of a match (`board(matchId)`) and our board to the same shape, so
that they can be compared.

A contract's view is an object with the field names of the contract's struct. Its values are
integers, checksummed addresses, and bytes as 0x hex. Each function `..._from_contract` has a
counterpart `..._from_board`. A game's own functions (`Game.from_contract`, `Game.from_board`) call
this module's functions."""

from __future__ import annotations

from collections.abc import Iterable

from indexer.gamekit.lifecycle import NOBODY, REASONS
from indexer.model import Json

STATUS = ("none", "open", "playing", "finished", "cancelled")
"""The statuses of a match. IMatch.sol numbers them in this order."""


def match_from_contract(contract_view: Json) -> Json:
    """Return these fields of a contract's view: status, ply and deadline. After the end of the
    match, also return the reason and the winner."""
    found = {
        "status": STATUS[contract_view["status"]],
        "ply": contract_view["ply"],
        "deadline": contract_view["deadline"],
    }
    if contract_view["reason"]:
        found["reason"] = REASONS[contract_view["reason"]]
    return found | _without_nobody(winner=contract_view["winner"])


def match_from_board(board: Json) -> Json:
    """Return the fields of a board that correspond to the result of `match_from_contract`."""
    return {key: board[key] for key in ("status", "ply", "deadline", "reason", "winner") if key in board}


def duel_from_contract(contract_view: Json, players: Iterable[str]) -> Json:
    """Return the fields of a contract's view in a game for two players: the fields of
    `match_from_contract`, the clock, the players in the order of their seats, and the player to
    move."""
    seats = [one for one in players if one != NOBODY]
    return {
        **match_from_contract(contract_view),
        "clock": contract_view["clock"],
        "players": seats,
        **_without_nobody(mover=contract_view["mover"]),
    }


def duel_from_board(board: Json) -> Json:
    """Return the fields of a board that correspond to the result of `duel_from_contract`. As in the
    contract's view, the invited player is already in the free seat."""
    players = seats(board)
    if len(players) == 1 and "opponent" in board:
        taken = board["players"][players[0]]["seat"]
        players.insert(1 - taken, board["opponent"])
    found = {**match_from_board(board), "clock": board["clock"], "players": players}
    return {**found, "mover": board["mover"]} if "mover" in board else found


def seats(board: Json) -> list[str]:
    """Return the addresses of the players, ordered by seat."""
    return sorted(board["players"], key=lambda player: board["players"][player]["seat"])


def bits(mask: int) -> list[int]:
    """Return the positions of the bits that are set, in ascending order."""
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def _without_nobody(**addresses: str) -> Json:
    """Return the given addresses and their names, but leave out zero addresses."""
    return {name: address for name, address in addresses.items() if address != NOBODY}
