"""Fifty matches at the pace of people, until it is ended: against the opponents of a server, whose keys are in a data
folder, or between people alone: `python -m bench.load.against_opponents URL NODE [DATA]`."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path

from bots.service.gateway import Gateway
from indexer.node.client import Node
from tests.bots.service.visitor import Visitor, house_account

MATCHES = 50
THINK_SECONDS, PATIENCE = 20.0, 600.0
"""At most, ten in the mean; and how long the other one may think."""
OPPONENTS = (("battleship", "reckoner"), ("battleship", "hunter"), ("tic-tac-toe", "perfect"))
ETHER = 10**18


async def visitor(number: int, url: str, node: Node, folder: Path) -> Visitor:
    found = Visitor(Gateway(url), node, folder, number)
    await node.request("anvil_setBalance", (found.address, hex(ETHER)))
    await found.prepare(faucet=False)
    return found


async def play(number: int, url: str, node: Node, data: Path | None, folder: Path) -> None:
    """One match after the other. The other player answers at once, as opponents do."""
    game, name = OPPONENTS[number % len(OPPONENTS)]
    guest = await visitor(number, url, node, folder)
    other = None if data else await visitor(number + MATCHES, url, node, folder / "other")
    while True:
        account = other.address if other else house_account(data or Path(), game, name)
        match = await guest.invite(game, account)
        answering = asyncio.create_task(other.play(match, patience=PATIENCE, pause=1.0)) if other else None
        await guest.play(match, thinks=THINK_SECONDS, patience=PATIENCE, pause=1.0)
        if answering:
            await answering


async def main(url: str, node_url: str, data: Path | None) -> None:
    node = Node(node_url)
    with tempfile.TemporaryDirectory() as folder:
        async with asyncio.TaskGroup() as group:
            for number in range(MATCHES):
                group.create_task(play(number, url, node, data, Path(folder) / str(number)))


if __name__ == "__main__":
    os.nice(19)  # people play on machines of their own
    asyncio.run(main(sys.argv[1], sys.argv[2], Path(sys.argv[3]) if len(sys.argv) > 3 else None))
