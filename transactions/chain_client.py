"""A client for one account on a chain. It reads heads and fees, and it simulates, signs and sends
the account's transactions."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from contracts.rpc_errors import NoResponse, Request, RpcError
from transactions.fees import Fees, base_fee_of, call_node, fee_quote
from transactions.model import Attempt, TxRequest
from transactions.node_errors import NodeErrorKind, classify
from transactions.revert_reason import reason_of

if TYPE_CHECKING:
    from eth_account.signers.local import LocalAccount

FINAL_BLOCKS = 64
"""The number of confirmations after which a block counts as final on a node that doesn't support
the tag `finalized`."""
TRANSFER_GAS = 21_000
FEES_SECONDS = 1.0


class SendResult(NamedTuple):
    """The node's answer to a transaction that we have sent. `kind` is `sent` or the kind of the
    node's error. If the node doesn't answer, it is `busy`."""

    kind: NodeErrorKind | str
    message: str = ""


@dataclass(frozen=True, slots=True)
class ChainHead:
    """The newest block with its base fee in wei, and the height up to which blocks are final. If
    this height is negative, no block is final."""

    height: int
    hash: str
    base_fee: int
    final_height: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """The block height of a mined transaction. `ok` is False if the transaction was reverted."""

    block: int
    ok: bool


class ChainClient:
    """A client for one account on one chain. Raises RpcError if the node rejects a request, and
    NoResponse if the node is busy or doesn't answer."""

    def __init__(self, request: Request, account: LocalAccount) -> None:
        self._request, self._account = request, account
        self._fees: tuple[int, Fees] | None = None
        self._fees_until = 0.0
        self._identity = ""

    @property
    def address(self) -> str:
        """The account's address with a checksum."""
        return str(self._account.address)

    async def _call_node(self, method: str, *params: Any) -> Any:
        return await call_node(self._request, method, *params)

    async def identity(self) -> str:
        """Return the identity of the chain as `id:hash`, with the hash of its first block."""
        genesis = (await self._call_node("eth_getBlockByNumber", "0x0", False))["hash"]
        if not self._identity.endswith(genesis):
            self._identity = f"{int(await self._call_node('eth_chainId'), 16)}:{genesis}"
        return self._identity

    async def head(self) -> ChainHead:
        newest = await self._call_node("eth_getBlockByNumber", "latest", False)
        height = int(newest["number"], 16)
        return ChainHead(height, newest["hash"], base_fee_of(newest), await self._final_height(height))

    async def _final_height(self, height: int) -> int:
        """Return the height of the `finalized` block. If this is the newest block, as on Hardhat,
        the node has no real finality. In that case, count confirmations instead."""
        try:
            finalized = await self._call_node("eth_getBlockByNumber", "finalized", False)
        except RpcError:
            finalized = None
        if finalized is None or int(finalized["number"], 16) >= height:
            return height - FINAL_BLOCKS
        return int(finalized["number"], 16)

    async def head_hash(self) -> str:
        return str((await self._call_node("eth_getBlockByNumber", "latest", False))["hash"])

    async def has_block(self, height: int, hash: str) -> bool:
        """Return True if this block is still on the chain at this height."""
        block = await self._call_node("eth_getBlockByNumber", hex(height), False)
        return block is not None and block["hash"] == hash

    async def transaction_count(self, at: str) -> int:
        """Return how many nonces the account has used, at the block `latest` or `pending`."""
        return int(await self._call_node("eth_getTransactionCount", self.address, at), 16)

    async def simulate(self, request: TxRequest) -> int:
        """Simulate a transaction on the pending state, which includes our own pending transactions.
        Return the gas limit that it needs. Raises RpcError if the transaction would fail."""
        estimate = int(await self._call_node("eth_estimateGas", self._call(request), "pending"), 16)
        return min(estimate if estimate == TRANSFER_GAS else estimate * 5 // 4, request.gas_cap)

    async def current_fees(self, fresh: bool = False) -> tuple[int, Fees]:
        """Return the newest block's height and the fees to offer now. The result is cached for a
        second, unless `fresh` is True."""
        if fresh or self._fees is None or time.monotonic() > self._fees_until:
            quote = await fee_quote(self._request)
            self._fees, self._fees_until = (quote.height, quote.fees), time.monotonic() + FEES_SECONDS
        return self._fees

    def sign(self, request: TxRequest, gas: int, nonce: int, fees: Fees) -> Attempt:
        """Sign the request as a transaction with this gas limit, nonce and fees, and return it."""
        call = {"to": request.to, "data": request.data, "value": request.value, "gas": gas}
        return self._sign(call, request, nonce, fees, False)

    def sign_empty(self, request: TxRequest, nonce: int, fees: Fees) -> Attempt:
        """Sign an empty transfer to ourselves with this nonce. If the transfer is mined, it cancels
        the request with the same nonce, which can't be mined any more."""
        call = {"to": self.address, "data": "0x", "value": 0, "gas": TRANSFER_GAS}
        return self._sign(call, request, nonce, fees, True)

    def _sign(self, call: dict[str, Any], request: TxRequest, nonce: int, fees: Fees, cancels: bool) -> Attempt:
        chain_id = int(request.chain.partition(":")[0])
        price = {"type": 2, "maxFeePerGas": fees.max_fee, "maxPriorityFeePerGas": fees.priority_fee}
        transaction: Any = {**call, **price, "nonce": nonce, "chainId": chain_id}
        signed = self._account.sign_transaction(transaction)
        return Attempt("0x" + signed.hash.hex(), "0x" + signed.raw_transaction.hex(), nonce, fees, cancels)

    async def send(self, raw: str) -> SendResult:
        """Send signed bytes and return the node's answer. The answer includes errors, so this
        method never raises RpcError or NoResponse."""
        try:
            await self._request("eth_sendRawTransaction", (raw,))
        except RpcError as refusal:
            return SendResult(classify(refusal.message), refusal.message)
        except NoResponse as lost:
            return SendResult("busy", str(lost))
        return SendResult("sent")

    async def has_transaction(self, hash: str) -> bool:
        """Return True if the node has this transaction, either in its pool or in a block."""
        return await self._call_node("eth_getTransactionByHash", hash) is not None

    async def receipt(self, hash: str) -> Receipt | None:
        """Return the receipt of a transaction, or None if it isn't in a block."""
        found = await self._call_node("eth_getTransactionReceipt", hash)
        return Receipt(int(found["blockNumber"], 16), int(found["status"], 16) == 1) if found else None

    async def revert_reason_of(self, request: TxRequest, block: int) -> str:
        """Return the reason why a transaction failed in its block. It is found by simulating the
        transaction with `eth_call` on the states before and after this block."""
        for height in (block - 1, block):
            try:
                await self._call_node("eth_call", self._call(request), hex(height))
            except RpcError as refusal:
                return reason_of(refusal)
        return "it failed in its block, but succeeds when simulated before and after that block"

    def _call(self, request: TxRequest) -> dict[str, Any]:
        call = {"from": self.address, "to": request.to, "value": hex(request.value)}
        return call if request.data in ("", "0x") else {**call, "data": request.data}
