"""Tests of the calls that Nim's contract rejects, and of the ways in which a match can end."""

from __future__ import annotations

import pytest

from indexer.games import GAMES
from tests.contracts.support.contract import Contract, Reverted

CONTRACT = "Nim"
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


def test_only_who_opened_a_match_closes_it_and_only_while_nobody_has_joined(game: Contract) -> None:
    host, guest = game.node.accounts[1:3]
    match = game.send(host, "create", NOBODY, CLOCK).events[0].match
    expect_revert(game, Reverted("NotAPlayer", match, guest), guest, "close", match)
    (ended,) = game.send(host, "close", match).named("MatchEnded")
    assert (ended["winner"], game.call("board", match)[1]) == (NOBODY, CANCELLED)
    expect_revert(game, Reverted("WrongStatus", match, CANCELLED, OPEN), guest, "join", match)
    match, opener, _ = begun(game)
    expect_revert(game, Reverted("WrongStatus", match, PLAYING, OPEN), opener, "close", match)


def test_a_move_is_the_movers_and_answers_the_last_one(game: Contract) -> None:
    match, host, guest = begun(game)
    expect_revert(game, Reverted("NotYourTurn", match, guest, host), guest, "take", match, 0, 1)
    expect_revert(
        game, Reverted("NotAPlayer", match, game.node.accounts[3]), game.node.accounts[3], "take", match, 0, 1
    )
    expect_revert(game, Reverted("StaleMove", 0, 1), host, "take", match, 1, 1)


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


def test_the_gas_limits_suffice(game: Contract) -> None:
    match, host, guest = begun(game)
    spent = [game.send(host, "take", match, 0, 1).gas, game.send(guest, "resign", match).gas]
    assert max(spent) * 5 // 4 <= min(action.gas for action in GAMES["nim"].actions)
