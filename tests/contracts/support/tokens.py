"""OpenZeppelin's plain token, for tests of games that hold tokens."""

from __future__ import annotations

from tests.contracts.support.contract import Contract, deploy
from tests.contracts.support.node import Node
from tests.support.compiled import TOKENS, compiled


def plain(node: Node) -> Contract:
    return deploy(node, compiled(TOKENS / "PlainToken.sol"))


def fund_with_tokens(token: Contract, game: Contract, amount: int, *accounts: str) -> None:
    """Mint `amount` of the token for each account. Approve the game to transfer the tokens."""
    for account in accounts:
        token.send(account, "mint", account, amount)
        token.send(account, "approve", game.address, 2**256 - 1)
