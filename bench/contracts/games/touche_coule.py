"""Compares the gas cost of each call of Touché Coulé with the limit in the game's rules, for
several board sizes and numbers of ships."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import product

from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.matches.touche_coule import ToucheCouleTable
from tests.contracts.touche_coule import gas_limits

ACCOUNTS = 140
SIDES = (10, 50, 64)
FLEETS = (2, 4, 8, 32, 100, 256)
TURNS = 20
COMMUNICATE_AFTER = 10
SHEET = (50, 32)
"""The board's side and the number of ships for which the game's rules limit the gas of a turn. In
matches of other sizes, the limit is computed from the turn's storage operations."""
SAMPLE = 8
"""The number of players whose `changePosition` and `communicate` are measured. The benchmark
reports the most expensive call of each kind."""


def rows(_sessions: Contract, game: Contract) -> Iterator[tuple[str, int, int]]:
    """Measure matches with all combinations of board sizes and numbers of ships."""
    for side, ships in product(SIDES, FLEETS):
        if ships <= side * side:
            for what, measured, limit in _of_board(side, ships, game):
                yield f"{side} x {side}{ships:>4}  {what}", measured, limit


def _of_board(side: int, ships: int, game: Contract) -> Iterator[tuple[str, int, int]]:
    """Measure the calls in one match.

    The limits come from the game's rules or are computed by
    `tests/contracts/touche_coule/gas_limits.py`."""
    table = ToucheCouleTable(game, side, side)
    players = max(2, ships // 2)
    each = 1 if ships == 2 else 2
    yield "register, maximum", max(table.register(p).gas for p in range(players) for _ in range(each)), 185_000
    if each == 2:
        data = game.data("register(uint48)", table.match)
        rejected = table.node.send(table.accounts[0], game.address, data)
        yield "a third ship, rejected", int(rejected["gasUsed"], 16), 30_000
    table.start()
    communications: list[tuple[int, int]] = []
    book = gas_limits.FirstShotsInWords()
    spent = allowed = sheet = turns = 0
    for turn in range(TURNS):
        view = table.view
        owners = [ship.owner for ship in view.ships if ship.afloat]
        if view.status != 2:
            break
        receipt = table.turn(table.accounts.index(owners[0]))
        spent += receipt.gas
        allowed += gas_limits.turn(receipt, len(owners), ships, book.fresh(receipt))
        sheet += 45_000 + 26_000 * len(owners)
        turns += 1
        if turn + 1 == COMMUNICATE_AFTER and each == 2:
            communications = [pair for player in range(players) if (pair := _communicate(table, player))][:SAMPLE]
    if (side, ships) == SHEET:
        yield f"turn, mean of {turns}, by the sheet", spent // turns, sheet // turns
    yield f"turn, mean of {turns}", spent // turns, allowed // turns
    moved = [gas for player in range(min(players, SAMPLE)) if (gas := _moved(table, player))]
    if moved:
        yield "changePosition, maximum", max(moved), 140_000
    if communications:
        gas, limit = max(communications)
        yield f"communicate after {COMMUNICATE_AFTER} turns, maximum", gas, limit
        if side <= 50:
            yield "the same, by the sheet", gas, 330_000


def _communicate(table: ToucheCouleTable, player: int) -> tuple[int, int] | None:
    """Return the gas of the player's call of `communicate` and its limit, or None if the contract
    rejects the call."""
    limit = gas_limits.communicate(table, 2 * player + 1, 2 * player + 2)
    gas = _gas(table, player, "communicate")
    return (gas, limit) if gas else None


def _moved(table: ToucheCouleTable, player: int) -> int:
    table.node.mine()
    return _gas(table, player, "changePosition")


def _gas(table: ToucheCouleTable, player: int, call: str) -> int:
    """Return the call's gas, or 0 if the contract rejects the call because the ship sank or the
    match is over."""
    with suppress(Reverted):
        return table.send(player, call).gas
    return 0
