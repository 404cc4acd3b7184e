"""A rollup: an Anvil node that mines a block every two seconds and charges for transaction data.

The fee works like that of an OP Stack chain (https://docs.optimism.io/stack/transactions/fees).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

from eth_account import Account
from eth_account.typed_transactions.typed_transaction import TypedTransaction
from hexbytes import HexBytes

from chaos.chain.node_chain import DevelopmentChain
from indexer.model import Json
from indexer.node.client import NodeError
from transactions.l1_fee import GAS_PRICE_ORACLE, GET_L1_FEE

BLOCK_SECONDS = 2.0
ORACLE_CODE = f"0x5f3560e01c63{GET_L1_FEE.hex()}146011575f5ffd5b6024355f54025f5260205ff3"
"""The code of a contract whose `getL1Fee(bytes)` returns the number of bytes times the word in slot
0. All other calls revert."""
L1_FEE_PER_BYTE = 2 * 10**9
"""The fee for each byte of a signed transaction, in wei."""


class Rollup:
    """A rollup on an Anvil node that doesn't mine by itself. If `l1_fee_per_byte` is 0, the rollup
    charges no fee for data, and has no contract that returns it."""

    def __init__(
        self, chain: DevelopmentChain, block_seconds: float = BLOCK_SECONDS, l1_fee_per_byte: int = L1_FEE_PER_BYTE
    ) -> None:
        self.chain = chain
        self._block_seconds, self._l1_fee_per_byte = block_seconds, l1_fee_per_byte
        self._l1_fees: dict[str, int] = {}
        self._l1_paid: dict[tuple[str, int], int] = {}
        self._turn = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Mine blocks regularly during the `with` block."""
        await self.chain.request("evm_setAutomine", False)
        if self._l1_fee_per_byte:
            await self.chain.request("anvil_setCode", GAS_PRICE_ORACLE, ORACLE_CODE)
            price = f"0x{self._l1_fee_per_byte:064x}"
            await self.chain.request("anvil_setStorageAt", GAS_PRICE_ORACLE, "0x0", price)
        mining = asyncio.create_task(self._mine())
        try:
            yield
        finally:
            mining.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await mining

    async def _mine(self) -> None:
        while True:
            await asyncio.sleep(self._block_seconds)
            async with self._turn:
                await self.chain.mine()

    async def reorg(self, depth: int) -> None:
        """Replace the newest blocks by the same number of empty blocks.

        Afterwards, mine the transactions of the replaced blocks again, one per block and in the old
        order, as a sequencer would do. Anvil would order the transactions of different senders by
        their fees."""
        async with self._turn:
            height = await self.chain.height()
            blocks = await self.chain.blocks(height - depth + 1, height)
            hashes = [hash for block in blocks for hash in block["transactions"]]
            raws = await self.chain.node.requests([("eth_getRawTransactionByHash", (hash,)) for hash in hashes])
            await self.chain.request("anvil_reorg", depth, [])
            await self.chain.request("anvil_dropAllTransactions")
            for raw in raws:
                await self.chain.request("eth_sendRawTransaction", raw)
                await self.chain.mine()

    async def send(self, raw: str) -> str:
        """Send a signed transaction and return its hash.

        Raises NodeError if the node rejects it or the sender can't pay the fee for its data."""
        data = HexBytes(raw)
        async with self._turn:
            l1_fee = self._l1_fee_per_byte * len(data)
            sender = str(Account.recover_transaction(data))
            balance = int(await self.chain.request("eth_getBalance", sender, "latest"), 16)
            cost = _maximum_cost(data) + l1_fee
            if cost > balance:
                text = f"insufficient funds for gas * price + value: balance {balance}, tx cost {cost}"
                raise NodeError(-32000, f"{text}, overshot {cost - balance}")
            hash = str(await self.chain.request("eth_sendRawTransaction", raw))
            if l1_fee and hash not in self._l1_fees:
                self._l1_fees[hash] = l1_fee
                slot = (sender, _nonce(data))
                # If this transaction replaces another, only the difference between their data fees
                # is due.
                due = l1_fee - self._l1_paid.get(slot, 0)
                self._l1_paid[slot] = l1_fee
                await self.chain.request("anvil_setBalance", sender, hex(balance - due))
        return hash

    def with_l1_fee(self, receipt: Json) -> Json:
        """Return a transaction's receipt with the fields that an OP Stack node adds."""
        fee = self._l1_fees.get(str(receipt["transactionHash"]))
        return receipt if fee is None else {**receipt, "l1Fee": hex(fee)}


def _nonce(data: HexBytes) -> int:
    return int(TypedTransaction.from_bytes(data).as_dict()["nonce"])


def _maximum_cost(data: HexBytes) -> int:
    """Return the maximum cost of a typed transaction, in wei, without the fee for its data."""
    fields: dict[str, Any] = TypedTransaction.from_bytes(data).as_dict()
    price = fields.get("maxFeePerGas", fields.get("gasPrice", 0))
    return int(fields["gas"]) * int(price) + int(fields["value"])
