"""The time before a match starts: its creator chooses the terms, and players take seats."""

from __future__ import annotations

from collections.abc import Sequence

from indexer.gamekit.lifecycle import NOBODY
from indexer.gamekit.names import parse_address
from indexer.rules.call import Call, IllegalMove
from indexer.rules.conquest_state.custom_error import CustomError
from indexer.rules.conquest_state.graph import map_fault

MIN_PLAYERS, MAX_PLAYERS = 2, 6
MIN_GRAIN, MAX_GRAIN = 48, 200
"""The minimum and maximum of the grain. The grain is the mean number of cells per land."""
MIN_CLOCK, MAX_CLOCK = 60, 30 * 86_400
"""The minimum and maximum of the clock, in seconds per command."""


def require_terms(creator: str, players: int, invited: Sequence[str], grain: int, clock: int, graph: bytes) -> None:
    """Raise CustomError if the contract would reject these terms. Rematches are not checked here,
    only in the contract."""
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise CustomError("BadPlayers", players, MIN_PLAYERS, MAX_PLAYERS)
    if len(invited) > players - 1:
        raise CustomError("BadPlayers", len(invited), 0, players - 1)
    if not MIN_GRAIN <= grain <= MAX_GRAIN:
        raise CustomError("BadGrain", grain, MIN_GRAIN, MAX_GRAIN)
    if not MIN_CLOCK <= clock <= MAX_CLOCK:
        raise CustomError("BadClock", clock, MIN_CLOCK, MAX_CLOCK)
    seated = [creator]
    for one in invited:
        if one in seated:
            raise CustomError("SamePlayer", one)
        seated += [one] if one != NOBODY else []
    if (wrong := map_fault(graph, players)) is not None:
        raise CustomError("BadMap", *wrong)


def free_seat(number: int, accounts: Sequence[str], invited: Sequence[str], account: str) -> int:
    """Return the seat that is reserved for this account, or the lowest free seat that isn't
    reserved. Raises CustomError if there is none."""
    if account in accounts:
        raise CustomError("SamePlayer", account)
    if account in invited:
        return invited.index(account)
    free = [seat for seat, player in enumerate(accounts) if player == NOBODY]
    for seat in free:
        if invited[seat] == NOBODY:
            return seat
    raise CustomError("NotInvited", number, account, invited[free[0]])


def raw(call: Call, name: str) -> bytes:
    """Return the argument `name`, which must be bytes as 0x hex. Raises IllegalMove."""
    value = call.text(name)
    try:
        return bytes.fromhex(value.removeprefix("0x"))
    except ValueError:
        raise IllegalMove(f"{call.action}: {name} must be 0x and hex digits") from None


def accounts_invited(call: Call) -> list[str]:
    """Return the accounts that a call invites, starting with seat 1. The zero address stands for
    anyone. Raises IllegalMove."""
    value = call.arguments.get("invited", ())
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
        raise IllegalMove(f"{call.action}: invited must be a list of addresses")
    return [parse_address(one) for one in value]
