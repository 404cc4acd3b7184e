"""Tests how session keys play for an account in Conquest, and who can use a reserved seat.

- Given a key that is linked to an account for this game
  - The key should open, join, play and leave matches for the account
  - When somebody invites the key instead of the account
    - The key should still join, play and leave that match for the account
    - The key should not take a seat for itself
  - When the account has revoked the key
    - The contract should reject the key
- Given a seat that is reserved for an account that has not joined
  - The account should have no right to play or to leave
"""

from __future__ import annotations

import pytest
from eth_account.signers.local import LocalAccount

from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.matches.conquest import NOBODY, OPEN, ConquestTable
from tests.contracts.support.session_keys import FOR_LONG, funded_account, offer_and_accept
from tests.support.conquest.maps import row_of_lands

CONTRACT = "Conquest"


@pytest.fixture
def owner(game: Contract) -> LocalAccount:
    return funded_account(game.node)


@pytest.fixture
def key(game: Contract, sessions: Contract, owner: LocalAccount) -> str:
    linked = funded_account(game.node)
    now = int(game.node.rpc("eth_getBlockByNumber", "latest", False)["timestamp"], 16)
    offer_and_accept(sessions, owner, linked, [game.address], now + FOR_LONG)
    return str(linked.address)


def test_a_key_plays_for_its_account(game: Contract, owner: LocalAccount, key: str) -> None:
    guest = game.node.accounts[1]
    table = ConquestTable(game, 2, accounts=[guest, owner.address], join=False)
    table.call(key, "join", account=owner.address)
    assert table.view["players"] == [guest, owner.address]
    table.settle()
    for land in (0, 1, None, None):
        table.wait()
        mover = table.mover
        sender = key if mover == owner.address else mover
        if land is None:
            table.call(sender, "pass", mover, **table.named(), phaseOnly=False)
        else:
            table.call(sender, "chooseCapital", mover, **table.named(), land=land)


def test_a_key_opens_and_leaves_for_its_account(game: Contract, owner: LocalAccount, key: str) -> None:
    created = game.send(key, "create", bytes(32), 76, 2, [], 60, 0, row_of_lands(8))
    assert created.named("MatchCreated")[0]["creator"] == owner.address
    left = game.send(key, "leave", created.events[0].match)
    assert left.named("PlayerLeft") == [{"player": owner.address, "seat": 0}]


def test_an_invitation_to_a_key_does_not_lock_it_out(game: Contract, owner: LocalAccount, key: str) -> None:
    """Tests that a key can join a match to which somebody has invited the key. Otherwise, anybody
    could lock a key out of a match by inviting the key."""
    accounts = game.node.accounts
    table = ConquestTable(game, 3, row_of_lands(12), accounts=[*accounts[:2], key], invited=[NOBODY, key], join=False)
    table.call(owner.address, "join")
    assert table.view["players"] == [accounts[0], owner.address, NOBODY]
    table.call(key, "leave", account=owner.address)
    assert table.view["players"] == [accounts[0], NOBODY, NOBODY]
    table.call(owner.address, "join")
    with pytest.raises(Reverted) as revert:
        game.send(key, "join", table.match)
    assert revert.value == Reverted("SamePlayer", owner.address)
    assert table.view["players"] == [accounts[0], owner.address, NOBODY]


def test_a_key_that_is_invited_takes_its_accounts_seat(game: Contract, owner: LocalAccount, key: str) -> None:
    """Tests that an invited key takes the seat for its account. If it took the seat for itself, the
    match would count for the key. Anybody could cause this by inviting the key."""
    host = game.node.accounts[0]
    table = ConquestTable(
        game, 3, row_of_lands(12), accounts=[host, owner.address, key], invited=[NOBODY, key], join=False
    )
    table.call(key, "join", account=owner.address)
    assert table.view["players"] == [host, owner.address, NOBODY]


def test_a_key_that_was_revoked_plays_no_more(
    game: Contract, sessions: Contract, owner: LocalAccount, key: str
) -> None:
    table = ConquestTable(game, 2, join=False)
    sessions.send(owner.address, "revoke", key)
    with pytest.raises(Reverted):
        game.send(key, "join", table.match)
    assert table.view["status"] == OPEN


def test_a_seat_that_nobody_took_gives_no_right(game: Contract) -> None:
    accounts = game.node.accounts
    table = ConquestTable(game, 3, row_of_lands(12), invited=[accounts[1], accounts[2]], join=False)
    not_there = Reverted("NotAPlayer", table.match, accounts[2])
    assert table.expect_revert(accounts[2], "leave") == not_there
    table.call(accounts[2], "join")
    table.call(accounts[2], "leave")
    assert table.expect_revert(accounts[2], "leave") == not_there
    stranger = Reverted("NotInvited", table.match, table.stranger, accounts[1])
    assert table.expect_revert(table.stranger, "join") == stranger
    for account in (accounts[2], accounts[1]):
        table.call(account, "join")
    assert table.view["players"] == accounts[:3]
