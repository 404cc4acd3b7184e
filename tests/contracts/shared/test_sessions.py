"""Tests session keys, which play for an account until an agreed time.

- Given an account and a key
  - When the key submits the account's signature, or accepts the account's offer
    - The key should play for the account in the named games until the agreed time
  - When the link has expired, was revoked or doesn't name the game
    - The registry should reject the key, and the key should not act for itself instead
  - When somebody tries to take an account's key, or to link a key to another key
    - The registry should reject the attempt
  - When somebody uses a signature twice, too late, with a different key, or for a different
    registry or chain
    - The registry should reject the signature
"""

from __future__ import annotations

from typing import Any

import pytest
from eth_account.signers.local import LocalAccount

from contracts.artifacts import load
from tests.contracts.support import bytecode
from tests.contracts.support.contract import Contract, Reverted, deploy_game
from tests.contracts.support.matches.touche_coule import ToucheCouleTable
from tests.contracts.support.node import Node
from tests.contracts.support.session_keys import LINK, funded_account, offer_and_accept

CONTRACT = "ToucheCoule"
HOUR = 3600


@pytest.fixture
def account(node: Node) -> LocalAccount:
    return funded_account(node)


@pytest.fixture
def key(node: Node) -> LocalAccount:
    return funded_account(node)


@pytest.fixture
def now(node: Node) -> int:
    return int(node.rpc("eth_getBlockByNumber", "latest", False)["timestamp"], 16)


def sign(sessions: Contract, account: LocalAccount, key: str, games: list[str], until: int, **other: Any) -> bytes:
    terms = {
        "account": account.address,
        "key": key,
        "games": games,
        "until": until,
        "nonce": other.get("nonce", sessions.call("nonceOf", account.address)),
        "deadline": other["deadline"],
    }
    domain = {
        "name": "Chainboard Sessions",
        "version": "1",
        "chainId": other.get("chain", 31337),
        "verifyingContract": other.get("registry", sessions.address),
    }
    signed = other.get("signer", account).sign_typed_data(domain, LINK, terms)
    return bytes(signed.signature)


def expect_revert(contract: Contract, sender: str, *call: Any) -> Reverted:
    with pytest.raises(Reverted) as error:
        contract.send(sender, *call)
    return error.value


def test_key_with_a_signature_plays_for_the_account(
    sessions: Contract, game: Contract, account: LocalAccount, key: LocalAccount, now: int
) -> None:
    games, until, deadline = [game.address], now + HOUR, now + HOUR
    signature = sign(sessions, account, key.address, games, until, deadline=deadline)
    linked = sessions.send(key.address, "link", account.address, games, until, deadline, signature)
    assert linked.named("Linked")[0]["account"] == account.address

    table = ToucheCouleTable(game, 12, 12, 1)
    joined = game.send(key.address, "register(uint48)", table.match)
    assert joined.named("PlayerJoined") == [{"player": account.address, "seat": 1}]
    assert joined.named("Registered")[0]["owner"] == account.address
    game.send(account.address, "register(uint48)", table.match)
    assert expect_revert(game, key.address, "register(uint48)", table.match) == Reverted(
        "ShipLimit", account.address, 2
    )
    started = game.send(key.address, "turn", table.match, 0)
    assert started.named("TurnPlayed")[0]["by"] == account.address
    created = game.send(key.address, "create", 12, 12, False)
    assert created.named("MatchCreated")[0]["creator"] == account.address


def test_key_that_accepts_an_offer_plays_for_the_account(
    sessions: Contract, game: Contract, account: LocalAccount, key: LocalAccount, now: int
) -> None:
    games, until = [game.address], now + HOUR
    sessions.send(account.address, "offer", key.address, games, until)
    other = expect_revert(sessions, key.address, "accept", account.address, games, until + 1)
    assert other == Reverted("NoOffer", account.address, key.address)
    assert sessions.call("accountOf", key.address, game.address).lower() == key.address.lower(), (
        "the key has not accepted yet"
    )
    sessions.send(key.address, "accept", account.address, games, until)
    assert sessions.call("accountOf", key.address, game.address).lower() == account.address.lower()
    again = expect_revert(sessions, key.address, "accept", account.address, games, until)
    assert again == Reverted("NoOffer", account.address, key.address)


def test_nobody_is_made_a_key_without_a_say(
    sessions: Contract, game: Contract, account: LocalAccount, key: LocalAccount, now: int
) -> None:
    """Tests that a key isn't linked to an account before it accepts the account's offer. Otherwise,
    anybody could name your address as their key and take the seat for which you pay."""
    sessions.send(account.address, "offer", key.address, [game.address], now + HOUR)
    joined = game.send(key.address, "register(uint48)", ToucheCouleTable(game).match)
    assert joined.named("PlayerJoined")[0]["player"] == key.address


def test_expired_link_refuses_and_never_falls_back_to_the_key(
    node: Node, sessions: Contract, game: Contract, account: LocalAccount, key: LocalAccount, now: int
) -> None:
    until = now + 60
    offer_and_accept(sessions, account, key, [game.address], until)
    match = ToucheCouleTable(game).match
    node.rpc("evm_setNextBlockTimestamp", until)
    error = expect_revert(game, key.address, "register(uint48)", match)
    assert error == Reverted("unknown", sessions.error_data("Expired", until, until)), (
        "the game must pass the error on unchanged"
    )
    assert game.call("board", match)[10] == ()


def test_revoked_link_refuses_and_never_falls_back_to_the_key(
    sessions: Contract, game: Contract, account: LocalAccount, key: LocalAccount, now: int
) -> None:
    offer_and_accept(sessions, account, key, [game.address], now + HOUR)
    sessions.send(account.address, "revoke", key.address)
    with pytest.raises(Reverted) as error:
        sessions.call("accountOf", key.address, game.address)
    assert error.value == Reverted("NotLinked", key.address, game.address)
    match = ToucheCouleTable(game).match
    with pytest.raises(Reverted):
        game.send(key.address, "register(uint48)", match)
    offer_and_accept(sessions, account, key, [game.address], now + HOUR)
    assert game.send(key.address, "register(uint48)", match).named("PlayerJoined")[0]["player"] == account.address


def test_link_holds_in_the_games_it_names_only(
    node: Node, sessions: Contract, game: Contract, account: LocalAccount, key: LocalAccount, now: int
) -> None:
    _, other = deploy_game(node, load("ToucheCoule"))
    offer_and_accept(sessions, account, key, [other.address], now + HOUR)
    with pytest.raises(Reverted) as error:
        sessions.call("accountOf", key.address, game.address)
    assert error.value == Reverted("NotLinked", key.address, game.address)
    offer_and_accept(sessions, account, key, [game.address], now + HOUR)
    with pytest.raises(Reverted) as error:
        sessions.call("accountOf", key.address, other.address)
    assert error.value == Reverted("NotLinked", key.address, other.address), "the new link must replace the old link"


def test_key_serves_one_account_for_ever(
    node: Node, sessions: Contract, game: Contract, account: LocalAccount, key: LocalAccount, now: int
) -> None:
    thief, games, until = funded_account(node), [game.address], now + HOUR
    offer_and_accept(sessions, account, key, games, until)
    for _ in range(2):
        taken = expect_revert(sessions, thief.address, "offer", key.address, games, until)
        assert taken == Reverted("KeyTaken", key.address, account.address)
        signature = sign(sessions, thief, key.address, games, until, deadline=until)
        taken = expect_revert(sessions, key.address, "link", thief.address, games, until, until, signature)
        assert taken == Reverted("KeyTaken", key.address, account.address)
        sessions.send(account.address, "revoke", key.address)


def test_only_the_account_revokes(
    node: Node, sessions: Contract, game: Contract, account: LocalAccount, key: LocalAccount, now: int
) -> None:
    offer_and_accept(sessions, account, key, [game.address], now + HOUR)
    for stranger in (funded_account(node), key):
        sessions.send(stranger.address, "revoke", key.address)
    assert sessions.call("accountOf", key.address, game.address).lower() == account.address.lower()


def test_no_key_of_a_key(
    node: Node, sessions: Contract, game: Contract, account: LocalAccount, key: LocalAccount, now: int
) -> None:
    third, games, until = funded_account(node), [game.address], now + HOUR
    offer_and_accept(sessions, account, key, games, until)
    assert expect_revert(sessions, key.address, "offer", third.address, games, until) == Reverted("BadKey", key.address)
    error = expect_revert(sessions, third.address, "offer", account.address, games, until)
    assert error == Reverted("BadKey", account.address)
    error = expect_revert(sessions, account.address, "offer", account.address, games, until)
    assert error == Reverted("BadKey", account.address)
    nobody = "0x" + 40 * "0"
    assert expect_revert(sessions, account.address, "offer", nobody, games, until) == Reverted("BadKey", nobody)


def test_signature_serves_once(
    node: Node, sessions: Contract, game: Contract, account: LocalAccount, key: LocalAccount, now: int
) -> None:
    games, until = [game.address], now + HOUR
    signature = sign(sessions, account, key.address, games, until, deadline=until)
    bad = Reverted("BadSignature", account.address)
    stranger = funded_account(node)
    assert expect_revert(sessions, stranger.address, "link", account.address, games, until, until, signature) == bad
    call = ("link", account.address, games, until, until, signature)
    sessions.send(key.address, *call)
    assert expect_revert(sessions, key.address, *call) == bad


@pytest.mark.parametrize("other", [{"chain": 1}, {"registry": "0x" + 40 * "1"}, {"nonce": 1}])
def test_signature_for_elsewhere_is_refused(
    sessions: Contract, game: Contract, account: LocalAccount, key: LocalAccount, now: int, other: dict[str, Any]
) -> None:
    games, until = [game.address], now + HOUR
    signature = sign(sessions, account, key.address, games, until, deadline=until, **other)
    error = expect_revert(sessions, key.address, "link", account.address, games, until, until, signature)
    assert error == Reverted("BadSignature", account.address)


def test_revoking_voids_unused_signatures_and_offers(
    sessions: Contract, game: Contract, account: LocalAccount, key: LocalAccount, now: int
) -> None:
    games, until = [game.address], now + HOUR
    signature = sign(sessions, account, key.address, games, until, deadline=until)
    sessions.send(account.address, "offer", key.address, games, until)
    sessions.send(account.address, "revoke", key.address)
    error = expect_revert(sessions, key.address, "link", account.address, games, until, until, signature)
    assert error == Reverted("BadSignature", account.address)
    error = expect_revert(sessions, key.address, "accept", account.address, games, until)
    assert error == Reverted("NoOffer", account.address, key.address)


def test_late_signature_and_late_link_are_refused(
    node: Node, sessions: Contract, game: Contract, account: LocalAccount, key: LocalAccount, now: int
) -> None:
    games = [game.address]
    node.rpc("evm_setNextBlockTimestamp", now + 100)
    signature = sign(sessions, account, key.address, games, now + HOUR, deadline=now + 99)
    call = ("link", account.address, games, now + HOUR, now + 99, signature)
    assert expect_revert(sessions, key.address, *call) == Reverted("Expired", now + 99, now + 100)
    node.rpc("evm_setNextBlockTimestamp", now + 200)
    late = expect_revert(sessions, account.address, "offer", key.address, games, now + 200)
    assert late == Reverted("Expired", now + 200, now + 200)


def test_link_names_few_games(sessions: Contract, account: LocalAccount, key: LocalAccount, now: int) -> None:
    games = [f"0x{number:040x}" for number in range(1, 18)]
    error = expect_revert(sessions, account.address, "offer", key.address, games, now + HOUR)
    assert error == Reverted("TooManyGames", 17, 16)


def test_contract_signs_by_erc_1271(sessions: Contract, game: Contract, key: LocalAccount, now: int) -> None:
    yes, no = (
        ToucheCouleTable(game).deploy_code(f"0x63{magic}60e01b5f5260205ff3") for magic in ("1626ba7e", "ffffffff")
    )
    games, until = [game.address], now + HOUR
    error = expect_revert(sessions, key.address, "link", no, games, until, until, b"any")
    assert error == Reverted("BadSignature", no)
    sessions.send(key.address, "link", yes, games, until, until, b"any")
    assert sessions.call("accountOf", key.address, game.address).lower() == yes.lower()


@pytest.mark.anvil  # only Anvil supports delegated accounts
@pytest.mark.parametrize("delegate", [bytecode.STOPS, bytecode.REVERTS, bytecode.answers(0)])
def test_account_with_code_that_knows_no_erc_1271_signs_by_its_key(
    node: Node,
    sessions: Contract,
    game: Contract,
    account: LocalAccount,
    key: LocalAccount,
    now: int,
    delegate: str,
) -> None:
    """With EIP-7702, an account can delegate its code to a contract. Tests that its private key can
    still sign messages."""
    games, until = [game.address], now + HOUR
    node.rpc("anvil_setCode", account.address, "0xef0100" + ToucheCouleTable(game).deploy_code(delegate)[2:])
    terms = account.address, games, until, until
    for stranger in (funded_account(node), key):
        signature = sign(sessions, account, key.address, games, until, deadline=until, signer=stranger)
        assert expect_revert(sessions, key.address, "link", *terms, signature) == Reverted(
            "BadSignature", account.address
        )
    signature = sign(sessions, account, key.address, games, until, deadline=until)
    sessions.send(key.address, "link", *terms, signature)
    assert sessions.call("accountOf", key.address, game.address).lower() == account.address.lower()


def test_who_holds_the_seat_itself_plays_without_the_registry(
    node: Node, sessions: Contract, game: Contract, account: LocalAccount, key: LocalAccount, now: int
) -> None:
    """Tests that a key keeps a seat that it took before it was linked. The registry can't take the
    seat away."""
    table = ToucheCouleTable(game, 12, 12, 1)
    game.send(key.address, "register(uint48)", table.match)
    offer_and_accept(sessions, account, key, [game.address], now + HOUR)
    code = sessions.code
    node.rpc("anvil_setCode", sessions.address, bytecode.REVERTS)
    try:
        started = game.send(key.address, "turn", table.match, 0)
    finally:
        node.rpc("anvil_setCode", sessions.address, code)
    assert started.named("TurnPlayed")[0]["by"] == key.address
