"""A server on which players can deposit a token, and the account that issues the token. Tests can
read the balances of players and contracts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from eth_utils.address import to_checksum_address
from eth_utils.crypto import keccak

from contracts.abi import encode_call
from tests.support.compiled import SOURCES, compiled
from tests.support.players import mine_transaction, rpc_call
from tests.support.server import Server, node_url, up_deployed

ISSUER = "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720"
"""The account that issues the token. Its first transaction deploys the token's contract, so the
contract's address is known in advance."""


def first_contract_address(account: str) -> str:
    """Return the address of the contract that an account's first transaction creates. The address
    is derived from the RLP encoding of the account and nonce 0."""
    return to_checksum_address(keccak(b"\xd6\x94" + bytes.fromhex(account[2:]) + b"\x80")[12:])


class TokenSite(NamedTuple):
    server: Server
    node: str
    token: str
    abi: list[dict[str, Any]]

    def send(self, call: dict[str, str]) -> None:
        mine_transaction(self.node, {"from": ISSUER, "gas": hex(3_000_000), **call})

    def transfer(self, account: str, units: int) -> None:
        self.send({"to": self.token, "data": encode_call(self.abi, "transfer", [account, units])})

    def approve(self, owner: str, spender: str, units: int) -> None:
        """Let a contract spend the owner's tokens, without using the page. Another page that has
        the owner's key could do this, too."""
        rpc_call(self.node, "anvil_impersonateAccount", owner)
        self.send({"from": owner, "to": self.token, "data": encode_call(self.abi, "approve", [spender, units])})
        assert self.call_view("allowance", owner, spender) == units

    def balances(self, account: str) -> tuple[int, int]:
        """Return an account's balances: ether in wei, and tokens. A contract's balances contain the
        stakes of all its matches, so tests must compare them with earlier balances."""
        return int(rpc_call(self.node, "eth_getBalance", account, "latest"), 16), self.call_view("balanceOf", account)

    def call_view(self, name: str, *arguments: str) -> int:
        call = {"to": self.token, "data": encode_call(self.abi, name, list(arguments))}
        return int(rpc_call(self.node, "eth_call", call, "latest"), 16)


@pytest.fixture(scope="module")
def token_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TokenSite]:
    folder = tmp_path_factory.mktemp("deposits")
    made = compiled(SOURCES / "Shell.sol")
    token = first_contract_address(ISSUER)
    with up_deployed(folder / "data", "--token", token) as server:
        found = TokenSite(server, node_url(folder / "data"), token, made.abi)
        found.send({"data": made.bytecode})
        assert found.call_view("balanceOf", ISSUER) == 10**12
        yield found
