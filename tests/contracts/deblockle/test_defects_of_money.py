"""Tests that our Deblockle contract has none of the published contract's defects that concern money
(sections 4.7 and 4.8 of the game's rules), and no defects of an escrow.

If our contract could have a defect, `mutation/mutants.py` plants it in a copy of the contract, and
shows that the test with the defect's name fails.
"""

from __future__ import annotations

import pytest

from tests.contracts.support.contract import Contract, Reverted, expect_revert
from tests.contracts.support.matches.deblockle import BOARD, CLOCK, NEAR, NOBODY, RATE, STAKE, DeblockleTable
from tests.contracts.support.session_keys import funded_account, offer_and_accept
from tests.contracts.support.tokens import TokenBehaviour, behave, fund_with_tokens, hostile, plain

CONTRACT = "Deblockle"
MONTH = 30 * 86_400
FOREVER = 2**40 - 1


@pytest.fixture
def table(game: Contract) -> DeblockleTable:
    return DeblockleTable(game, stake=STAKE)


def held(game: Contract) -> int:
    return int(game.node.rpc("eth_getBalance", game.address, "latest"), 16)


# ---- defect 11: the loser is paid, or a part of the money is locked forever


def test_defect_11_the_winner_is_paid_and_nothing_stays(game: Contract) -> None:
    before = held(game)
    table = DeblockleTable(game, stake=STAKE)
    table.play()
    due = table.call("status")[4]
    assert due[0] > STAKE > due[1]
    assert sum(due) == 2 * STAKE
    for seat in (0, 1):
        assert table.send(seat, "withdraw").named("Withdrawn")[0]["amount"] == str(due[seat])
    assert held(game) == before


def test_defect_11_what_streamed_back_is_paid_once(table: DeblockleTable) -> None:
    table.at(table.now + 100)
    assert table.send(1, "withdraw").named("Withdrawn")[0]["amount"] == "200"
    table.at(table.now + 50)
    assert table.send(1, "withdraw").named("Withdrawn")[0]["amount"] == "100"
    table.at(table.now + 1)
    table.send(0, "resign")
    assert table.call("status")[4] == (0, 2 * STAKE - 300)


def test_defect_11_time_flows_to_who_waits(table: DeblockleTable) -> None:
    start = table.now
    table.at(start + 100)
    table.play(1)
    table.at(start + 107)
    table.node.mine()
    assert table.call("streamed") == (7 * RATE, 100 * RATE)


def test_defect_11_a_turn_counts_from_its_beginning(table: DeblockleTable) -> None:
    """Tests that a turn includes the seconds before the roll and the seconds between the roll and
    the hop."""
    table.play(2)
    before = table.view.streamed[1]
    start = table.now
    table.at(start + 20)
    table.play(1, 2)
    table.at(start + 50)
    table.play(1, 3)
    assert table.view.streamed[1] - before == 50


def test_defect_11_no_more_streams_back_than_was_deposited(table: DeblockleTable) -> None:
    table.at(table.now + CLOCK - 1)
    table.node.mine()
    assert table.call("streamed") == (0, STAKE)
    table.send(0, "resign")
    assert table.call("status")[4] == (0, 2 * STAKE)


# ---- defect 12: a match continues although a player's deposit is empty


def test_defect_12_whoever_lets_a_deposit_run_dry_has_lost(table: DeblockleTable) -> None:
    dry = table.now + STAKE // RATE
    table.at(dry - 1)
    with expect_revert(table, "NotExpired", dry - 1, dry):
        table.send(1, "claimTimeout")
    table.at(dry)
    table.send(1, "claimTimeout")
    assert table.view.winner == table.accounts[1]


def test_defect_12_seconds_of_earlier_turns_count(table: DeblockleTable) -> None:
    table.at(table.now + 400)
    table.play(2)
    assert table.view.deadline == table.now + 100


def test_defect_12_a_clock_runs_out_before_a_deposit(game: Contract) -> None:
    table = DeblockleTable(game, stake=STAKE, clock=60)
    assert table.view.deadline == table.now + 60


# ---- defect 13: the terms and the deposit of a match


def test_defect_13_a_deposit_is_the_stake(game: Contract) -> None:
    table = DeblockleTable(game, stake=STAKE, join=False)
    for value in (0, STAKE - 1, STAKE + 1):
        with expect_revert(table, "BadDeposit", NOBODY, STAKE, value):
            table.join(value=value)
    friendly = DeblockleTable(game, join=False)
    with expect_revert(friendly, "BadDeposit", NOBODY, 0, 1):
        friendly.join(value=1)


def test_defect_13_who_joins_knows_the_terms(game: Contract) -> None:
    table, token = DeblockleTable(game, stake=STAKE, join=False), plain(game.node)
    with expect_revert(table, "WrongToken", token.address, NOBODY):
        table.send(1, "join", 1, NEAR, token.address, STAKE, RATE, CLOCK, value=STAKE)
    with expect_revert(table, "WrongStake", STAKE - 1, STAKE):
        table.send(1, "join", 1, NEAR, NOBODY, STAKE - 1, RATE, CLOCK, value=STAKE)


@pytest.mark.parametrize("stake", [0, STAKE])
def test_defect_13_no_other_match_is_joined(game: Contract, stake: int) -> None:
    """After a player has looked at a match, a reorg can give the number of this match to a match
    with different terms. Tests that the player doesn't join the new match."""
    seen = DeblockleTable(game, 2, NEAR, stake=stake, join=False)
    *_, rate, clock = seen.terms
    for cubes, ruleset, other in ((3, NEAR, {}), (2, BOARD, {}), (2, NEAR, {"rate": 5}), (2, NEAR, {"clock": 90})):
        if stake or "rate" not in other:
            table = DeblockleTable(game, cubes, ruleset, stake=stake, join=False, **other)
            with expect_revert(table, "OtherTerms", cubes, ruleset, other.get("rate", rate), other.get("clock", clock)):
                table.send(1, "join", *seen.terms, value=stake)
            table.join()


@pytest.mark.parametrize(
    ("stake", "rate", "most"), [(STAKE, 0, 16), (STAKE, 17, 16), (59, 1, 0), (0, 1, 0), (10**18, 10**18, None)]
)
def test_defect_13_a_deposit_lasts_for_a_minute_at_least(
    table: DeblockleTable, stake: int, rate: int, most: int | None
) -> None:
    with expect_revert(table, "BadRate", rate, stake // 60 if most is None else most):
        DeblockleTable(table.game, stake=stake, rate=rate)


def test_defect_13_a_match_with_a_stake_has_a_clock(table: DeblockleTable) -> None:
    """Tests that a match with a stake needs a clock. Without a clock, nobody would know how long a
    player has been thinking."""
    for clock in (0, 30, 59):
        with expect_revert(table, "BadClock", clock, 60, MONTH):
            DeblockleTable(table.game, stake=STAKE, clock=clock)


@pytest.mark.parametrize(("cubes", "ruleset", "told"), [(0, 0, "BadCubes"), (5, 0, "BadCubes"), (1, 2, "BadRuleset")])
def test_defect_13_what_is_played_is_known(game: Contract, cubes: int, ruleset: int, told: str) -> None:
    table = DeblockleTable(game)
    with expect_revert(table, told, cubes if told == "BadCubes" else ruleset):
        DeblockleTable(game, cubes, ruleset)


def test_defect_13_a_rematch_is_one(game: Contract) -> None:
    table = DeblockleTable(game)
    host, guest = table.accounts
    with expect_revert(table, "BadRematch", table.match):
        DeblockleTable(game, named=True, rematch_of=table.match)
    table.send(0, "resign")
    third = game.node.accounts[2]
    for first, second in ((host, third), (third, host), (third, guest)):
        with expect_revert(table, "BadRematch", table.match):
            DeblockleTable(game, host=first, guest=second, named=True, rematch_of=table.match)
    with expect_revert(table, "BadRematch", table.match):
        DeblockleTable(game, rematch_of=table.match)
    again = DeblockleTable(game, host=guest, guest=host, named=True, rematch_of=table.match)
    assert again.opened.named("MatchCreated")[0]["rematchOf"] == table.match


# ---- defect 14: who pays, and who is paid


def test_defect_14_a_session_key_plays_and_does_not_pay(game: Contract, sessions: Contract) -> None:
    owner, key = funded_account(game.node), funded_account(game.node)
    offer_and_accept(sessions, owner, key, [game.address], FOREVER)
    table = DeblockleTable(game, stake=STAKE, join=False)
    with expect_revert(table, "KeyCantPay", key.address):
        DeblockleTable(game, stake=STAKE, host=key.address)
    with expect_revert(table, "KeyCantPay", key.address):
        game.send(key.address, "join", table.match, *table.terms, value=STAKE)
    own = DeblockleTable(game, stake=STAKE, host=owner.address)
    game.send(key.address, "makeMove", own.match, 0, 4, 7, 3, 7)
    own.at(own.now + 20)
    own.play(1, 1)
    with expect_revert(own, "NotAPlayer", own.match, key.address):
        game.send(key.address, "withdraw", own.match)
    game.send(key.address, "resign", own.match)
    assert own.view.winner == own.accounts[1]
    assert int(own.send(0, "withdraw").named("Withdrawn")[0]["amount"]) >= 20 * RATE


def test_defect_14_a_session_key_joins_a_friendly_match_for_its_account(game: Contract, sessions: Contract) -> None:
    owner, key = funded_account(game.node), funded_account(game.node)
    offer_and_accept(sessions, owner, key, [game.address], FOREVER)
    table = DeblockleTable(game, guest=owner.address, named=True, join=False)
    game.send(key.address, "join", table.match, *table.terms)
    assert table.view.players == table.accounts
    invited = DeblockleTable(game, guest=key.address, named=True, join=False)
    with expect_revert(invited, "NotInvited", invited.match, owner.address, key.address):
        game.send(key.address, "join", invited.match, *invited.terms)


def test_defect_14_a_wallet_that_refuses_loses_nothing(table: DeblockleTable) -> None:
    node, guest = table.node, table.accounts[1]
    table.send(0, "resign")
    due = table.call("status")[4][1]
    node.rpc("anvil_setCode", guest, "0x5f5ffd")
    with expect_revert(table, "EtherRefused", guest, due):
        table.send(1, "withdraw")
    node.rpc("anvil_setCode", guest, "0x")
    assert table.send(1, "withdraw").named("Withdrawn")[0]["amount"] == str(due)


def test_defect_14_a_token_that_calls_back_is_paid_once(game: Contract) -> None:
    token = hostile(game.node)
    fund_with_tokens(token, game, STAKE, *game.node.accounts[:2])
    table = DeblockleTable(game, stake=STAKE, token=token.address)
    table.send(0, "resign")
    for entry in (("withdraw", table.match), ("claimTimeout", table.match), ("passMove", table.match, 0)):
        behave(token, TokenBehaviour.REENTERS, game.address, game.data(*entry))
        state = game.node.rpc("evm_snapshot")
        due = table.call("status")[4][1]
        table.send(1, "withdraw")
        assert token.call("ledger", table.accounts[1]) == due
        assert (token.call("done"), token.call("answer")) == (False, bytes.fromhex("3ee5aeb5"))
        game.node.rpc("evm_revert", state)


@pytest.mark.parametrize(
    "behaviour", [TokenBehaviour.FEE_ON_TRANSFER, TokenBehaviour.MOVES_NOTHING, TokenBehaviour.SAYS_FALSE]
)
def test_defect_14_a_token_that_moves_less_is_refused(game: Contract, behaviour: TokenBehaviour) -> None:
    token = hostile(game.node)
    fund_with_tokens(token, game, STAKE, *game.node.accounts[:2])
    table = DeblockleTable(game, stake=STAKE, token=token.address, join=False)
    behave(token, behaviour)
    told = {
        TokenBehaviour.FEE_ON_TRANSFER: ("BadDeposit", token.address, STAKE, STAKE - STAKE // 10),
        TokenBehaviour.MOVES_NOTHING: ("BadDeposit", token.address, STAKE, 0),
        TokenBehaviour.SAYS_FALSE: ("TokenFailed", token.address),
    }[behaviour]
    with expect_revert(table, *told):
        table.join()


def test_defect_14_no_two_matches_share_a_deposit(table: DeblockleTable) -> None:
    other = DeblockleTable(table.game, stake=10 * STAKE, rate=RATE)
    table.send(0, "resign")
    with pytest.raises(Reverted) as told:
        table.send(0, "withdraw")
    assert told.value == Reverted("NothingDue", table.match, table.accounts[0])
    taken = sum(int(paid["amount"]) for paid in table.send(1, "withdraw").named("Withdrawn"))
    other.send(1, "resign")
    assert taken == 2 * STAKE
    assert table.call("status")[4] == (0, 0)
    assert sum(other.call("status")[4]) == 20 * STAKE


def test_defect_11_seconds_do_not_wrap(game: Contract) -> None:
    """Tests a thinking time of more than 2^32 - 1 seconds (over a century). It counts as 2^32 - 1
    seconds.

    This test and the next test are the last in the module, because they move the chain's time
    forward, and it can't go back."""
    table = DeblockleTable(game, stake=10**18, rate=1)
    table.at(table.now + 2**32 + 100)
    (receipt,) = table.play(1)
    assert receipt.named("Streamed") == [{"player": table.accounts[1], "total": 2**32 - 1}]
    assert table.view.streamed == (0, 2**32 - 1)
    table.send(0, "resign")
    assert sum(table.call("status")[4]) == 2 * 10**18


def test_defect_11_a_running_turn_pays_no_more_than_a_finished_one(table: DeblockleTable) -> None:
    """Tests that a running turn pays no more than a finished turn. Otherwise, the match would take
    money from other matches' deposits."""
    stake, before, paid = 10**18, held(table.game), 0
    late = DeblockleTable(table.game, stake=stake, rate=stake // 2**33)
    late.at(late.now + 2**32 + 2**31)
    paid += int(late.send(1, "withdraw").named("Withdrawn")[0]["amount"])
    assert paid == (2**32 - 1) * late.rate
    late.play(1)
    assert late.call("status")[4] == (0, 0)
    late.send(1, "resign")
    due = late.call("status")[4]
    paid += int(late.send(0, "withdraw").named("Withdrawn")[0]["amount"])
    assert (due, paid, held(table.game)) == ((2 * stake - paid + due[0], 0), 2 * stake, before)
