"""What players of a development chain begin with: a game, and an account with ether."""

from __future__ import annotations

from eth_account import Account
from eth_account.signers.local import LocalAccount

from indexer.model import Json
from indexer.node.client import Node
from tests.support.server import Server


def game_of(server: Server, slug: str) -> Json:
    """As the server lists it."""
    found: Json = next(one for one in server.get("/api/games")["games"] if one["slug"] == slug)
    return found


async def funded(node: Node) -> LocalAccount:
    """`node`: the chain's own, past the server."""
    account: LocalAccount = Account.create()
    await node.request("anvil_setBalance", (account.address, hex(10**20)))
    return account
