"""Tests that the indexer's `overdue` and the contracts agree on the call that anyone can make
because a clock has run out.

- Given a match with a running clock
  - When the deadline is still a second away
    - `overdue` should return None, and the contract should reject a stranger's call
  - When the deadline is reached
    - `overdue` should return the call's name, and the contract should accept a stranger's call
- Given a match without a running clock
  - When any amount of time passes
    - `overdue` should return None, and the contract should reject a stranger's call
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from contracts.artifacts import load
from indexer.gamekit.game import fold
from indexer.games import GAMES
from indexer.model import Json
from tests.contracts.support.contract import Contract, Reverted, deploy_game
from tests.contracts.support.matches.battleship import DAY, Battle
from tests.contracts.support.matches.conquest import ConquestTable
from tests.contracts.support.matches.deblockle import DeblockleTable
from tests.contracts.support.matches.tic_tac_toe import HOST_WINS, NOBODY, Grid, begun, funded_address
from tests.contracts.support.matches.touche_coule import ToucheCouleTable
from tests.contracts.support.node import Node

YEARS = 100 * 365 * DAY
CLOCK = 60


@pytest.fixture(scope="module")
def contracts(node: Node) -> dict[str, Contract]:
    return {slug: deploy_game(node, load(game.contract))[1] for slug, game in GAMES.items()}


def board_of(contract: Contract, match: int) -> Json:
    """Return the board that the indexer computes from all logs of the match."""
    logs = contract.node.rpc("eth_getLogs", {"address": contract.address, "fromBlock": "0x0"})
    game = GAMES[contract.slug]
    return fold(game, game.start, [event for event in contract.events(logs) if event.match == match])


def moved(game: Contract) -> int:
    grid = begun(game, CLOCK)
    grid.play(4)
    return grid.match


def fired(game: Contract, stake: int = 0) -> int:
    battle = Battle(game, clock=CLOCK, stake=stake)
    battle.accept()
    return battle.match


def revealing(game: Contract, clock: int) -> int:
    """Return a match after the shooting. Only the loser has revealed a fleet."""
    battle = Battle(game, clock=clock)
    battle.accept()
    battle.surrender(0)
    return battle.match


def declared(game: Contract) -> int:
    """Return a match with a stake. A timeout has ended the shooting. No player has revealed a
    fleet."""
    battle = Battle(game, clock=CLOCK, stake=5)
    battle.accept()
    battle.timeout()
    return battle.match


def thinking(game: Contract, plies: int, stake: int = 0, clock: int = CLOCK) -> int:
    """Return a match after the first `plies` plies of the example match in the game's rules. The
    third ply is a roll, after which the same player must hop."""
    table = DeblockleTable(game, clock=clock, stake=stake)
    table.play(plies)
    return table.match


def at_sea(game: Contract, turns: int) -> int:
    table = ToucheCouleTable(game, 50, 50, 2, 1)
    table.start()
    table.turns(turns)
    return table.match


def in_turn(game: Contract) -> int:
    table = ConquestTable(game, 3, clock=CLOCK)
    table.begin()
    return table.match


RUNNING: list[tuple[str, str, Callable[[Contract], int]]] = [
    ("tic-tac-toe", "claimTimeout", lambda game: begun(game, CLOCK).match),
    ("tic-tac-toe", "claimTimeout", moved),
    ("battleship", "claimTimeout", fired),
    ("battleship", "claimTimeout", lambda game: fired(game, 5)),
    ("battleship", "claimTimeout", lambda game: revealing(game, CLOCK)),
    ("battleship", "claimTimeout", lambda game: revealing(game, 0)),
    ("battleship", "claimTimeout", declared),
    ("deblockle", "claimTimeout", lambda game: thinking(game, 0)),
    ("deblockle", "claimTimeout", lambda game: thinking(game, 3)),
    ("deblockle", "claimTimeout", lambda game: thinking(game, 2, stake=1_000)),
    ("deblockle", "claimTimeout", lambda game: thinking(game, 3, stake=1_000, clock=DAY)),
    ("touche-coule", "expire", lambda game: at_sea(game, 0)),
    ("touche-coule", "expire", lambda game: at_sea(game, 1)),
    ("conquest", "claimTimeout", lambda game: ConquestTable(game, clock=CLOCK).match),
    ("conquest", "claimTimeout", lambda game: in_turn(game)),
]


@pytest.mark.parametrize(("slug", "action", "begin"), RUNNING)
def test_it_is_named_when_a_stranger_may_call_it(
    contracts: dict[str, Contract], slug: str, action: str, begin: Callable[[Contract], int]
) -> None:
    contract, overdue = contracts[slug], GAMES[slug].overdue
    match = begin(contract)
    board, stranger = board_of(contract, match), funded_address(contract.node)
    deadline = board["deadline"]
    contract.node.rpc("evm_setNextBlockTimestamp", deadline - 1)
    with pytest.raises(Reverted) as caught:
        contract.send(stranger, action, match)
    assert (caught.value, overdue(board, deadline - 1)) == (Reverted("NotExpired", deadline - 1, deadline), None)
    contract.node.rpc("evm_setNextBlockTimestamp", deadline)
    contract.send(stranger, action, match)
    assert overdue(board, deadline) == action
    after = board_of(contract, match)
    assert overdue(after, deadline) is None
    if after["status"] == "playing":  # the window to reveal has its own deadline
        assert overdue(after, after["deadline"]) == action


def unstarted(game: Contract) -> int:
    return ToucheCouleTable(game, 50, 50, 2, 1).match


def won(game: Contract) -> int:
    grid = begun(game, CLOCK)
    grid.play(*HOST_WINS)
    return grid.match


RESTING: list[tuple[str, str, Callable[[Contract], int]]] = [
    ("tic-tac-toe", "claimTimeout", lambda game: begun(game, 0).match),
    (
        "tic-tac-toe",
        "claimTimeout",
        lambda game: Grid(game, funded_address(game.node), NOBODY, CLOCK, accept=False).match,
    ),
    ("tic-tac-toe", "claimTimeout", won),
    ("battleship", "claimTimeout", lambda game: Battle(game, clock=CLOCK, stake=5).match),
    ("deblockle", "claimTimeout", lambda game: thinking(game, 3, clock=0)),
    ("deblockle", "claimTimeout", lambda game: DeblockleTable(game, stake=1_000, join=False).match),
    ("deblockle", "claimTimeout", lambda game: thinking(game, 10, stake=1_000)),
    ("touche-coule", "expire", unstarted),
    ("conquest", "claimTimeout", lambda game: ConquestTable(game, clock=CLOCK, join=False).match),
]


@pytest.mark.parametrize(("slug", "action", "begin"), RESTING)
def test_nothing_is_named_where_no_clock_runs(
    contracts: dict[str, Contract], slug: str, action: str, begin: Callable[[Contract], int]
) -> None:
    contract = contracts[slug]
    match = begin(contract)
    board = board_of(contract, match)
    now = int(contract.node.rpc("eth_getBlockByNumber", "latest", False)["timestamp"], 16) + YEARS
    contract.node.rpc("evm_setNextBlockTimestamp", now)
    with pytest.raises(Reverted):
        contract.send(funded_address(contract.node), action, match)
    assert GAMES[slug].overdue(board, now) is None
