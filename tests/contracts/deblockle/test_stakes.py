"""Tests Deblockle matches with a stake. While a player thinks, the opponent's deposit streams back
to the opponent, second by second.

- Given a match with a stake in which the players move at known times
  - When any second passes
    - The view should show how much has streamed back, and only the deposit's owner can withdraw it
  - When the match ends with a winner
    - The loser should get what has streamed back, and the winner should get the rest of both
      deposits
  - When the match is drawn
    - Each player should get their own deposit back
  - When a whole deposit has streamed back, or the clock has run out
    - Anybody should be able to claim the timeout, but not a second too early
    - The player who waited should win
"""

from __future__ import annotations

import pytest

from tests.contracts.support.contract import Contract, Reverted, expect_revert
from tests.contracts.support.matches.deblockle import (
    BOARD,
    CLOCK,
    CLOSED,
    DRAW,
    FINISHED,
    NOBODY,
    RATE,
    RESIGNED,
    STAKE,
    TIMEOUT,
    WON,
    DeblockleTable,
)
from tests.contracts.support.tokens import fund_with_tokens, plain

CONTRACT = "Deblockle"
LASTS = STAKE // RATE
"""The number of seconds after which a whole deposit has streamed back."""


@pytest.fixture
def table(game: Contract) -> DeblockleTable:
    return DeblockleTable(game, stake=STAKE)


def held(game: Contract) -> int:
    return int(game.node.rpc("eth_getBalance", game.address, "latest"), 16)


def paid(table: DeblockleTable, seat: int) -> int:
    """Withdraw for the seat, and return the amount. Check that the event and the contract's balance
    agree with this amount."""
    before = held(table.game)
    (event,) = table.send(seat, "withdraw").named("Withdrawn")
    assert (event["account"], event["token"]) == (table.accounts[seat], NOBODY)
    assert before - held(table.game) == int(event["amount"])
    return int(event["amount"])


def sheet_example(table: DeblockleTable) -> None:
    """Play the example of a stake in the game's rules. Seat 0 thinks for 10 seconds, seat 1 for 30,
    and seat 0 for another 5. After that, seat 1 resigns."""
    start = table.now
    table.at(start + 10)
    table.play(1)
    table.at(start + 40)
    table.play(1, 1)
    table.at(start + 45)
    table.send(1, "resign")


def test_the_sheets_example(table: DeblockleTable) -> None:
    sheet_example(table)
    assert table.view.streamed == (30, 15)
    assert table.call("streamed") == (60, 30)
    assert table.call("status")[3:] == ((1000, 1000), (1970, 30))
    assert [paid(table, seat) for seat in (0, 1)] == [1970, 30]
    assert table.view.withdrawn == (1970, 30)
    for seat in (0, 1):
        with expect_revert(table, "NothingDue", table.match, table.accounts[seat]):
            table.send(seat, "withdraw")


def test_the_sheets_example_with_the_sheets_game(table: DeblockleTable) -> None:
    """Tests a match in which each player thinks as long in total as in the rules' example for
    stakes. This match ends with a removal, but the amounts are the same as in the example, because
    a roll and its hop are one turn."""
    time = table.now
    for ply, seconds in enumerate((4, 10, 2, 1, 9, 1, 1, 2, 10, 5)):
        time += seconds
        table.at(time)
        table.play(1, ply)
    view = table.view
    assert (view.status, view.reason, view.winner) == (FINISHED, WON, table.accounts[0])
    assert view.streamed == (30, 15)
    assert [paid(table, seat) for seat in (0, 1)] == [1970, 30]


def test_events_tell_each_hand_over(table: DeblockleTable) -> None:
    host, guest = table.accounts
    start, times = table.now, (3, 10, 11, 20)
    receipts = []
    for ply, after in enumerate(times):
        table.at(start + after)
        receipts += table.play(1, ply)
    assert [receipt.named("Streamed") for receipt in receipts] == [
        [{"player": guest, "total": 3}],
        [{"player": host, "total": 7}],
        [],
        [{"player": guest, "total": 3 + 10}],
    ]


def test_each_second_is_shown(table: DeblockleTable) -> None:
    """Tests that the views show the amounts that have streamed back up to the newest block, even
    during a turn."""
    start = table.now
    for seconds in (1, 2, 10, 100, LASTS - 1, LASTS, LASTS + 1, CLOCK - 1):
        table.at(start + seconds)
        table.node.mine()
        flown = min(RATE * seconds, STAKE)
        assert table.call("streamed") == (0, flown)
        assert table.call("status")[4] == (0, flown)
        assert table.view.streamed == (0, 0)


def test_what_has_streamed_back_is_paid_while_the_match_goes_on(table: DeblockleTable) -> None:
    start = table.now
    table.at(start + 10)
    assert paid(table, 1) == 20
    table.at(start + 15)
    assert paid(table, 1) == 10
    with expect_revert(table, "NothingDue", table.match, table.accounts[0]):
        table.send(0, "withdraw")
    table.at(start + 20)
    table.play(1)
    assert paid(table, 1) == 10
    with expect_revert(table, "NothingDue", table.match, table.accounts[1]):
        table.send(1, "withdraw")
    table.at(start + 50)
    assert paid(table, 0) == 60
    table.at(start + 51)
    table.send(1, "resign")
    assert [paid(table, seat) for seat in (0,)] == [2 * STAKE - 40 - 60]
    assert table.view.withdrawn == (2 * STAKE - 40, 40)
    assert held(table.game) % STAKE == 0


def test_a_deposit_that_has_run_dry_is_a_timeout(table: DeblockleTable) -> None:
    """Tests a timeout that an empty deposit causes. At this rate, the whole deposit has streamed
    back after 500 seconds, but the clock would end the turn only after 3,600 seconds."""
    start, stranger = table.now, table.node.accounts[5]
    assert table.view.deadline == start + LASTS
    table.at(start + LASTS - 1)
    with expect_revert(table, "NotExpired", start + LASTS - 1, start + LASTS):
        table.game.send(stranger, "claimTimeout", table.match)
    table.at(start + LASTS)
    table.game.send(stranger, "claimTimeout", table.match)
    view = table.view
    assert (view.reason, view.winner, view.streamed) == (TIMEOUT, table.accounts[1], (0, LASTS))
    with expect_revert(table, "NothingDue", table.match, table.accounts[0]):
        table.send(0, "withdraw")
    assert paid(table, 1) == 2 * STAKE


def test_a_deposit_runs_dry_over_several_turns(table: DeblockleTable) -> None:
    start = table.now
    table.at(start + 300)
    table.play(1)
    table.at(start + 310)
    table.play(1, 1)
    assert table.view.deadline == start + 310 + 200
    assert table.view.streamed == (10, 300)


def test_a_clock_that_is_shorter_is_a_timeout_too(game: Contract) -> None:
    table = DeblockleTable(game, stake=STAKE, clock=60)
    start = table.now
    assert table.view.deadline == start + 60
    table.at(start + 59)
    with expect_revert(table, "NotExpired", start + 59, start + 60):
        table.send(1, "claimTimeout")
    table.at(start + 70)
    table.send(1, "claimTimeout")
    assert (table.view.reason, table.view.winner) == (TIMEOUT, table.accounts[1])
    assert paid(table, 1) == 2 * STAKE
    assert table.call("streamed") == (0, 140)


def test_a_late_move_counts_until_somebody_claims(table: DeblockleTable) -> None:
    """Tests a player who moves only after the opponent's whole deposit has streamed back. This
    player has no time left in later turns."""
    start = table.now
    table.at(start + LASTS + 50)
    table.play(1)
    assert table.view.streamed == (0, LASTS + 50)
    assert table.call("streamed")[1] == STAKE
    table.at(start + LASTS + 51)
    table.play(1, 1)
    assert table.view.deadline == start + LASTS + 51
    table.send(1, "claimTimeout")
    assert paid(table, 1) == 2 * STAKE - 2
    assert paid(table, 0) == 2


@pytest.mark.parametrize(("stake", "rate", "lasts"), [(1001, 2, 501), (1000, 3, 334), (60, 1, 60), (119, 1, 119)])
def test_the_last_second_of_a_deposit_counts_whole(game: Contract, stake: int, rate: int, lasts: int) -> None:
    """Tests a deposit that isn't a multiple of the rate. The last second returns the rest, which is
    less than the rate."""
    table = DeblockleTable(game, stake=stake, rate=rate)
    assert table.view.deadline == table.now + lasts
    table.at(table.now + lasts - 1)
    table.node.mine()
    assert table.call("streamed")[1] == rate * (lasts - 1) < stake
    table.at(table.now + 1)
    table.node.mine()
    assert table.call("streamed")[1] == stake


def test_the_largest_stake_is_paid(game: Contract) -> None:
    """Tests the largest stake, which fills all the bits in which the contract stores a deposit. The
    winner still gets twice this amount."""
    stake = 2**96 - 1
    for account in game.node.accounts[:2]:
        game.node.rpc("anvil_setBalance", account, hex(2**110))
    table = DeblockleTable(game, stake=stake, rate=stake // 60, clock=60)
    table.at(table.now + 30)
    table.send(0, "resign")
    assert table.call("streamed") == (0, stake // 60 * 30)
    assert paid(table, 1) == 2 * stake
    assert table.view.withdrawn == (0, 2 * stake)


@pytest.mark.parametrize("passes", [6])
def test_a_draw_gives_each_its_own(table: DeblockleTable, passes: int) -> None:
    start = table.now
    for number in range(1, passes + 1):
        table.at(start + 10 * number)
        table.skip()
        if number == 3:
            assert paid(table, 1) == 40  # seat 0 has now thought for 20 seconds
    assert (table.view.status, table.view.reason, table.view.winner) == (FINISHED, DRAW, NOBODY)
    assert table.call("status")[4] == (STAKE, STAKE - 40)
    assert [paid(table, seat) for seat in (0, 1)] == [STAKE, STAKE - 40]


def test_a_match_that_nobody_joined_is_paid_back(game: Contract) -> None:
    table = DeblockleTable(game, stake=STAKE, join=False, named=True)
    for seat in (0, 1):
        with expect_revert(table, "NothingDue", table.match, table.accounts[seat]):
            table.send(seat, "withdraw")
    assert table.call("status")[3:] == ((STAKE, 0), (0, 0))
    table.send(0, "cancel")
    assert (table.view.reason, table.view.winner) == (CLOSED, NOBODY)
    with expect_revert(table, "NothingDue", table.match, table.accounts[1]):
        table.send(1, "withdraw")
    assert paid(table, 0) == STAKE


@pytest.mark.parametrize("resigns", [0, 1])
def test_who_gives_up_keeps_what_streamed_back(table: DeblockleTable, resigns: int) -> None:
    start = table.now
    table.at(start + 100)
    table.play(1)
    table.at(start + 130)
    table.send(resigns, "resign")
    flown = (60, 200)
    assert (table.view.reason, table.view.winner) == (RESIGNED, table.accounts[1 - resigns])
    assert paid(table, resigns) == flown[resigns]
    assert paid(table, 1 - resigns) == 2 * STAKE - flown[resigns]


def test_a_match_in_tokens_is_paid_in_them(game: Contract) -> None:
    token = plain(game.node)
    fund_with_tokens(token, game, STAKE, *game.node.accounts[:2])
    table = DeblockleTable(game, ruleset=BOARD, stake=STAKE, token=token.address)
    assert token.call("balanceOf", game.address) == 2 * STAKE
    sheet_example(table)
    for seat, amount in ((0, 1970), (1, 30)):
        assert table.send(seat, "withdraw").named("Withdrawn")[0]["token"] == token.address
        assert token.call("balanceOf", table.accounts[seat]) == amount


def test_a_friendly_match_pays_nothing(game: Contract) -> None:
    """Tests a match without a stake. The contract stores the zero address as its token, whichever
    token the creator named, and nothing streams back."""
    table = DeblockleTable(game, token=game.address, rate=0)
    assert table.view.token == NOBODY
    receipts = table.play()
    assert not [receipt for receipt in receipts if receipt.named("Streamed")]
    assert table.call("streamed") == (0, 0)
    for seat in (0, 1):
        with expect_revert(table, "NothingDue", table.match, table.accounts[seat]):
            table.send(seat, "withdraw")


def test_strangers_withdraw_nothing(table: DeblockleTable) -> None:
    stranger = table.node.accounts[5]
    sheet_example(table)
    with pytest.raises(Reverted) as told:
        table.game.send(stranger, "withdraw", table.match)
    assert told.value == Reverted("NotAPlayer", table.match, stranger)
