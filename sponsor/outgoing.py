"""The last check before the sponsor sends a transaction. Whichever code has signed the transaction,
it is sent only if a grant or the day's budget pays for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from eth_account.typed_transactions.typed_transaction import TypedTransaction
from hexbytes import HexBytes

from contracts.abi import checksum
from contracts.rpc_errors import Request, RpcError
from sponsor.budgets import BudgetSpent
from sponsor.ledger import Ledger
from transactions.chain_client import TRANSFER_GAS

REJECTED = -32000


class OutgoingGuard:
    """Forwards requests to a node, but rejects transactions unless an open grant matches their
    value, recipient and chain. Also rejects fees that are higher than the reserved amount. Empty
    transfers from the account to itself are allowed, because they fill nonce gaps. The day's budget
    pays for them."""

    def __init__(self, request: Request, ledger: Ledger, sender: str, now: Callable[[], float]) -> None:
        self._request, self._ledger, self._sender, self._now = request, ledger, sender, now
        self._charged: set[str] = set()

    async def request(self, method: str, params: Sequence[Any]) -> Any:
        """Forward a request to the node. Raises RpcError if the request contains a transaction that
        must not be sent."""
        if method == "eth_sendRawTransaction":
            why = await asyncio.to_thread(self._rejection_reason, str(params[0]))
            if why:
                raise RpcError(REJECTED, f"the sponsor does not send this transaction: {why}")
        return await self._request(method, params)

    def _rejection_reason(self, raw: str) -> str | None:
        fields: dict[str, Any] = TypedTransaction.from_bytes(HexBytes(raw)).as_dict()
        to, value = checksum("0x" + bytes(fields["to"]).hex()), int(fields["value"])
        cost = int(fields["gas"]) * int(fields["maxFeePerGas"])
        if int(fields["chainId"]) != int(self._ledger.chain.partition(":")[0]):
            return f"it is for a different chain (chain ID {fields['chainId']})"
        if to == self._sender and not value and int(fields["gas"]) <= TRANSFER_GAS:
            return self._charge(raw, cost)
        grants = [one for one in self._ledger.open_grants(self._sender) if (one.address, one.value) == (to, value)]
        if not grants:
            return "no open grant matches it"
        if all(value + cost > one.reserved for one in grants):
            return "its fees exceed the reserved amount"
        return None

    def _charge(self, raw: str, cost: int) -> str | None:
        """Count the fee against the day's budget, but only once for the same signed bytes. If too
        little is left of the budget, return the reason for rejecting the transaction."""
        if raw not in self._charged:
            try:
                self._ledger.charge(self._now(), self._sender, cost)
            except BudgetSpent:
                return "its fee exceeds the rest of the day's budget"
            self._charged.add(raw)
        return None
