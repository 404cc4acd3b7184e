"""Tests how session keys play for an account in Tic-tac-toe.

- Given a key that is linked to an account for this game
  - For the account, the key should create and accept matches, move, offer a restart, resign and ask
    for a rematch
  - All events and views should show the account
  - The key should not play against the account
  - When somebody invites the key itself
    - The key should not take the seat, because a linked key never acts for itself
  - When the link has expired or was revoked
    - The contract should reject the key, even if it would accept an unlinked account
"""

from __future__ import annotations

import pytest
from eth_account.signers.local import LocalAccount

from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.matches.tic_tac_toe import HOST_WINS, NOBODY, PLAYING, RESIGNED, Grid, funded_address
from tests.contracts.support.session_keys import funded_account, offer_and_accept

CONTRACT = "TicTacToe"
HOUR = 3600


@pytest.fixture
def owner(game: Contract) -> LocalAccount:
    return funded_account(game.node)


@pytest.fixture
def opponent(game: Contract) -> str:
    return funded_address(game.node)


@pytest.fixture
def until(game: Contract) -> int:
    return int(game.node.rpc("eth_getBlockByNumber", "latest", False)["timestamp"], 16) + HOUR


@pytest.fixture
def key(game: Contract, sessions: Contract, owner: LocalAccount, until: int) -> str:
    linked = funded_account(game.node)
    offer_and_accept(sessions, owner, linked, [game.address], until)
    return str(linked.address)


@pytest.mark.anvil  # only Anvil has real gas costs
def test_key_plays_a_whole_match_for_its_account(game: Contract, owner: LocalAccount, key: str, opponent: str) -> None:
    me = owner.address
    created = game.send(key, "create", opponent, 0)
    assert created.named("MatchCreated")[0]["creator"] == me
    grid = Grid(game, me, opponent, number=created.events[0].match)
    assert grid.view.host == me
    grid.send(opponent, "accept")
    spent = []
    for ply, cell in enumerate(HOST_WINS):
        moved = grid.send(opponent if ply % 2 else key, "move", ply, cell // 3, cell % 3)
        assert moved.named("Moved")[0]["by"] == (opponent if ply % 2 else me)
        spent.append(moved.gas)
    assert max(spent) <= 45_000 + 10_000, "the call to the registry costs at most 10,000 gas"
    assert grid.view.winner == me
    offered = grid.send(key, "rematch")
    assert offered.named("RematchOpened")[0]["by"] == me
    again = Grid(game, opponent, me, number=grid.view.rematch)
    again.send(opponent, "accept")
    assert again.expect_revert(key, "move", 0, 0, 0) == Reverted("NotYourTurn", again.match, me, opponent)
    again.send(key, "resign")
    assert (again.view.reason, again.view.winner) == (RESIGNED, opponent)


def test_key_accepts_restarts_and_closes_for_its_account(
    game: Contract, owner: LocalAccount, key: str, opponent: str
) -> None:
    grid = Grid(game, opponent, owner.address, accept=False)
    assert grid.send(key, "accept").named("PlayerJoined") == [{"player": owner.address, "seat": 1}]
    assert grid.send(key, "offerRestart").named("RestartOffered")[0]["by"] == owner.address
    grid.send(opponent, "acceptRestart", 0)
    own = game.send(key, "create", NOBODY, 0).events[0].match
    assert game.send(key, "close", own).named("MatchEnded")


def test_account_and_its_key_are_one_player(game: Contract, owner: LocalAccount, key: str) -> None:
    grid = Grid(game, owner.address, NOBODY, accept=False)
    assert grid.expect_revert(key, "accept") == Reverted("SamePlayer", owner.address)
    with pytest.raises(Reverted) as error:
        game.send(key, "create", owner.address, 0)
    assert error.value == Reverted("SamePlayer", owner.address)


def test_invited_key_does_not_act_for_itself(game: Contract, owner: LocalAccount, key: str, opponent: str) -> None:
    grid = Grid(game, opponent, key, accept=False)
    assert grid.expect_revert(key, "accept") == Reverted("NotInvited", grid.match, owner.address, key)
    mine = Grid(game, owner.address, key, accept=False)
    assert mine.expect_revert(key, "accept") == Reverted("SamePlayer", owner.address)
    mine.send(key, "close")


@pytest.mark.parametrize("how", ["expired", "revoked"])
def test_link_that_does_not_hold_is_refused_and_never_falls_back_to_the_key(
    game: Contract, sessions: Contract, owner: LocalAccount, key: str, opponent: str, until: int, how: str
) -> None:
    playing = Grid(game, owner.address, opponent)
    open_ = Grid(game, opponent, NOBODY, accept=False)
    invited = Grid(game, opponent, key, accept=False)
    if how == "revoked":
        sessions.send(owner.address, "revoke", key)
        why = Reverted("unknown", sessions.error_data("NotLinked", key, game.address))
    else:
        game.node.rpc("evm_setNextBlockTimestamp", until)
        game.node.mine()
    calls = [
        ("move", playing.match, 0, 0, 0),
        ("offerRestart", playing.match),
        ("resign", playing.match),
        ("accept", open_.match),
        ("accept", invited.match),
        ("create", NOBODY, 0),
    ]
    for call in calls:
        with pytest.raises(Reverted) as error:
            game.send(key, *call)
        if how == "expired":
            now = int(game.node.rpc("eth_getBlockByNumber", "latest", False)["timestamp"], 16)
            why = Reverted("unknown", sessions.error_data("Expired", until, now))
        assert error.value == why, "the game must pass the error on unchanged"
    assert (playing.view.status, playing.view.ply) == (PLAYING, 0)
    playing.play(*HOST_WINS)
