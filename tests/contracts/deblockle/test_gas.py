"""Tests that calls stay within the gas limits in Deblockle's rules, and within the gas limits that
the game suggests to wallets.

- Given random matches in both rulesets, with a stake in ether and without a stake
  - When the players roll, hop and pass
    - A move without a stake should cost at most 55,000 gas
    - A move that stores the seconds of a turn should cost at most 60,000 gas
    - A move that wins the match should cost at most 110,000 gas
- Given the gas limits that the game suggests to wallets
  - When a test makes each call in its most expensive case (by a session key, in tokens)
    - Each call should succeed within its gas limit
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from indexer.games import GAMES
from tests.contracts.support.contract import Contract, ContractReceipt
from tests.contracts.support.matches.deblockle import (
    BOARD,
    CLOCK,
    NEAR,
    NOBODY,
    PLAYING,
    RATE,
    STAKE,
    DeblockleTable,
    squares,
)
from tests.contracts.support.session_keys import funded_account, offer_and_accept
from tests.contracts.support.tokens import fund_with_tokens, plain

pytestmark = pytest.mark.anvil  # only Anvil has real gas costs
CONTRACT = "Deblockle"
MOVE_GAS, STAKED_MOVE_GAS, WIN_GAS = 55_000, 60_000, 110_000
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
SEED = 4
FOREVER = 2**40 - 1
ESCROW = 3 * 300_000
"""The part of a call's gas limit that is reserved for the token. The game calls the token contract
at most three times per call."""


def any_move(table: DeblockleTable, rng: random.Random) -> ContractReceipt:
    """Play a random legal move: a hop, or a roll, preferably a roll that removes a cube. Pass if no
    move is legal."""
    view = table.view
    cubes = {cube.id: (cube.x, cube.y) for cube in view.left}
    if view.hops:
        return table.move(cubes[view.hopper], rng.choice(sorted(squares(view.hops))))
    seat = view.players.index(view.mover)
    rolls = []
    for bit in range(16):
        if view.rolls >> bit & 1:
            (x, y), (dx, dy) = cubes[4 * seat + bit // 4], STEPS[bit % 4]
            rolls.append(((x, y), (x + dx, y + dy)))
    home = [roll for roll in rolls if roll[1] == (4, 6 if seat else 2)]
    return table.move(*rng.choice(home or rolls)) if rolls else table.skip()


@pytest.mark.parametrize("ruleset", [NEAR, BOARD], ids=["near", "board"])
@pytest.mark.parametrize(("stake", "limit"), [(0, MOVE_GAS), (STAKE, STAKED_MOVE_GAS)], ids=["friendly", "staked"])
def test_gas_of_every_move(game: Contract, ruleset: int, stake: int, limit: int) -> None:
    table, rng, seen = DeblockleTable(game, 4, ruleset, stake=stake), random.Random(SEED), set[str]()
    while table.view.status == PLAYING:
        receipt = any_move(table, rng)
        names = [event.name for event in receipt.events]
        seen.update(names)
        assert receipt.gas <= (WIN_GAS if "MatchEnded" in names else limit), names
    assert seen >= {"Rolled", "Hopped", "Removed", "MatchEnded"}


@pytest.mark.parametrize("stake", [0, STAKE])
def test_gas_of_a_winning_move(game: Contract, stake: int) -> None:
    *_, last = DeblockleTable(game, stake=stake).play()
    assert last.named("MatchEnded")
    assert last.gas <= WIN_GAS


def test_gas_limits_suffice(game: Contract, sessions: Contract) -> None:
    limits = {action.name: action.gas for action in GAMES["deblockle"].actions}
    spent = dict.fromkeys(limits, 0)
    owner, key = funded_account(game.node), funded_account(game.node)
    offer_and_accept(sessions, owner, key, [game.address], FOREVER)
    guest = game.node.accounts[1]

    def note(name: str, receipt: ContractReceipt | None) -> ContractReceipt:
        assert receipt is not None
        spent[name] = max(spent[name], receipt.gas)
        return receipt

    def by_key(name: str, *args: Any) -> ContractReceipt:
        return note(name, game.send(key.address, name, *args, gas=limits[name]))

    by_key("cancel", by_key("create", guest, 4, BOARD, NOBODY, 0, 0, CLOCK, 0).events[0].match)
    open_to_all = DeblockleTable(game, 4, host=guest, join=False)
    by_key("join", open_to_all.match, *open_to_all.terms)
    by_key("resign", open_to_all.match)

    token = plain(game.node)
    for account in (owner.address, guest):
        fund_with_tokens(token, game, STAKE, account)
    staked = DeblockleTable(game, 4, stake=STAKE, rate=RATE, token=token.address, host=owner.address)
    note("create", staked.opened)
    note("join", staked.joined)
    by_key("makeMove", staked.match, 0, 3, 5, 3, 6)
    by_key("makeMove", staked.match, 1, 3, 6, 3, 2)
    staked.skip()
    by_key("passMove", staked.match, 3)
    staked.late(100)
    note("withdraw", staked.send(0, "withdraw", gas=limits["withdraw"]))
    staked.late()
    note("claimTimeout", staked.send(1, "claimTimeout", gas=limits["claimTimeout"]))
    note("withdraw", staked.send(0, "withdraw", gas=limits["withdraw"]))

    assert min(spent.values()) > 0
    room = {name: limits[name] - (ESCROW if name in ("create", "join", "withdraw") else 0) for name in limits}
    assert {name: gas for name, gas in spent.items() if gas * 1.1 > room[name]} == {}, (spent, room)
