"""Tests of the calls that Reversi's contract rejects, and of the ways in which a match can end."""

from __future__ import annotations

import pytest

from indexer.games import GAMES
from tests.contracts.support.contract import Contract, Reverted

CONTRACT = "Reversi"
NOBODY = "0x" + "0" * 40
CLOCK = 60
OPEN, PLAYING, FINISHED, CANCELLED = range(1, 5)


def begun(game: Contract) -> tuple[int, str, str]:
    host, guest = game.node.accounts[1:3]
    match = game.send(host, "create", NOBODY, CLOCK).events[0].match
    game.send(guest, "join", match)
    return match, host, guest


def expect_revert(game: Contract, error: Reverted, *call: object) -> None:
    sender, function, *args = call
    with pytest.raises(Reverted) as found:
        game.send(str(sender), str(function), *args)
    assert found.value == error


@pytest.mark.parametrize("cell", [0, 18, 20, 27, 28, 64, 200])
def test_a_disc_that_encloses_nothing_is_refused(game: Contract, cell: int) -> None:
    match, host, _ = begun(game)
    expect_revert(game, Reverted("BadCell", cell), host, "move", match, 0, cell)


def test_only_who_opened_a_match_closes_it_and_only_while_nobody_has_joined(game: Contract) -> None:
    host, guest = game.node.accounts[1:3]
    match = game.send(host, "create", NOBODY, CLOCK).events[0].match
    expect_revert(game, Reverted("NotAPlayer", match, guest), guest, "close", match)
    (ended,) = game.send(host, "close", match).named("MatchEnded")
    assert (ended["winner"], game.call("board", match)[1]) == (NOBODY, CANCELLED)
    match, opener, _ = begun(game)
    expect_revert(game, Reverted("WrongStatus", match, PLAYING, OPEN), opener, "close", match)


def test_a_move_is_the_movers_and_answers_the_last_one(game: Contract) -> None:
    match, host, guest = begun(game)
    expect_revert(game, Reverted("NotYourTurn", match, guest, host), guest, "move", match, 0, 19)
    expect_revert(game, Reverted("StaleMove", 0, 1), host, "move", match, 1, 19)


def test_who_resigns_or_lets_the_time_run_out_loses(game: Contract) -> None:
    match, host, guest = begun(game)
    (ended,) = game.send(guest, "resign", match).named("MatchEnded")
    assert ended["winner"] == host
    match, host, guest = begun(game)
    deadline = game.call("board", match)[5]
    game.node.rpc("evm_setNextBlockTimestamp", deadline - 1)
    with pytest.raises(Reverted, match="NotExpired"):
        game.send(guest, "claimTimeout", match)
    game.node.rpc("evm_setNextBlockTimestamp", deadline)
    (ended,) = game.send(guest, "claimTimeout", match).named("MatchEnded")
    assert ended["winner"] == guest


def test_the_gas_of_a_move_suffices(game: Contract) -> None:
    match, host, guest = begun(game)
    dearest = max(
        game.send((host, guest)[ply % 2], "move", match, ply, cell).gas for ply, cell in enumerate((19, 18, 17))
    )
    limit = next(action.gas for action in GAMES["reversi"].actions if action.name == "move")
    assert dearest * 5 // 4 <= limit
