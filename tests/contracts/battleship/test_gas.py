"""Tests the gas of Battleship's most expensive calls. `test_games.py` measures the gas in whole
games.

- Given the gas limits that the game suggests to wallets
  - When a test makes each call in its most expensive case (by a session key, in tokens, with the
    longest texts)
    - Each call should succeed within its gas limit
    - A move and a reveal should cost no more than the game's rules say
"""

from __future__ import annotations

import pytest

from indexer.games import GAMES
from tests.contracts.models.battleship import sealed
from tests.contracts.support.contract import Contract, ContractReceipt
from tests.contracts.support.matches.battleship import CLOCK, DAY, FLEETS, NOBODY, STAKE, Battle, Sealed, seal
from tests.contracts.support.session_keys import funded_account, offer_and_accept
from tests.contracts.support.tokens import fund_with_tokens, plain

pytestmark = pytest.mark.anvil  # only Anvil has real gas costs
CONTRACT = "Battleship"
LIMITS = {action.name: action.gas for action in GAMES["battleship"].actions}
LONGEST = "\u2693" * 93 + "x"
"""A message of the maximum length, which is 280 bytes."""
FOREVER = 2**40 - 1
ESCROW = 3 * 300_000
"""The part of a call's gas limit that is reserved for the token. The game calls the token contract
at most three times per call."""


def test_a_reveal_with_the_longest_message_costs_95_000_at_most(game: Contract) -> None:
    assert len(LONGEST.encode()) == 280
    battle = Battle(game)
    battle.sink(0)
    assert battle.reveal(0, message=LONGEST).gas <= 95_000
    assert battle.reveal(1, message=LONGEST).gas <= 95_000


def test_the_first_moves_cost_62_000_at_most(game: Contract) -> None:
    """Tests the first moves. They cost the most gas, because each of them writes an answer to an
    unused word of storage."""
    battle = Battle(game)
    battle.accept(min(battle.tiles[0] - {0}))
    assert battle.move(98).gas <= 62_000
    assert battle.move(97).gas <= 62_000


def test_limits_suffice_in_the_dearest_cases(game: Contract, sessions: Contract) -> None:
    spent = dict.fromkeys(LIMITS, 0)

    def note(name: str, receipt: ContractReceipt) -> ContractReceipt:
        spent[name] = max(spent[name], receipt.gas)
        return receipt

    def by_key(name: str, *args: object) -> ContractReceipt:
        return note(name, game.send(key.address, name, *args, gas=LIMITS[name]))

    owner, key = funded_account(game.node), funded_account(game.node)
    offer_and_accept(sessions, owner, key, [game.address], FOREVER)
    guest = game.node.accounts[1]

    junk = " ".join(["PH10"] * 51)
    assert len(junk) == 254
    for ships in (junk, FLEETS[0]):
        fleet = seal("")
        commitment = sealed(ships.encode(), fleet.nonce)
        match = by_key("invite", guest, commitment, CLOCK, NOBODY, 0).events[0].match
        game.send(guest, "accept", match, seal(FLEETS[1]).commitment, 12)
        by_key("move", match, 1, 12, True, 98)
        by_key("surrender", match, ships, fleet.nonce, LONGEST)
        other = Sealed(ships, seal("").nonce)
        match = game.send(guest, "invite", NOBODY, seal(FLEETS[0]).commitment, 30 * DAY, NOBODY, 0).events[0].match
        by_key("accept", match, sealed(ships.encode(), other.nonce), 98)
        battle = Battle(game, host=1, guest=2)
        battle.accept()
        note("claimTimeout", battle.timeout())
        battle.reveal(0)
        note("claimTimeout", battle.timeout())
        match = by_key("invite", guest, seal("").nonce, CLOCK, NOBODY, 0).events[0].match
        by_key("cancel", match)
        match = game.send(guest, "invite", owner.address, seal("").nonce, CLOCK, NOBODY, 0).events[0].match
        by_key("decline", match)

    battle = Battle(game, fleets=(junk, junk), answers=FLEETS)
    battle.sink(0)
    for seat in range(2):
        note("reveal", battle.reveal(seat, message=LONGEST, gas=LIMITS["reveal"]))

    token = plain(game.node)
    fund_with_tokens(token, game, STAKE, *game.node.accounts[3:5])
    staked = Battle(game, stake=STAKE, token=token.address, host=3, guest=4)
    note("invite", staked.opened)
    note("accept", staked.accept(98, gas=LIMITS["accept"]))
    staked.surrender(0)
    staked.reveal(1)
    note("withdraw", staked.send(1, "withdraw", gas=LIMITS["withdraw"]))
    ether = Battle(game, stake=STAKE, named=True)
    note("decline", ether.send(1, "decline"))
    note("withdraw", ether.send(0, "withdraw"))

    assert min(spent.values()) > 0
    room = {name: LIMITS[name] - (ESCROW if name in ("invite", "accept", "withdraw") else 0) for name in LIMITS}
    assert {name: gas for name, gas in spent.items() if gas * 1.1 > room[name]} == {}, (spent, room)
