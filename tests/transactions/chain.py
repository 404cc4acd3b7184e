"""Provides a real chain for programs that send transactions, and queries for the transactions that
were sent."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from eth_account import Account
from eth_account.signers.local import LocalAccount

from chainboard.chain.anvil import Anvil
from indexer.node.client import Node
from transactions.journal import Journal
from transactions.manager import TransactionManager

ETHER = 10**18
GWEI = 10**9
Json = dict[str, Any]


def key_of(number: int) -> str:
    return f"0x{number + 1:064x}"


class FundedAnvil:
    """An Anvil node, and an account that has ether on the node's chain."""

    def __init__(self, node: Node, folder: Path) -> None:
        self.node, self.folder = node, folder
        self.key = key_of(7)
        self.account: LocalAccount = Account.from_key(self.key)
        self.journals: list[Journal] = []

    def program(self, node: Node | None = None) -> TransactionManager:
        """Return a transaction manager that acts like a separate program. The managers share only
        the file of the journal."""
        journal = Journal(self.folder / "journal.db")
        self.journals.append(journal)
        return TransactionManager((node or self.node).request, self.account, journal)

    def close(self) -> None:
        for journal in self.journals:
            journal.close()

    async def fund(self, account: LocalAccount) -> None:
        await self.node.request("anvil_setBalance", (account.address, hex(100 * ETHER)))

    async def sent(self) -> list[tuple[int, str]]:
        """Return the nonce and the data of each mined transaction of the account, in order."""
        head = int(await self.node.request("eth_blockNumber"), 16)
        calls = [("eth_getBlockByNumber", (hex(height), True)) for height in range(head + 1)]
        some = [tx for block in await self.node.requests(calls) for tx in block["transactions"]]
        ours = [tx for tx in some if tx["from"].lower() == self.account.address.lower()]
        return [(int(tx["nonce"], 16), tx["input"]) for tx in ours]

    async def send_externally(self, nonce: int | None = None, tip: int = GWEI, **more: Any) -> str:
        """Send a transaction without a transaction manager, from this account or from `account`.
        Return its hash."""
        account: LocalAccount = more.pop("account", self.account)
        if nonce is None:
            nonce = int(await self.node.request("eth_getTransactionCount", (account.address, "pending")), 16)
        price = {"maxFeePerGas": 100 * GWEI, "maxPriorityFeePerGas": tip, "chainId": 31337}
        whole: Any = {"to": account.address, "value": 0, "gas": 100_000, "nonce": nonce, **price, **more}
        raw = bytes(account.sign_transaction(whole).raw_transaction)
        return str(await self.node.request("eth_sendRawTransaction", ("0x" + raw.hex(),)))

    async def mine(self, blocks: int = 1) -> None:
        await self.node.request("anvil_mine", (hex(blocks),))


@asynccontextmanager
async def chain(folder: Path, block_time: int = 0) -> AsyncIterator[FundedAnvil]:
    anvil = await Anvil.start(folder / "chain", block_time)
    try:
        it = FundedAnvil(anvil.node, folder)
        await it.fund(it.account)
        yield it
        it.close()
    finally:
        await anvil.stop()
