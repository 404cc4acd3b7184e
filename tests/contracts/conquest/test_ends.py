"""Tests how a Conquest match ends, and how it continues after a player is eliminated.

- Given a match in progress
  - When a player captures the last enemy's capital
    - The attacker should win immediately, even if some launched attacks have not been fought
  - When all players but one have surrendered or let their clocks run out
    - The match should end as Resigned or Timeout, depending on how the last player left
  - When a player is eliminated and several players remain
    - The match should continue without this player
    - The player's lands should become neutral with their soldiers, or belong to the attacker
  - When a turn ends at ply 5000 or later
    - The match should be drawn, whether a command, a forced pass or a surrender ends the turn
- Given a match in which the players are choosing capitals
  - When a player surrenders or lets the clock run out instead of choosing
    - The player should be out immediately, and the other players should continue to choose
"""

from __future__ import annotations

from typing import Any

import pytest

from indexer.rules.call import Emitted
from indexer.rules.conquest_state.state import ACTION, CAPITAL, MOVE, NONE, REINFORCEMENT
from tests.contracts.support.conquest.storage import table_at, write_state
from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.matches.conquest import CANCELLED, FINISHED, NOBODY, PLAYING, ConquestTable
from tests.support.conquest.maps import row_of_lands
from tests.support.conquest.states import item_appears, position

CONTRACT = "Conquest"
ROW = row_of_lands(8)
TWELVE = row_of_lands(12)
WON, DRAW, RESIGNED, TIMEOUT, _, CLOSED = range(1, 7)
LAST = 5_000


def ended(found: list[Emitted]) -> list[Any]:
    return [args for name, args in found if name == "MatchEnded"]


def check_over(table: ConquestTable) -> None:
    """Check that the match has no running clock, and that the contract rejects further calls."""
    view = table.view
    assert (view["status"], view["deadline"], view["mover"], view["draw"]) == (FINISHED, 0, NONE, 0)
    over = Reverted("WrongStatus", table.match, FINISHED, PLAYING)
    assert table.expect_revert(table.stranger, "settle") == over
    assert table.expect_revert(table.stranger, "claimTimeout") == over
    for account in table.accounts:
        named = {"ply": table.state.ply, "trail": table.state.trail}
        assert table.expect_revert(account, "pass", **named, phaseOnly=False) == over


# ---- matches that a player has won


def test_the_last_capital_wins_at_once(game: Contract) -> None:
    table = table_at(game, ROW, [[0], [1, 2]], soldiers=[90, 5, 0, 0, 0, 0, 0, 0])
    table.send_command("attack", pairs="0x00010001")
    found = table.settle()
    assert [name for name, _ in found][-3:] == ["PlayerOut", "LandsTaken", "MatchEnded"]
    assert len([name for name, _ in found if name == "BattleResolved"]) == 1
    assert ended(found) == [{"winner": table.accounts[0], "reason": WON}]
    check_over(table)


def test_a_command_after_the_deciding_battle_is_refused_until_it_is_settled(game: Contract) -> None:
    """Tests that the contract rejects a command after the deciding battle. Before the command,
    the contract would settle the battle's random draw, and that draw ends the match."""
    table = table_at(game, ROW, [[0], [1, 2]], soldiers=[90, 5, 0, 0, 0, 0, 0, 0])
    table.send_command("attack", pairs="0x0001")
    table.wait()
    over = Reverted("WrongStatus", table.match, FINISHED, PLAYING)
    assert table.expect_revert(table.accounts[0], "pass", **table.named(), phaseOnly=False) == over
    table.late()
    assert ended(table.call(table.stranger, "claimTimeout")) == [{"winner": table.accounts[0], "reason": WON}]
    check_over(table)


def test_with_three_a_capital_ends_nothing(game: Contract) -> None:
    soldiers = [90, 5, 6, 7, 0, 0, 0, 0, 0, 0, 8, 9]
    table = table_at(game, TWELVE, [[0], [1, 2, 3], [11, 10]], soldiers=soldiers, stored={1: 2}, ports=())
    table.send_command("attack", pairs="0x0001")
    found = table.settle()
    assert [args for name, args in found if name == "PlayerOut"] == [{"seat": 1, "by": 0, "reason": WON}]
    view = table.view
    assert (view["alive"], view["owned"], view["stored"]) == (0b101, [0b1111, 0, 0b11 << 10], [0, 0, 0])
    assert view["soldiers"][:4] == [90, 0, 6, 7]
    table.send_command("pass", phaseOnly=False)
    assert table.state.mover == 2


# ---- players who surrender or let their clocks run out


@pytest.mark.parametrize("phase", [REINFORCEMENT, ACTION, MOVE])
def test_who_surrenders_in_its_turn_loses(game: Contract, phase: int) -> None:
    table = table_at(game, ROW, [[0, 1], [7]], phase=phase, heroes={0: 1})
    found = table.send_command("surrender")
    assert [name for name, _ in found] == ["Commanded", "PlayerOut", "LandsTaken", "MatchEnded"]
    assert ended(found) == [{"winner": table.accounts[1], "reason": RESIGNED}]
    assert table.view["soldiers"] == [10] * 8
    check_over(table)


def test_nobody_surrenders_in_the_turn_of_another(game: Contract) -> None:
    table = table_at(game, ROW, [[0, 1], [7]])
    host, guest = table.accounts
    assert table.expect_revert(guest, "surrender", **table.named()) == Reverted("NotYourTurn", table.match, guest, host)


@pytest.mark.parametrize("order", [("surrender", "sleep"), ("sleep", "surrender")])
def test_the_reason_is_how_the_last_one_went(game: Contract, order: tuple[str, str]) -> None:
    table = table_at(game, TWELVE, [[0], [5, 6], [11]])
    for way in order:
        seat = table.state.mover
        while way == "sleep" and table.state.is_alive(seat):
            table.wait()
            if table.state.mover == seat:
                table.late()
                found = table.call(table.stranger, "claimTimeout")
            else:
                table.send_command("pass", phaseOnly=False)
        if way == "surrender":
            found = table.send_command("surrender")
    assert ended(found)[0]["reason"] == (RESIGNED if order[-1] == "surrender" else TIMEOUT)
    check_over(table)


def test_at_the_third_forced_pass_in_a_row_it_is_out(game: Contract) -> None:
    table = table_at(game, ROW, [[0, 1], [7]], phase=REINFORCEMENT)
    names = []
    while table.engine.status == PLAYING:
        table.wait(lambda chance: not item_appears(chance) and not item_appears(chance, fat=True))
        if table.state.mover == 0:
            table.late()
            names.append([name for name, _ in table.call(table.stranger, "claimTimeout")])
        else:
            table.send_command("pass", phaseOnly=False)
    forced = ["Drawn", "Commanded", "Phase"]
    out = ["Drawn", "Commanded", "PlayerOut", "LandsTaken", "MatchEnded"]
    assert names == [forced[1:], forced, out]
    assert table.engine.reason == TIMEOUT


def test_a_command_of_its_own_forgives_what_was_slept(game: Contract) -> None:
    table = table_at(game, ROW, [[0, 1], [7]])
    table.state.forced[0] = 2
    write_state(table, table.state.copy())
    table.send_command("pass", phaseOnly=False)
    assert table.view["forced"] == [0, 0]


# ---- matches that end in a draw


@pytest.mark.parametrize("how", ["pass", "move", "claimTimeout", "surrender"])
def test_a_turn_that_ends_at_ply_5000_draws_the_match(game: Contract, how: str) -> None:
    state = position(TWELVE, [[0, 1], [5], [11]], phase=MOVE)
    state.ply = LAST - 1
    table = ConquestTable(game, 3, TWELVE)
    write_state(table, state)
    if how == "claimTimeout":
        table.late()
        found = table.call(table.stranger, how)
    elif how == "move":
        found = table.send_command(how, **{"from": 0, "to": 1, "quarters": 4, "hero": False})
    else:
        found = table.send_command(how, **({"phaseOnly": False} if how == "pass" else {}))
    assert ended(found) == [{"winner": NOBODY, "reason": DRAW}]
    assert table.view["ply"] == LAST
    check_over(table)


def test_before_ply_5000_and_within_a_turn_none_is_drawn(game: Contract) -> None:
    state = position(ROW, [[0, 1], [7]])
    state.ply = LAST - 2
    table = ConquestTable(game, 2, ROW)
    write_state(table, state)
    assert not ended(table.send_command("pass", phaseOnly=False))
    table.send_command("reinforce", land=7)
    assert not ended(table.send_command("pass", phaseOnly=True))
    assert table.view["ply"] == LAST + 1
    assert ended(table.send_command("pass", phaseOnly=False))


# ---- players who leave while capitals are chosen


@pytest.mark.parametrize("how", ["surrender", "claimTimeout"])
@pytest.mark.parametrize("turn", range(3))
def test_who_goes_before_its_capital_is_out_and_the_others_choose_on(game: Contract, how: str, turn: int) -> None:
    table, choosers, gone = ConquestTable(game, 3, TWELVE), [], NONE
    table.settle()
    while table.state.phase == CAPITAL:
        choosers.append(table.state.mover)
        if len(choosers) - 1 != turn:
            table.send_command("chooseCapital", land=3 * len(choosers))
            continue
        gone = table.state.mover
        if how == "surrender":
            found = table.send_command(how)
        else:
            table.late()
            found = table.call(table.stranger, how)
        assert [name for name, _ in found] == ["Commanded", "PlayerOut", "Phase"]
    first = table.state.first
    assert choosers == [(first - 1 - k) % 3 for k in range(3)]
    assert table.state.mover == (first if gone != first else (first + 1) % 3)
    assert table.view["phase"] == REINFORCEMENT


@pytest.mark.parametrize(("how", "reason"), [("surrender", RESIGNED), ("claimTimeout", TIMEOUT)])
def test_of_two_the_other_has_won_then(game: Contract, how: str, reason: int) -> None:
    table = ConquestTable(game, 2, ROW)
    table.settle()
    other = table.accounts[1 - table.state.mover]
    if how == "surrender":
        found = table.send_command(how)
    else:
        table.late()
        found = table.call(other, how)
    assert ended(found) == [{"winner": other, "reason": reason}]
    check_over(table)


def test_a_timeout_claims_before_who_is_first_is_drawn(game: Contract) -> None:
    """Tests that a timeout claim first settles the random draw that decides the first player, and
    then eliminates the player who must choose a capital."""
    table = ConquestTable(game, 3, TWELVE)
    table.wait()
    table.late()
    found = table.call(table.stranger, "claimTimeout")
    assert [name for name, _ in found] == ["Drawn", "Phase", "Commanded", "PlayerOut", "Phase"]


# ---- before the match begins


def test_the_creators_leaving_cancels_it(game: Contract) -> None:
    table = ConquestTable(game, 3, TWELVE, join=False)
    table.call(table.accounts[1], "join")
    table.call(table.accounts[1], "leave")
    assert ended(table.call(table.accounts[0], "leave")) == [{"winner": NOBODY, "reason": CLOSED}]
    assert table.view["status"] == CANCELLED
    assert table.expect_revert(table.accounts[1], "join") == Reverted("WrongStatus", table.match, CANCELLED, 1)
