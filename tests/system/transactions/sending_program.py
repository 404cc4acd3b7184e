"""A program that sends one transaction for each key of a range, in order.

It may kill itself while it sends one of them.

    run(URL, JOURNAL, PRIVATE-KEY, FIRST, LAST[, SENDING, MOMENT])

MOMENT:
- counted: the nonce is known and nothing is signed
- signed: the bytes are stored and not sent
- sent: the node has the bytes and nothing records it"""

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

TO = "0x" + "44" * 20
MOMENTS = ("counted", "signed", "sent")


def data_of(key: int) -> str:
    return f"0x{key:08x}"


class Deadly:
    """Forwards a node's requests, until the moment has come."""

    def __init__(self, node: Node, sending: int, moment: str) -> None:
        self.node, self.left, self.moment = node, sending, moment

    async def request(self, method: str, params: Sequence[Any]) -> Any:
        if method == "eth_sendRawTransaction":
            return await self._send(params)
        result = await self.node.request(method, params)
        if method == "eth_getTransactionCount" and self.left == 1 and self.moment == "counted":
            die()
        return result

    async def _send(self, params: Sequence[Any]) -> Any:
        self.left -= 1
        if self.left == 0 and self.moment == "signed":
            die()
        result = await self.node.request("eth_sendRawTransaction", params)
        if self.left == 0:
            die()
        return result


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def main(url: str, journal: str, key: str, first: str, last: str, sending: str = "0", moment: str = "") -> None:
    node = Node(url)
    deadly = Deadly(node, int(sending), moment)
    sender = TransactionManager(deadly.request, Account.from_key(key), Journal(Path(journal)))
    for number in range(int(first), int(last) + 1):
        tx = await sender.submit(TO, data_of(number), key=f"key {number}")
        assert tx.state in ("sent", "mined", "final"), tx
    await sender.settled(tx)
    await node.aclose()


def run(*arguments: str) -> None:
    asyncio.run(main(*arguments))
