"""The fee for a transaction's data on an OP-stack chain, which its oracle tells; other chains have none
(https://docs.optimism.io/stack/transactions/fees)."""

from __future__ import annotations

import asyncio
from functools import lru_cache

from eth_abi.abi import encode
from eth_utils.crypto import keccak

from contracts.rpc_errors import Request, RpcError
from transactions.fees import ask

GAS_PRICE_ORACLE = "0x420000000000000000000000000000000000000F"
"""Where each OP-stack chain has its oracle."""
GET_L1_FEE = keccak(text="getL1Fee(bytes)")[:4]
LARGE = 2**40
"""Stands in for fees and a gas limit that are not known yet: five bytes, none of them left out."""
SENDER = "0x" + "11" * 32
"""Signs samples; nothing that it signs is sent."""


class L1FeeOracle:
    """Wei for the data of transactions on one chain. It is not tried again where no oracle has answered."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._is_missing = False

    async def fee(self, raw: bytes) -> int:
        """Wei that a signed transaction pays for its bytes, beside its gas; 0 where the chain has no such fee. Raises
        NoResponse."""
        if self._is_missing:
            return 0
        call = {"to": GAS_PRICE_ORACLE, "data": "0x" + (GET_L1_FEE + encode(["bytes"], [raw])).hex()}
        try:
            answer = str(await ask(self._request, "eth_call", call, "latest"))
        except RpcError:
            answer = "0x"
        if len(answer) != len("0x") + 64:
            self._is_missing = True
            return 0
        return int(answer, 16)

    async def estimate(self, to: str, data: str = "0x", value: int = 0) -> int:
        """Wei for a call (0x hex) that is not signed yet; a little above what it will be. Raises NoResponse."""
        return 0 if self._is_missing else await self.fee(await asyncio.to_thread(sample, to, data, value))


@lru_cache(maxsize=256)
def sample(to: str, data: str, value: int) -> bytes:
    """A call as a signed transaction's bytes, as long as the call's own will be at most."""
    from eth_account import Account

    fees = {"maxFeePerGas": LARGE, "maxPriorityFeePerGas": LARGE, "gas": 2**24 - 1, "nonce": 2**24 - 1}
    fields = {**fees, "type": 2, "chainId": 2**32 - 1, "to": to, "data": data, "value": value}
    return bytes(Account.sign_transaction(fields, SENDER).raw_transaction)
