"""Tests that the Battleship contract has no defects that concern money or the end of a match.

`mutation/mutants.py` plants each defect in a copy of the contract, and shows that the test with the
defect's name fails. `test_settlement.py` tests all rows of the settlement table, and
`test_escrow.py` tests the escrow.

- Given a match with a stake
  - When a player deposits a wrong amount, or a sender without permission pays or withdraws
    - The contract should reject the call with an error that explains why, and change nothing
  - When a wallet or a token reenters the contract during a payment or a deposit
    - The contract's lock should reject the inner call
- Given a match in which the shooting is over
  - When the players reveal their fleets, or the window to reveal closes
    - The rightful player should win, and nobody should win through waiting or silence
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.contracts.support import bytecode
from tests.contracts.support.contract import Contract, Reverted, expect_revert
from tests.contracts.support.matches.battleship import (
    CLOCK,
    DAY,
    FLEETS,
    NOBODY,
    STAKE,
    TIMEOUT,
    WON,
    Battle,
    seal,
)
from tests.contracts.support.session_keys import funded_account, offer_and_accept
from tests.contracts.support.tokens import TokenBehaviour, behave, fund_with_tokens, hostile

CONTRACT = "Battleship"
FOREVER = 2**40 - 1


# ---- money


@pytest.mark.parametrize("value", [0, STAKE - 1, STAKE + 1])
def test_defect_12_a_stake_is_paid_exactly(game: Contract, value: int) -> None:
    battle = Battle(game, stake=STAKE)
    with expect_revert(battle, "BadDeposit", NOBODY, STAKE, value):
        battle.accept(value=value)
    with expect_revert(battle, "BadDeposit", NOBODY, STAKE, value):
        game.send(battle.accounts[0], "invite", NOBODY, seal(FLEETS[0]).commitment, CLOCK, NOBODY, STAKE, value=value)


def test_defect_12_a_friendly_match_takes_nothing(game: Contract) -> None:
    battle = Battle(game)
    with expect_revert(battle, "BadDeposit", NOBODY, 0, 1):
        battle.accept(value=1)
    with expect_revert(battle, "BadDeposit", NOBODY, 0, 1):
        game.send(battle.accounts[0], "invite", NOBODY, seal(FLEETS[0]).commitment, 0, NOBODY, 0, value=1)


@pytest.mark.parametrize("call", ["decline", "cancel", "claimTimeout", "withdraw"])
def test_defect_12_other_calls_take_no_ether(game: Contract, call: str) -> None:
    battle = Battle(game, named=True)
    with expect_revert(battle, "unknown", "0x"):
        battle.send(0, call, value=1)
    with expect_revert(battle, "unknown", "0x"):
        battle.send(0, "move", 1, 0, False, 0, value=1)


def test_defect_13_a_session_key_plays_but_does_not_pay(game: Contract, sessions: Contract) -> None:
    account, key = funded_account(game.node), funded_account(game.node)
    offer_and_accept(sessions, account, key, [game.address], FOREVER)
    with pytest.raises(Reverted) as told:
        game.send(key.address, "invite", NOBODY, seal(FLEETS[0]).commitment, CLOCK, NOBODY, STAKE, value=STAKE)
    assert told.value == Reverted("KeyCantPay", key.address)
    staked = Battle(game, stake=STAKE)
    with expect_revert(staked, "KeyCantPay", key.address):
        game.send(key.address, "accept", staked.match, seal(FLEETS[0]).commitment, 0, value=STAKE)
    friendly = Battle(game)
    fleet = seal(FLEETS[1])
    game.send(key.address, "accept", friendly.match, fleet.commitment, 40)
    assert friendly.view.players[1] == account.address
    friendly.move(0)
    game.send(key.address, "move", friendly.match, 2, 0, True, 41)
    assert game.send(key.address, "surrender", friendly.match, fleet.ships, fleet.nonce, "").named("Revealed")[0][
        "by"
    ] == account.address  # fmt: skip


@pytest.mark.parametrize("stake", [0, STAKE])
def test_defect_13_an_invited_session_key_does_not_act_for_itself(
    game: Contract, sessions: Contract, stake: int
) -> None:
    account, key = funded_account(game.node), funded_account(game.node)
    offer_and_accept(sessions, account, key, [game.address], FOREVER)
    sealed, host = seal(FLEETS[0]).commitment, game.node.accounts[0]
    opened = game.send(host, "invite", key.address, seal(FLEETS[1]).commitment, CLOCK, NOBODY, stake, value=stake)
    match = opened.events[0].match
    for call, value in ((("accept", match, sealed, 0), stake), (("decline", match), 0)):
        with pytest.raises(Reverted) as told:
            game.send(key.address, *call, value=value)
        assert told.value == Reverted("NotInvited", match, account.address, key.address)


def test_defect_13_a_session_key_does_not_withdraw(game: Contract, sessions: Contract) -> None:
    account, key = funded_account(game.node), funded_account(game.node)
    offer_and_accept(sessions, account, key, [game.address], FOREVER)
    battle = Battle(game, stake=STAKE)
    game.send(account.address, "accept", battle.match, seal(FLEETS[1]).commitment, 0, value=STAKE)
    battle.surrender(0)
    battle.timeout()
    assert battle.view.reason == TIMEOUT
    with expect_revert(battle, "NotAPlayer", battle.match, key.address):
        game.send(key.address, "withdraw", battle.match)
    game.send(account.address, "withdraw", battle.match)


def test_defect_14_nobody_withdraws_twice_or_anothers(game: Contract) -> None:
    battle = Battle(game, stake=STAKE)
    other = Battle(game, stake=STAKE, host=2, guest=3)
    battle.sink(0)
    battle.reveal(0)
    battle.reveal(1)
    with expect_revert(battle, "NothingDue", battle.match, battle.accounts[0]):
        battle.send(0, "withdraw")
    with expect_revert(battle, "NotAPlayer", battle.match, other.accounts[0]):
        game.send(other.accounts[0], "withdraw", battle.match)
    battle.send(1, "withdraw")
    with expect_revert(battle, "NothingDue", battle.match, battle.accounts[1]):
        battle.send(1, "withdraw")
    other.send(0, "cancel")
    other.send(0, "withdraw")


@pytest.mark.parametrize(
    "entry",
    [
        lambda battle: ("withdraw", battle.match),
        lambda battle: ("cancel", battle.match),
        lambda _: ("invite", NOBODY, b"\1" * 32, 0, NOBODY, 0),
        lambda battle: ("claimTimeout", battle.match),
    ],
    ids=["withdraw", "cancel", "invite", "claimTimeout"],
)
def test_defect_14_a_wallet_that_comes_back_is_locked_out(
    game: Contract, entry: Callable[[Battle], tuple[Any, ...]]
) -> None:
    """Tests that a wallet that calls the contract during the payment receives its ether only once.
    The contract's lock rejects the call."""
    battle = Battle(game, stake=STAKE)
    battle.send(0, "cancel")
    wallet = battle.accounts[0]
    code = bytecode.calls(game.address, game.data(*entry(battle)), 0)
    game.node.rpc("anvil_setCode", wallet, code)
    try:
        before = int(game.node.rpc("eth_getBalance", game.address, "latest"), 16)
        battle.send(0, "withdraw")
        slot = int(game.node.rpc("eth_getStorageAt", wallet, "0x0", "latest"), 16)
        assert f"{slot >> 8:08x}" == game.error_data("ReentrancyGuardReentrantCall")[2:10]
        assert before - int(game.node.rpc("eth_getBalance", game.address, "latest"), 16) == STAKE
    finally:
        game.node.rpc("anvil_setCode", wallet, "0x")
        game.node.rpc("anvil_setStorageAt", wallet, "0x" + 64 * "0", "0x" + 64 * "0")


@pytest.mark.parametrize("code", [bytecode.REVERTS, bytecode.REVERTS_HUGE, bytecode.BURNS, bytecode.INVALID])
def test_defect_14_a_wallet_that_takes_no_ether_harms_only_itself(game: Contract, code: str) -> None:
    """Tests that the winner can withdraw even if the loser's wallet rejects ether. When this wallet
    accepts ether again, the loser can withdraw, too."""
    battle = Battle(game, stake=STAKE, host=6, guest=7)
    battle.accept()
    battle.surrender(0)
    battle.timeout()
    game.node.rpc("anvil_setCode", battle.accounts[0], code)
    try:
        with expect_revert(battle, "EtherRefused", battle.accounts[0], STAKE):
            battle.send(0, "withdraw")
        battle.send(1, "withdraw")
    finally:
        game.node.rpc("anvil_setCode", battle.accounts[0], "0x")
    battle.send(0, "withdraw")
    assert battle.view.withdrawn == (True, True)


# ---- the end of a match: `test_settlement.py` tests every row of the settlement table


def test_defect_15_a_surrender_is_not_turned_into_a_win_by_waiting(game: Contract) -> None:
    battle = Battle(game)
    battle.accept()
    battle.surrender(0)
    battle.timeout()
    assert (battle.view.winner, battle.view.reason) == (NOBODY, TIMEOUT)


def test_defect_15_who_has_17_hits_must_show_its_own_answers(game: Contract) -> None:
    battle = Battle(game)
    battle.sink(0)
    battle.reveal(0)
    battle.timeout()
    assert (battle.view.winner, battle.view.reason) == (battle.accounts[0], TIMEOUT)


def test_defect_15_who_revealed_wins_against_silence_on_hits(game: Contract) -> None:
    battle = Battle(game)
    battle.sink(0)
    battle.reveal(1)
    battle.timeout()
    assert (battle.view.winner, battle.view.reason) == (battle.accounts[1], WON)


def test_defect_15_the_reveals_last_a_day_at_least(game: Contract) -> None:
    battle = Battle(game, clock=60)
    battle.accept()
    over = battle.surrender(0).named("GameOver")[0]
    with expect_revert(battle, "NotExpired", over["deadline"] - 1, over["deadline"]):
        battle.late(DAY - 1)
        battle.send(0, "claimTimeout")


# ---- tokens (`test_escrow.py` has the other tests of the escrow)


@pytest.mark.parametrize("behaviour", [TokenBehaviour.FEE_ON_TRANSFER, TokenBehaviour.MOVES_NOTHING])
def test_defect_16_what_comes_is_measured(game: Contract, behaviour: TokenBehaviour) -> None:
    token = hostile(game.node)
    fund_with_tokens(token, game, STAKE, game.node.accounts[0])
    behave(token, behaviour)
    with pytest.raises(Reverted) as told:
        Battle(game, stake=STAKE, token=token.address)
    assert told.value.name == "BadDeposit"


def test_defect_16_what_goes_is_measured(game: Contract) -> None:
    token = hostile(game.node)
    fund_with_tokens(token, game, STAKE, *game.node.accounts[:2])
    battle, other = (Battle(game, stake=STAKE, token=token.address, host=host, guest=2) for host in range(2))
    battle.send(0, "cancel")
    behave(token, TokenBehaviour.FEE_ON_TOP)
    with expect_revert(battle, "BadPayment", token.address, STAKE, STAKE + STAKE // 10):
        battle.send(0, "withdraw")
    behave(token, TokenBehaviour.GOOD)
    other.send(0, "cancel")
    other.send(0, "withdraw")
    battle.send(0, "withdraw")


@pytest.mark.parametrize(
    "behaviour", [TokenBehaviour.SAYS_FALSE, TokenBehaviour.RETURNS_TWO, TokenBehaviour.RETURNS_HUGE]
)
def test_defect_16_what_a_token_says_is_checked(game: Contract, behaviour: TokenBehaviour) -> None:
    token = hostile(game.node)
    fund_with_tokens(token, game, STAKE, game.node.accounts[0])
    behave(token, behaviour)
    with pytest.raises(Reverted) as told:
        Battle(game, stake=STAKE, token=token.address)
    assert told.value == Reverted("TokenFailed", token.address)


def test_defect_16_a_token_that_comes_back_finds_the_lock(game: Contract) -> None:
    token = hostile(game.node)
    fund_with_tokens(token, game, STAKE, game.node.accounts[0])
    behave(token, TokenBehaviour.REENTERS, game.address, game.data("claimTimeout", 1))
    Battle(game, stake=STAKE, token=token.address)
    assert token.call("answer").hex() == game.error_data("ReentrancyGuardReentrantCall")[2:10]
