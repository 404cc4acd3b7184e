"""A sponsor that kills itself in the middle of its first grant.

    run(URL, FOLDER, CLOCK, ADDRESS, MOMENT)

MOMENT: counted, when the nonce is known and nothing is signed; signed, when the bytes are kept and not sent; sent, when
the node has them and nothing notes it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from indexer.node.client import Node
from tests.sponsor.stage import HERE, Stage
from tests.system.transactions.sending_program import Deadly


def run(url: str, folder: str, clock: float, address: str, moment: str) -> None:
    asyncio.run(_give(url, Path(folder), clock, address, moment))


async def _give(url: str, folder: Path, clock: float, address: str, moment: str) -> None:
    node = Node(url)
    deadly = Deadly(node, 1, "")
    stage = Stage(node, folder, deadly.request)
    stage.clock = clock
    sponsor = await stage.sponsor()
    guard = sponsor._manager._client  # its own requests alone: the sponsor counts the visitor's nonces, too
    send = guard._request

    async def request(method: str, params: object) -> object:
        deadly.moment = moment
        return await send(method, params)  # type: ignore[arg-type]

    guard._request = request  # type: ignore[assignment]
    await sponsor.give(address, HERE, "chess")
