"""Tests that the correct part of a Deblockle deposit streams back to the player who made the
deposit. The player can withdraw this part."""

from __future__ import annotations

import pytest

from indexer.rules.call import IllegalMove
from indexer.rules.deblockle import due
from tests.indexer.rules.deblockle_table import SHEET_GAME, A, B, C, P, RulesTable, cube


def thinking(table: RulesTable, *plies: tuple[int, int]) -> None:
    """Play plies of the example match. Each pair contains the number of a ply, and the seconds that
    pass before it."""
    for ply, seconds in plies:
        table.now += seconds
        table.move(*SHEET_GAME[ply][:2])


def test_the_sheets_figures() -> None:
    """The expected amounts are from the game's rules. The deposits are 1000 each and stream back at
    2 per second. Player 1 thinks for 10 seconds, player 2 for 30, and player 1 for another 5 before
    winning."""
    table = RulesTable(stake=1_000, rate=2, clock=600)
    thinking(table, (0, 10), (1, 30))
    table.put(c0=cube(0, (4, 3), (2, 6, 4)), c4=cube(1, (1, 7), P))
    table.now += 5
    assert table.move((4, 3), (4, 2)) == ["Rolled", "Removed", "Streamed", "MatchEnded"]
    assert [due(table.board, who, table.now) for who in (A, B)] == [1_970, 30]


def test_what_has_streamed_back_can_be_taken_at_any_time_and_once() -> None:
    table = RulesTable(stake=1_000, rate=2, clock=600)
    table.now += 10
    with pytest.raises(IllegalMove, match="nothing"):
        table.call(A, "withdraw")
    table.call(B, "withdraw")
    with pytest.raises(IllegalMove, match="nothing"):
        table.call(B, "withdraw")
    thinking(table, (0, 7))
    table.call(B, "withdraw")
    assert [player["withdrawn"] for player in table.board["players"].values()] == ["0", "34"]
    assert [player["streamed"] for player in table.board["players"].values()] == [0, 17]


def test_a_deposit_that_is_used_up_is_time_that_has_run_out() -> None:
    table = RulesTable(stake=1_001, rate=10, clock=600)
    assert (table.board["runsDry"], table.board["deadline"]) == (1_101, 1_101)
    table.now = 1_100
    with pytest.raises(IllegalMove, match="the clock runs until 1101"):
        table.call(C, "claimTimeout")
    table.now = 1_101
    assert table.call(C, "claimTimeout") == ["Streamed", "MatchEnded"]
    assert (table.board["winner"], table.board["reason"]) == (B, "timeout")
    assert [due(table.board, who, 0) for who in (A, B)] == [0, 2_002]


def test_a_stake_comes_back_where_nobody_has_won() -> None:
    opened = RulesTable(stake=1_000, rate=2, clock=600, join=False)
    assert due(opened.board, A, 2_000) == 0
    opened.call(A, "cancel")
    opened.call(A, "withdraw")
    assert opened.board["players"][A]["withdrawn"] == "1000"
    drawn = RulesTable(stake=1_000, rate=2, clock=600)
    for _ in range(6):
        drawn.now += 50
        drawn.skip()
    assert [due(drawn.board, who, 0) for who in (A, B)] == [1_000, 1_000]


def test_seconds_are_counted_up_to_32_bits_in_a_running_turn_as_in_a_finished_one() -> None:
    stake = 10**18
    table = RulesTable(stake=stake, rate=stake // 2**33, clock=600)
    table.now += 2**32 + 2**31
    table.call(B, "withdraw")
    table.move(*SHEET_GAME[0][:2])
    assert table.board["players"][B]["streamed"] == 2**32 - 1
    assert due(table.board, B, table.now) == 0
    table.call(B, "resign")
    assert due(table.board, A, table.now) == 2 * stake - (2**32 - 1) * (stake // 2**33)
