"""A program in which a sponsor kills itself during its first payment.

    run(URL, FOLDER, CLOCK, ADDRESS, MOMENT)

MOMENT says when this happens:

- counted: the sponsor has chosen the nonce and signed nothing.
- signed: the sponsor has stored the signed bytes and not sent them.
- sent: the node has the bytes, and the sponsor hasn't recorded this."""

from __future__ import annotations

import asyncio
from pathlib import Path

from indexer.node.client import Node
from tests.sponsor.environment import HERE, SponsorEnv
from tests.system.transactions.sending_program import KillingNode


def run(url: str, folder: str, clock: float, address: str, moment: str) -> None:
    asyncio.run(_pay(url, Path(folder), clock, address, moment))


async def _pay(url: str, folder: Path, clock: float, address: str, moment: str) -> None:
    node = Node(url)
    killing_node = KillingNode(node, 1, "")
    env = SponsorEnv(node, folder, killing_node.request)
    env.clock = clock
    sponsor = await env.sponsor()
    # The node's client also sends other requests, so set the moment only for the sponsor's own
    # requests.
    guard = sponsor._manager._client
    send = guard._request

    async def request(method: str, params: object) -> object:
        killing_node.moment = moment
        return await send(method, params)  # type: ignore[arg-type]

    guard._request = request  # type: ignore[assignment]
    await sponsor.grant(address, HERE, "chess")
