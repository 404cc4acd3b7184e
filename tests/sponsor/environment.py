"""Provides a sponsor on a real Anvil node, and visitors who have no ether."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from eth_account import Account
from eth_account.signers.local import LocalAccount

from chainboard.chain.anvil import Anvil
from contracts.abi import checksum
from contracts.rpc_errors import Request
from indexer.node.client import Node
from sponsor.budgets import Budgets
from sponsor.ledger import Ledger
from sponsor.messages import SponsorRejected
from sponsor.prices import MovesGas, Price, price_now
from sponsor.sponsor import Sponsor
from transactions.journal import Journal

ETHER, GWEI = 10**18, 10**9
KEY = "0x" + "33" * 32
SENDER = str(Account.from_key(KEY).address)
OUR_CONTRACT = "0x" + "00" * 18 + "c0de"
FOREIGN_CONTRACT = "0x" + "00" * 18 + "dead"
GAS = {"chess": MovesGas(250_000, 80_000, 50_000), "go": MovesGas(1_200_000, 100_000, 60_000)}
HERE = "192.0.2.1"
BUDGETS = Budgets.of(ETHER, network=ETHER, address=ETHER)


def addresses(count: int) -> list[str]:
    return [str(Account.from_key((number + 1).to_bytes(32, "big")).address) for number in range(count)]


class SponsorEnv:
    """A chain, and a folder for several sponsors that run one after another. `clock` is the time
    that the sponsors see, in seconds since 1970."""

    def __init__(self, node: Node, folder: Path, request: Request | None = None) -> None:
        self.node, self.folder = node, folder
        self.request: Request = request or node.request
        self.clock = time.time()
        self._open: list[Journal | Ledger] = []

    async def sponsor(self, budgets: Budgets = BUDGETS, **options: Any) -> Sponsor:
        """Start a sponsor in the same way as a new process would."""
        journal = Journal(self.folder / "sent.db")
        ledger = Ledger(self.folder / "ledger.db", options.pop("chain", await self.chain()), budgets)
        self._open += [journal, ledger]
        account: LocalAccount = Account.from_key(KEY)
        request = options.pop("request", self.request)
        parts = (account, journal, ledger, lambda: [OUR_CONTRACT], GAS)
        return Sponsor(request, self.chain, *parts, now=lambda: self.clock, **options)

    async def chain(self) -> str:
        found = await self.node.chain()
        return f"{found.chain_id}:{found.genesis}"

    def ledger(self, sponsor: Sponsor) -> Ledger:
        return sponsor._ledger

    async def price(self) -> Price:
        return await price_now(self.request)

    async def balance(self, address: str) -> int:
        return int(await self.node.request("eth_getBalance", (address, "latest")), 16)

    async def fund(self, address: str, wei: int) -> None:
        await self.node.request("anvil_setBalance", (address, hex(wei)))

    async def send(self, account: LocalAccount, to: str, value: int = 0, gas: int = 30_000) -> str:
        """Send a transaction from a visitor. The node mines it immediately. Return its hash."""
        count = int(await self.node.request("eth_getTransactionCount", (account.address, "pending")), 16)
        price = {"maxFeePerGas": 3 * GWEI, "maxPriorityFeePerGas": GWEI, "chainId": 31337}
        whole: Any = {"to": checksum(to), "value": value, "gas": gas, "nonce": count, **price}
        raw = bytes(account.sign_transaction(whole).raw_transaction)
        return str(await self.node.request("eth_sendRawTransaction", ("0x" + raw.hex(),)))

    async def paid(self) -> int:
        """Return how many wei the sponsor's account has paid, including fees. The number is
        computed from the chain alone, not from the ledger."""
        return 100 * ETHER - await self.balance(SENDER)

    def close(self) -> None:
        for one in self._open:
            one.close()


@asynccontextmanager
async def sponsor_env(folder: Path) -> AsyncIterator[SponsorEnv]:
    anvil = await Anvil.start(folder / "chain")
    env = SponsorEnv(anvil.node, folder)
    try:
        await env.fund(SENDER, 100 * ETHER)
        await anvil.node.request("anvil_setCode", (OUR_CONTRACT, "0x00"))
        yield env
    finally:
        env.close()
        await anvil.stop()


async def rejection_of(sponsor: Sponsor, address: str, network: str = HERE, game: str = "chess") -> SponsorRejected:
    """Send a request that the sponsor must reject. Return the rejection."""
    try:
        found = await sponsor.grant(address, network, game)
    except SponsorRejected as rejection:
        return rejection
    raise AssertionError(f"it gave {found}")
