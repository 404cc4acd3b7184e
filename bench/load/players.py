"""Finds a game on a server, and creates accounts with ether on a development chain."""

from __future__ import annotations

from eth_account import Account
from eth_account.signers.local import LocalAccount

from indexer.model import Json
from indexer.node.client import Node
from tests.support.server import Server


def game_of(server: Server, slug: str) -> Json:
    """Return the description of a game from the server's list of games."""
    found: Json = next(one for one in server.get("/api/games")["games"] if one["slug"] == slug)
    return found


async def funded(node: Node) -> LocalAccount:
    """Create an account with ether. `node` must be the chain's own node, not the server's proxy."""
    account: LocalAccount = Account.create()
    await node.request("anvil_setBalance", (account.address, hex(10**20)))
    return account
