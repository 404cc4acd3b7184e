"""Creates accounts with private keys and links them to session keys."""

from __future__ import annotations

from itertools import count

from eth_account import Account
from eth_account.signers.local import LocalAccount
from eth_utils import keccak

from tests.contracts.support.contract import Contract
from tests.contracts.support.node import Node

LINK = {
    "Link": [
        {"name": "account", "type": "address"},
        {"name": "key", "type": "address"},
        {"name": "games", "type": "address[]"},
        {"name": "until", "type": "uint40"},
        {"name": "nonce", "type": "uint256"},
        {"name": "deadline", "type": "uint40"},
    ]
}
"""The EIP-712 types of the link that an account signs."""

FOR_LONG = 1000 * 30 * 86_400

_counter = count(1)


def funded_account(node: Node) -> LocalAccount:
    """Return a new account with a private key and some ether."""
    account: LocalAccount = Account.from_key(keccak(text=f"person {next(_counter)}"))
    node.rpc("anvil_setBalance", account.address, hex(10**20))
    return account


def offer_and_accept(
    sessions: Contract, account: LocalAccount, key: LocalAccount, games: list[str], until: int
) -> None:
    """Link `key` to `account`. Until the time in `until`, the key can play for the account in each
    contract in `games`."""
    sessions.send(account.address, "offer", key.address, games, until)
    sessions.send(key.address, "accept", account.address, games, until)


def players_with_keys(node: Node, game: Contract, sessions: Contract, seats: int) -> list[str]:
    """Return new accounts: a player for each seat, an outsider, and a session key for each player.

    All these accounts have enough ether for the largest stake."""
    players, keys = [[funded_account(node) for _ in range(seats)] for _ in range(2)]
    until = int(node.rpc("eth_getBlockByNumber", "latest", False)["timestamp"], 16) + FOR_LONG
    for player, key in zip(players, keys, strict=True):
        offer_and_accept(sessions, player, key, [game.address], until)
    people = [*(each.address for each in players), node.accounts[1], *(each.address for each in keys)]
    for account in people:
        node.rpc("anvil_setBalance", account, hex(2**110))
    return people
