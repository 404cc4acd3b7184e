"""A program that sends one transaction for each key in a range, in order. The program can kill
itself while it sends one of them.

    run(URL, JOURNAL, PRIVATE-KEY, FIRST, LAST[, KILL_AT, MOMENT])

MOMENT says when this happens:

- counted: the program has chosen the nonce and signed nothing.
- signed: the program has stored the signed bytes and not sent them.
- sent: the node has the bytes, and the program hasn't recorded this."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eth_account import Account

from indexer.node.client import Node
from transactions.journal import Journal
from transactions.manager import TransactionManager

RECIPIENT = "0x" + "44" * 20
KILL_MOMENTS = ("counted", "signed", "sent")


def call_data(key: int) -> str:
    return f"0x{key:08x}"


class KillingNode:
    """A node client that kills this process while it sends transaction number `kill_at`. `moment`
    is one of the moments in the module's docstring."""

    def __init__(self, node: Node, kill_at: int, moment: str) -> None:
        self.node, self.remaining, self.moment = node, kill_at, moment

    async def request(self, method: str, params: Sequence[Any]) -> Any:
        if method == "eth_sendRawTransaction":
            return await self._send(params)
        result = await self.node.request(method, params)
        if method == "eth_getTransactionCount" and self.remaining == 1 and self.moment == "counted":
            kill_process()
        return result

    async def _send(self, params: Sequence[Any]) -> Any:
        self.remaining -= 1
        if self.remaining == 0 and self.moment == "signed":
            kill_process()
        result = await self.node.request("eth_sendRawTransaction", params)
        if self.remaining == 0:
            kill_process()
        return result


def kill_process() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def main(url: str, journal: str, key: str, first: str, last: str, kill_at: str = "0", moment: str = "") -> None:
    node = Node(url)
    killing_node = KillingNode(node, int(kill_at), moment)
    sender = TransactionManager(killing_node.request, Account.from_key(key), Journal(Path(journal)))
    for number in range(int(first), int(last) + 1):
        tx = await sender.submit(RECIPIENT, call_data(number), key=f"key {number}")
        assert tx.state in ("sent", "mined", "final"), tx
    await sender.settled(tx)
    await node.aclose()


def run(*arguments: str) -> None:
    asyncio.run(main(*arguments))
