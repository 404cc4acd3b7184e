"""Compares the gas costs of Conquest's calls with the limits in the game's rules."""

from __future__ import annotations

from collections.abc import Iterator

from indexer.rules.conquest_state.state import MOVE, REINFORCEMENT
from tests.contracts.support.conquest import gas as figures
from tests.contracts.support.conquest.worst import (
    before_a_turn,
    crossed,
    dealt,
    fat_on_a_fort,
    give_attack,
    worst_table,
)
from tests.contracts.support.contract import Contract
from tests.contracts.support.matches.conquest import ConquestTable

ACCOUNTS = 140
SEEDS, CALLS = range(100, 120), 300
"""The seeds of the 20 random matches, and the maximum number of calls per match."""


def rows(_sessions: Contract, game: Contract) -> Iterator[tuple[str, int, int]]:
    """Measure calls in the most expensive positions that we could construct, and then calls in
    random matches."""
    for part in (_begun, _commands, _attacks, _random):
        yield from part(game)


def _begun(game: Contract) -> Iterator[tuple[str, int, int]]:
    for lands, limit in figures.CREATE.items():
        table = ConquestTable(game, 6, crossed(lands, 3), invited=game.node.accounts[1:6], join=False)
        yield f"create, {lands} lands, five invited", table.receipt.gas, limit
    joined = []
    table = ConquestTable(game, 6, crossed(96), join=False)
    for account in table.accounts[1:]:
        table.call(account, "join")
        joined.append(table.receipt.gas)
    yield "join, maximum of five", max(joined), figures.JOIN
    table.send_command("chooseCapital", land=0)
    yield "chooseCapital, draws the first player", table.receipt.gas, figures.CAPITAL + figures.DRAW
    table.send_command("chooseCapital", land=1)
    yield "chooseCapital", table.receipt.gas, figures.CAPITAL


def _commands(game: Contract) -> Iterator[tuple[str, int, int]]:
    table = worst_table(game, phase=REINFORCEMENT)
    table.send_command("reinforce", land=94)
    yield "reinforce", table.receipt.gas, figures.REINFORCE
    table = before_a_turn(game, 2)
    table.wait(fat_on_a_fort)
    table.send_command("reinforce", land=1)
    yield "reinforce, the turn brings the fat item to a fort", table.receipt.gas, figures.REINFORCE + figures.DRAW
    owned = [lands[:-1] for lands in dealt(2)]
    table = worst_table(game, owned=owned, items={95: False}, heroes={1: 1})
    table.send_command("capture", **{"from": 0, "to": 95})
    yield "capture, brings the hero and an item", table.receipt.gas, figures.CAPTURE
    table = worst_table(game, phase=MOVE)
    table.send_command("move", **{"from": 0, "to": 94, "quarters": 2, "hero": True})
    yield "move, with the hero", table.receipt.gas, figures.MOVED
    table = worst_table(game)
    table.send_command("surrender")
    yield "surrender", table.receipt.gas, figures.SURRENDER
    table = worst_table(game, 6)
    call = {"to": game.address, "data": game.data("board", table.match)}
    yield "board, six seats", int(game.node.rpc("eth_estimateGas", call), 16), figures.BOARD


def _attacks(game: Contract) -> Iterator[tuple[str, int, int]]:
    owned = dealt(2)
    for count in figures.LAUNCH:
        table = worst_table(game, heroes={0: 0, 1: owned[1][2]})
        give_attack(table, owned[1][1 : 1 + count])
        yield f"attack, {count} together", table.receipt.gas, figures.LAUNCH[count]
        table.settle()
        yield f"settle, {count} lands fall", table.receipt.gas, figures.BATTLE_GAS[count]
    table = worst_table(game)
    give_attack(table, [owned[1][0]])
    table.settle()
    yield "settle, a capital falls with its hero and 48 lands", table.receipt.gas, figures.FALL


def _random(game: Contract) -> Iterator[tuple[str, int, int]]:
    """Play random matches. Yield the most expensive call of each kind, with its gas and its
    limit."""
    dearest: dict[str, tuple[int, int]] = {}
    for seed in SEEDS:
        snapshot = game.node.rpc("evm_snapshot")
        for receipt in figures.random_receipts(game, seed, CALLS):
            what, limit = figures.described(receipt)
            dearest[what] = max(dearest.get(what, (0, limit)), (receipt.gas, limit))
        game.node.rpc("evm_revert", snapshot)
    for what, (measured, limit) in sorted(dearest.items()):
        yield f"random matches: {what}", measured, limit
