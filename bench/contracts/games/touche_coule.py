"""Gas of Touché Coulé's calls, over boards and ships, beside the figure of its rules sheet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from contracts.artifacts import load
from tests.contracts.support.anvil import AnvilNode
from tests.contracts.support.contract import Contract, Refused, deploy_game
from tests.contracts.support.touche_coule_match import ToucheCouleTable
from tests.contracts.touche_coule import gas_limits

SIDES = (10, 50, 64)
FLEETS = (2, 4, 8, 32, 100, 256)
TURNS = 20
COMMUNICATE_AFTER = 10
SHEET = (50, 32)
"""The side and the ships for which the sheet says what a turn may cost; elsewhere it is what the storage costs."""
SAMPLE = 8
"""Players whose changes of position and talks are measured; the dearest counts."""

Row = tuple[str, int, int]
"""What, measured, the limit of the sheet or of `tests/contracts/touche_coule/gas_limits.py`."""


def main() -> None:
    """Over boards and ships."""
    print(f"{'board':>7} {'ships':>5}  {'call':44} {'measured':>11} {'limit':>11} {'ratio':>6}")
    for side in SIDES:
        anvil = AnvilNode(140)
        try:
            _, game = deploy_game(anvil, load("ToucheCoule"))
            for ships in FLEETS:
                if ships <= side * side:
                    _print(side, ships, game)
        finally:
            anvil.close()


def _print(side: int, ships: int, game: Contract) -> None:
    for what, measured, limit in _rows(side, ships, game):
        print(
            f"{side:>3} x {side:<3}{ships:>4}  {what:44} {measured:>11,} {limit:>11,} {measured / limit:>6.2f}",
            flush=True,
        )


def _rows(side: int, ships: int, game: Contract) -> Iterator[Row]:
    table = ToucheCouleTable(game, side, side)
    players = max(2, ships // 2)
    each = 1 if ships == 2 else 2
    yield "register, the dearest", max(table.register(p).gas for p in range(players) for _ in range(each)), 185_000
    if each == 2:
        data = game.data("register(uint48)", table.match)
        yield (
            "a third one, refused",
            int(table.anvil.send(table.accounts[0], game.address, data)["gasUsed"], 16),
            30_000,
        )
    table.start()
    communications: list[tuple[int, int]] = []
    book = gas_limits.Logbook()
    spent = allowed = sheet = turns = 0
    for turn in range(TURNS):
        view = table.view
        owners = [boat.owner for boat in view.ships if boat.afloat]
        if view.status != 2:
            break
        receipt = table.turn(table.accounts.index(owners[0]))
        spent += receipt.gas
        allowed += gas_limits.turn(receipt, len(owners), ships, book.fresh(receipt))
        sheet += 45_000 + 26_000 * len(owners)
        turns += 1
        if turn + 1 == COMMUNICATE_AFTER:
            communications = [pair for player in range(players) if (pair := _communicate(table, player, each))][:SAMPLE]
    if (side, ships) == SHEET:
        yield f"turn, mean of {turns}, by the sheet", spent // turns, sheet // turns
    yield f"turn, mean of {turns}", spent // turns, allowed // turns
    moved = [gas for player in range(min(players, SAMPLE)) if (gas := _moved(table, player))]
    if moved:
        yield "changePosition, the dearest", max(moved), 140_000
    if communications:
        gas, limit = max(communications)
        yield f"communicate after {COMMUNICATE_AFTER} turns, the dearest", gas, limit
        if side <= 50:
            yield "the same, by the sheet", gas, 330_000


def _communicate(table: ToucheCouleTable, player: int, each: int) -> tuple[int, int] | None:
    """Gas and its limit; None when it is refused."""
    if each == 1:
        return None
    limit = gas_limits.communicate(table, each * player + 1, each * player + 2)
    gas = _gas(table, player, "communicate")
    return (gas, limit) if gas else None


def _moved(table: ToucheCouleTable, player: int) -> int:
    table.anvil.mine()
    return _gas(table, player, "changePosition")


def _gas(table: ToucheCouleTable, player: int, call: str) -> int:
    """0 when it is refused: a ship is sunk, the match is over."""
    with suppress(Refused):
        return table.send(player, call).gas
    return 0
