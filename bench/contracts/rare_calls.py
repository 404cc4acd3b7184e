"""Plays scenes with rare calls on a real node. The whole matches that `bench/contracts/costs.py`
plays don't contain these calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from contracts.artifacts import load
from tests.contracts.support.conquest.storage import table_at
from tests.contracts.support.contract import Contract, deploy
from tests.contracts.support.matches.battleship import PLAYING, STAKE, Battle
from tests.contracts.support.matches.conquest import ConquestTable
from tests.contracts.support.matches.deblockle import DeblockleTable
from tests.contracts.support.matches.tic_tac_toe import HOST_WINS, Grid, begun, funded_address
from tests.contracts.support.matches.touche_coule import ToucheCouleTable
from tests.support.conquest.maps import graph_bytes
from tests.support.conquest.states import item_appears

CLOCK = 60
DAY = 86_400
TURNS = 10
"""The number of turns in Touché Coulé that the benchmark plays before ships move and
communicate."""
BATTLES = 8
"""The number of matches of Touché Coulé. Chance decides how many ships a call moves, so the
benchmark computes the mean of several matches."""
LANDS = 12
SHORE = graph_bytes(LANDS, [(land, land + 1) for land in range(LANDS - 1)], [range(0, LANDS, 2)])
"""A map of Conquest with a row of lands. Every second land is on the coast."""
STORED_ITEMS = range(1, 5)


def _tic_tac_toe(game: Contract) -> None:
    won = begun(game)
    won.play(*HOST_WINS)
    won.send(won.host, "rematch")
    again = begun(game)
    again.play(4)
    again.send(again.host, "offerRestart")
    again.send(again.challenger, "acceptRestart", again.view.ply)
    lonely = Grid(game, funded_address(game.node), funded_address(game.node), accept=False)
    lonely.send(lonely.host, "close")
    given_up = begun(game)
    given_up.send(given_up.host, "resign")
    slow = begun(game, CLOCK)
    game.node.rpc("evm_setNextBlockTimestamp", slow.view.deadline)
    slow.send(slow.challenger, "claimTimeout")


def _battleship(game: Contract) -> None:
    Battle(game, named=True).send(1, "decline")
    Battle(game).send(0, "cancel")
    given_up = Battle(game)
    given_up.accept()
    given_up.surrender(0)
    staked = Battle(game, stake=STAKE)
    staked.accept()
    staked.timeout(1)
    staked.reveal(1)
    if staked.view.status == PLAYING:
        staked.timeout(1)
    winner = staked.view.players.index(staked.view.winner)
    staked.send(winner, "withdraw")


def _deblockle(game: Contract) -> None:
    DeblockleTable(game, join=False).send(0, "cancel")
    passed = DeblockleTable(game)
    passed.skip()
    passed.send(0, "resign")
    staked = DeblockleTable(game, stake=STAKE)
    staked.late()
    staked.send(1, "claimTimeout")
    staked.send(1, "withdraw")


def _touche_coule(game: Contract) -> None:
    for _ in range(BATTLES):
        _battle(game)


def _battle(game: Contract) -> None:
    table = ToucheCouleTable(game, 12, 12, 2, 2, captains=True)
    table.register(2, deploy(game.node, load("SweepCaptain")).address)
    table.start()
    while table.view.ply < TURNS:
        table.turn(next(player for player in range(3) if _is_afloat(table, player)))
    for player in range(2):
        if all(ship.afloat for ship in table.view.ships if ship.owner == table.accounts[player]):
            table.send(player, "communicate")
    for player in range(3):
        if _is_afloat(table, player):
            game.node.mine()
            table.send(player, "changePosition")
    now = int(game.node.rpc("eth_getBlockByNumber", "latest", False)["timestamp"], 16)
    game.node.rpc("evm_setNextBlockTimestamp", now + DAY)
    table.send(3, "expire")


def _is_afloat(table: ToucheCouleTable, player: int) -> bool:
    return any(ship.afloat for ship in table.view.ships if ship.owner == table.accounts[player])


def _conquest(game: Contract) -> None:
    lonely = ConquestTable(game, 3, join=False)
    lonely.call(lonely.accounts[1], "join")
    lonely.call(lonely.accounts[1], "leave")
    for item in STORED_ITEMS:
        table_at(game, SHORE, [[0, 1], [6], [11]], stored={0: item}).send_command("useItem")
    table = table_at(game, SHORE, [[0, 1], [6], [11]])
    table.send_command("buildPort", land=0)
    for act in (_claim, _surrender, _claim, _surrender):
        act(table)


def _claim(table: ConquestTable) -> None:
    """Let the mover's time run out, and claim the win. If a random draw is pending, carry out the
    draw first."""
    _wait_without_item(table)
    table.late()
    table.call(table.stranger, "claimTimeout")


def _surrender(table: ConquestTable) -> None:
    _wait_without_item(table)
    table.send_command("surrender")


def _wait_without_item(table: ConquestTable) -> None:
    """Wait until the pending random draw would bring no item.

    An item appears in about one of eight turns, and would make the measured call more expensive
    than usual."""
    table.wait(lambda chance: not any(item_appears(chance, fat) for fat in (False, True)))


SCENES: Mapping[str, Callable[[Contract], None]] = {
    "tic-tac-toe": _tic_tac_toe,
    "battleship": _battleship,
    "deblockle": _deblockle,
    "touche-coule": _touche_coule,
    "conquest": _conquest,
}
