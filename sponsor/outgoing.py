"""The last look at what leaves: signed bytes that no grant pays for are not sent, whatever signed them."""

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

REFUSED = -32000


class OutgoingGuard:
    """A node's requests, without those that would send what is not in the ledger: another value, another recipient,
    another chain, or fees above what is reserved for them. An account's empty transfer to itself, which fills a gap of
    nonces, is charged to the day."""

    def __init__(self, request: Request, ledger: Ledger, sender: str, now: Callable[[], float]) -> None:
        self._request, self._ledger, self._sender, self._now = request, ledger, sender, now
        self._charged: set[str] = set()

    async def request(self, method: str, params: Sequence[Any]) -> Any:
        """As the node's. Raises RpcError for what is not sent."""
        if method == "eth_sendRawTransaction":
            why = await asyncio.to_thread(self._why_not, str(params[0]))
            if why:
                raise RpcError(REFUSED, f"the sponsor does not send this: {why}")
        return await self._request(method, params)

    def _why_not(self, raw: str) -> str | None:
        fields: dict[str, Any] = TypedTransaction.from_bytes(HexBytes(raw)).as_dict()
        to, value = checksum("0x" + bytes(fields["to"]).hex()), int(fields["value"])
        cost = int(fields["gas"]) * int(fields["maxFeePerGas"])
        if int(fields["chainId"]) != int(self._ledger.chain.partition(":")[0]):
            return f"it is for chain {fields['chainId']}"
        if to == self._sender and not value and int(fields["gas"]) <= TRANSFER_GAS:
            return self._charge(raw, cost)
        grants = [one for one in self._ledger.open_grants(self._sender) if (one.address, one.value) == (to, value)]
        if not grants:
            return "no grant is open for it"
        if all(value + cost > one.reserved for one in grants):
            return "fees have risen above what is reserved for it"
        return None

    def _charge(self, raw: str, cost: int) -> str | None:
        """Sent again, the same bytes cost nothing more."""
        if raw not in self._charged:
            try:
                self._ledger.charge(self._now(), self._sender, cost)
            except BudgetSpent:
                return "nothing is left of the day's budget for its fee"
            self._charged.add(raw)
        return None
