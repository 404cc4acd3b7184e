"""Tests each row of Battleship's settlement table, which decides the winner and the reason by what
the players reveal. Also tests the withdrawals.

- Given a match in which 17 hits, a surrender or a timeout has declared a loser
  - When each side reveals a sound fleet, reveals a false fleet, or reveals nothing in time
    - The match should end as the row of the table says
    - The winner should receive both stakes, or each player its own stake if nobody wins
- Given a match in the shooting phase
  - When an answer leaves too few tiles for 17 hits
    - The match should end immediately, and the player who fired should win
  - When the clock runs out
    - A timeout claim should end the shooting phase, and a second claim the reveal phase
"""

from __future__ import annotations

import pytest

from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.matches.battleship import (
    CHEATING,
    CLOCK,
    CLOSED,
    DAY,
    FINISHED,
    FLEETS,
    NOBODY,
    PLAYING,
    RESIGNED,
    STAKE,
    TIMEOUT,
    WON,
    WRAPPING,
    Battle,
)

CONTRACT = "Battleship"
MONTH = 30 * DAY
OTHER = "PH0 SH9 DH18 BH27 CH36"
"""A valid fleet, but not the fleet from which the player answers."""

SOUND, FALSE, SILENT = "sound", "false", "silent"
HOST, GUEST, NONE = 0, 1, None
"""The possible winners: a seat, or nobody. In every row, the host is the declared loser."""

ROWS = {
    # Each row lists the cause of the end, the guest's reveal, the host's reveal, the winner and the
    # reason. In the rows below, the guest has won by 17 hits.
    "won_both_sound": (WON, SOUND, SOUND, GUEST, WON),
    "won_loser_false": (WON, SOUND, FALSE, GUEST, CHEATING),
    "won_loser_silent": (WON, SOUND, SILENT, GUEST, WON),
    "won_winner_false": (WON, FALSE, SOUND, HOST, CHEATING),
    "won_both_false": (WON, FALSE, FALSE, NONE, CHEATING),
    "won_winner_false_loser_silent": (WON, FALSE, SILENT, NONE, CHEATING),
    "won_winner_silent": (WON, SILENT, SOUND, HOST, TIMEOUT),
    "won_winner_silent_loser_false": (WON, SILENT, FALSE, NONE, CHEATING),
    "won_both_silent": (WON, SILENT, SILENT, NONE, TIMEOUT),
    # In the rows below, the host has surrendered. A surrender also reveals the host's fleet.
    "surrender_both_sound": (RESIGNED, SOUND, SOUND, GUEST, RESIGNED),
    "surrender_of_a_false_fleet": (RESIGNED, SOUND, FALSE, GUEST, CHEATING),
    "surrender_to_a_liar": (RESIGNED, FALSE, SOUND, HOST, CHEATING),
    "surrender_both_false": (RESIGNED, FALSE, FALSE, NONE, CHEATING),
    "surrender_then_silence": (RESIGNED, SILENT, SOUND, NONE, TIMEOUT),
    "surrender_of_a_false_fleet_then_silence": (RESIGNED, SILENT, FALSE, NONE, CHEATING),
    # In the rows below, the host's clock has run out.
    "timeout_both_sound": (TIMEOUT, SOUND, SOUND, GUEST, TIMEOUT),
    "timeout_late_player_false": (TIMEOUT, SOUND, FALSE, GUEST, CHEATING),
    "timeout_late_player_silent": (TIMEOUT, SOUND, SILENT, GUEST, TIMEOUT),
    "timeout_against_a_liar": (TIMEOUT, FALSE, SOUND, HOST, CHEATING),
    "timeout_both_false": (TIMEOUT, FALSE, FALSE, NONE, CHEATING),
    "timeout_a_lie_then_silence": (TIMEOUT, FALSE, SILENT, NONE, CHEATING),
    "timeout_then_silence_of_the_other": (TIMEOUT, SILENT, SOUND, NONE, TIMEOUT),
    "timeout_false_then_silence_of_the_other": (TIMEOUT, SILENT, FALSE, NONE, CHEATING),
    "timeout_both_silent": (TIMEOUT, SILENT, SILENT, NONE, TIMEOUT),
}


@pytest.mark.parametrize(
    ("stake", "swapped"),
    [
        pytest.param(0, False, id="friendly", marks=pytest.mark.soak),
        pytest.param(STAKE, False, id="staked"),
        pytest.param(STAKE, True, id="seats_swapped", marks=pytest.mark.soak),
    ],
)
@pytest.mark.parametrize("name", ROWS)
def test_row(game: Contract, name: str, stake: int, swapped: bool) -> None:
    """Tests one row of the table. `swapped` exchanges the seats, so that the guest is the declared
    loser."""
    cause, best, worst, wins, reason = ROWS[name]
    loser = GUEST if swapped else HOST
    winner = 1 - loser
    battle = _over(game, cause, loser, {winner: best, loser: worst}, stake)
    shown = {seat for seat, what in ((winner, best), (loser, worst)) if what != SILENT}
    for seat in shown - ({loser} if cause == RESIGNED else set()):
        assert battle.view.status == PLAYING
        battle.reveal(seat)
    if len(shown) < 2:
        battle.timeout(winner)
    view = battle.view
    expected = {HOST: loser, GUEST: winner, NONE: None}[wins]
    assert (view.status, view.reason, view.deadline) == (FINISHED, reason, 0)
    assert view.winner == (NOBODY if expected is None else battle.accounts[expected])
    assert view.faults == tuple(
        5 if seat in shown and what == FALSE else 0 for seat, what in sorted(((winner, best), (loser, worst)))
    )
    _withdraw_all(battle, {expected: 2 * stake} if expected is not None else {0: stake, 1: stake})


def _over(game: Contract, cause: int, loser: int, what: dict[int, str], stake: int) -> Battle:
    """Return a match in which the shooting is over. A player whose reveal should be false has
    sealed one fleet but answered from a different fleet."""
    sealed = tuple(OTHER if what[seat] == FALSE else FLEETS[seat] for seat in range(2))
    battle = Battle(game, fleets=(sealed[0], sealed[1]), answers=FLEETS, stake=stake)
    if cause == WON:
        battle.sink(loser)
        return battle
    battle.accept(12)
    battle.fire([1, 10], [13])
    if loser == HOST:
        battle.move(7)
    if cause == RESIGNED:
        battle.surrender(loser)
    else:
        assert battle.view.mover == battle.accounts[loser]
        battle.timeout(1 - loser)
    return battle


def _withdraw_all(battle: Battle, dues: dict[int, int]) -> None:
    """Check that each player can withdraw the amount in `dues` once, and that all other withdrawals
    fail. The contract must pay out both stakes."""
    held = _held(battle)
    for seat in range(2):
        if dues.get(seat):
            before = _balance(battle, seat)
            receipt = battle.send(seat, "withdraw")
            cost = receipt.gas * int(receipt.raw["effectiveGasPrice"], 16)
            assert _balance(battle, seat) - before == dues[seat] - cost
            assert receipt.named("Withdrawn") == [
                {"account": battle.accounts[seat], "token": NOBODY, "amount": str(dues[seat])}
            ]
            assert battle.view.withdrawn[seat]
        with pytest.raises(Reverted) as caught:
            battle.send(seat, "withdraw")
        assert caught.value == Reverted("NothingDue", battle.match, battle.accounts[seat])
    assert held - _held(battle) == 2 * battle.stake


def _balance(battle: Battle, seat: int) -> int:
    return int(battle.node.rpc("eth_getBalance", battle.accounts[seat], "latest"), 16)


def _held(battle: Battle) -> int:
    return int(battle.node.rpc("eth_getBalance", battle.game.address, "latest"), 16)


# ---- illegal fleets, and fleets that match the answers although they differ from the sealed fleet


@pytest.mark.parametrize(
    ("ships", "fault"), [("no fleet", 1), ("PH12 SH81 DV7 BV51", 2), (WRAPPING, 3), ("PH12 SH81 DV7 BV51 CH49", 4)]
)
def test_an_illegal_fleet_loses_even_when_it_won_on_hits(game: Contract, ships: str, fault: int) -> None:
    battle = Battle(game, fleets=(FLEETS[0], ships), answers=FLEETS)
    battle.sink(0)
    told = battle.reveal(1).named("Revealed")
    battle.reveal(0)
    assert told[0]["fault"] == fault
    view = battle.view
    assert (view.winner, view.reason, view.faults) == (battle.accounts[0], CHEATING, (0, fault))


def test_a_fleet_that_fits_all_answers_is_sound_though_it_was_answered_for_another(game: Contract) -> None:
    """Tests that only answered shots are evidence. A pending shot proves nothing."""
    battle = Battle(game, fleets=(FLEETS[0], OTHER), answers=FLEETS)
    battle.accept(12)
    battle.fire([0], [13])
    battle.move(9)  # this shot hits, but nobody answers it
    assert battle.surrender(1).named("Revealed")[0]["fault"] == 0


def test_one_wrong_answer_of_many_is_found(game: Contract) -> None:
    for lie_at, tile in ((0, 50), (3, 98)):
        battle = Battle(game)
        battle.accept(50 if lie_at == 0 else 51)
        for turn in range(5):
            view = battle.view
            seat = view.players.index(view.mover)
            lie = seat == 0 and turn // 2 == lie_at // 2
            true = view.pending in battle.tiles[seat]
            battle.move(tile if turn == lie_at else [1, 2, 3, 4, 6][turn], hit=not true if lie else true)
        assert battle.surrender(0).named("Revealed")[0]["fault"] == 5


# ---- answers that are impossible for any fleet


@pytest.mark.parametrize("hits", [*(pytest.param(one, marks=pytest.mark.soak) for one in (0, 1)), 16])
def test_early_contradiction_ends_the_match_at_once(game: Contract, hits: int) -> None:
    """Tests a miss after `hits` hits and 82 misses. The remaining tiles are too few for 17 hits, so
    the answers must be false."""
    battle = Battle(game, stake=STAKE)
    battle.accept(0)
    for shot in range(82 + hits):
        battle.move(shot, hit=shot < hits)
        battle.move(shot + 1, hit=shot < hits)
    assert battle.view.status == PLAYING
    receipt = battle.move(255, hit=False)
    assert [event.name for event in receipt.events] == ["Answered", "MatchEnded"]
    view = battle.view
    assert (view.status, view.reason, view.winner) == (FINISHED, CHEATING, battle.accounts[1])
    assert (view.cause, view.loser, view.pending, view.deadline, view.mover) == (0, NOBODY, 255, 0, NOBODY)
    assert (view.shots[1].bit_count(), view.hits[1].bit_count()) == (83 + hits, hits)
    with pytest.raises(Reverted) as caught:
        battle.reveal(0)
    assert caught.value == Reverted("WrongStatus", battle.match, FINISHED, PLAYING)
    _withdraw_all(battle, {1: 2 * STAKE})


# ---- timeouts


def test_the_17th_hit_fires_no_further_shot(game: Contract) -> None:
    battle = Battle(game, clock=CLOCK)
    battle.accept(min(battle.tiles[0]))
    targets = sorted(battle.tiles[0])[1:]
    for turn, target in enumerate(targets):
        battle.move([1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 18, 19][turn])
        battle.move(target)
    receipt = battle.move(255)
    assert [event.name for event in receipt.events] == ["Answered", "GameOver"]
    over = receipt.named("GameOver")[0]
    assert over == {"loser": battle.accounts[0], "cause": WON, "deadline": receipt.events[0].time + DAY}
    view = battle.view
    assert (view.revealing, view.pending, view.mover, view.ply) == (True, 255, NOBODY, 34)


@pytest.mark.parametrize(("clock", "window"), [(60, DAY), (DAY, DAY), (MONTH, MONTH), (0, DAY)])
def test_the_window_to_reveal_is_the_longer_of_the_clock_and_a_day(game: Contract, clock: int, window: int) -> None:
    battle = Battle(game, clock=clock)
    battle.accept()
    receipt = battle.surrender(0)
    assert receipt.named("GameOver")[0]["deadline"] == receipt.events[0].time + window == battle.view.deadline


def test_no_timeout_before_its_time(game: Contract) -> None:
    battle = Battle(game, clock=60)
    with pytest.raises(Reverted) as caught:
        battle.send(1, "claimTimeout")
    assert caught.value == Reverted("WrongStatus", battle.match, 1, PLAYING)
    battle.accept()
    for _ in range(2):
        deadline = battle.view.deadline
        battle.node.rpc("evm_setNextBlockTimestamp", deadline - 1)
        with pytest.raises(Reverted) as caught:
            battle.send(1, "claimTimeout")
        assert caught.value == Reverted("NotExpired", deadline - 1, deadline)
        battle.timeout(1)
    with pytest.raises(Reverted) as caught:
        battle.send(1, "claimTimeout")
    assert caught.value == Reverted("WrongStatus", battle.match, FINISHED, PLAYING)


def test_shots_without_a_clock_have_no_timeout_but_reveals_do(game: Contract) -> None:
    battle = Battle(game, clock=0)
    battle.accept()
    with pytest.raises(Reverted) as caught:
        battle.send(1, "claimTimeout")
    assert caught.value == Reverted("NoClock", battle.match)
    battle.surrender(0)
    battle.timeout()
    assert battle.view.reason == TIMEOUT


def test_anybody_may_claim_a_timeout(game: Contract) -> None:
    battle = Battle(game)
    battle.accept()
    battle.late()
    game.send(game.node.accounts[9], "claimTimeout", battle.match)
    assert (battle.view.loser, battle.view.cause) == (battle.accounts[0], TIMEOUT)


def test_each_move_winds_the_clock_of_the_other(game: Contract) -> None:
    battle = Battle(game, clock=100)
    battle.accept()
    for tile in (1, 2, 3):
        battle.late(90)
        receipt = battle.move(tile)
        assert battle.view.deadline == receipt.events[0].time + 100


def test_what_comes_late_counts_as_long_as_nobody_has_claimed(game: Contract) -> None:
    battle = Battle(game)
    battle.accept()
    battle.late()
    battle.move(5)
    battle.surrender(0)
    battle.late()
    battle.reveal(1)
    assert (battle.view.reason, battle.view.winner) == (RESIGNED, battle.accounts[1])


def test_who_is_not_to_move_may_surrender_too(game: Contract) -> None:
    battle = Battle(game)
    battle.accept()
    receipt = battle.surrender(1, message="Well played ⚓")
    assert [event.name for event in receipt.events] == ["GameOver", "Revealed"]
    assert bytes.fromhex(receipt.named("Revealed")[0]["message"][2:]).decode() == "Well played ⚓"
    assert (battle.view.loser, battle.view.revealed) == (battle.accounts[1], (False, True))


# ---- matches that nobody played


@pytest.mark.parametrize("stake", [0, STAKE], ids=["friendly", "staked"])
@pytest.mark.parametrize(("seat", "how"), [(0, "cancel"), (1, "decline")])
def test_a_closed_invitation_gives_the_deposit_back(game: Contract, seat: int, how: str, stake: int) -> None:
    battle = Battle(game, named=True, stake=stake)
    assert battle.send(seat, how).named("MatchEnded") == [{"winner": NOBODY, "reason": CLOSED}]
    held = _held(battle)
    with pytest.raises(Reverted) as caught:
        battle.send(1, "withdraw")
    assert caught.value == Reverted("NothingDue", battle.match, battle.accounts[1])
    if stake:
        battle.send(0, "withdraw")
        assert held - _held(battle) == stake
    with pytest.raises(Reverted) as caught:
        battle.send(0, "withdraw")
    assert caught.value == Reverted("NothingDue", battle.match, battle.accounts[0])


def test_nothing_is_paid_before_the_end(game: Contract) -> None:
    battle = Battle(game, stake=STAKE)
    for status in (1, 2, 2):
        with pytest.raises(Reverted) as caught:
            battle.send(0, "withdraw")
        assert caught.value == Reverted("WrongStatus", battle.match, status, FINISHED)
        if status == 1:
            battle.accept()
        else:
            battle.surrender(0) if not battle.view.revealing else None
