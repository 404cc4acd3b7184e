"""The L1 fee that an OP-stack chain charges for a transaction's data. The chain's oracle returns
it. Other chains charge no L1 fee (https://docs.optimism.io/stack/transactions/fees)."""

from __future__ import annotations

import asyncio
from functools import lru_cache

from eth_abi.abi import encode
from eth_utils.crypto import keccak

from contracts.rpc_errors import Request, RpcError
from transactions.fees import call_node

GAS_PRICE_ORACLE = "0x420000000000000000000000000000000000000F"
"""The address of the L1 fee oracle, which is the same on every OP-stack chain."""
GET_L1_FEE = keccak(text="getL1Fee(bytes)")[:4]
LARGE = 2**40
"""A placeholder, in wei, for fees that aren't known yet. Encoded, it takes at least as many bytes
as a real fee."""
SENDER = "0x" + "11" * 32
"""The private key that signs sample transactions. No transaction that it signs is ever sent."""


class L1FeeOracle:
    """Reads the L1 fees of one chain, in wei. Once it has found that the chain has no oracle, it
    returns 0 without sending a request."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._is_missing = False

    async def fee(self, raw: bytes) -> int:
        """Return the L1 fee of a signed transaction, in wei. The sender pays it in addition to the
        gas. Return 0 if the chain has no L1 fee. Raises NoResponse."""
        if self._is_missing:
            return 0
        call = {"to": GAS_PRICE_ORACLE, "data": "0x" + (GET_L1_FEE + encode(["bytes"], [raw])).hex()}
        try:
            answer = str(await call_node(self._request, "eth_call", call, "latest"))
        except RpcError:
            answer = "0x"
        if len(answer) != len("0x") + 64:
            self._is_missing = True
            return 0
        return int(answer, 16)

    async def estimate(self, to: str, data: str = "0x", value: int = 0) -> int:
        """Return an estimate of the L1 fee for a call that isn't signed yet, in wei. It is slightly
        above the real fee. `data` is 0x hex. Raises NoResponse."""
        return 0 if self._is_missing else await self.fee(await asyncio.to_thread(sample, to, data, value))


@lru_cache(maxsize=256)
def sample(to: str, data: str, value: int) -> bytes:
    """Return a signed sample transaction that makes this call. It is at least as long as the real
    transaction will be."""
    from eth_account import Account

    fees = {"maxFeePerGas": LARGE, "maxPriorityFeePerGas": LARGE, "gas": 2**24 - 1, "nonce": 2**24 - 1}
    fields = {**fees, "type": 2, "chainId": 2**32 - 1, "to": to, "data": data, "value": value}
    return bytes(Account.sign_transaction(fields, SENDER).raw_transaction)
