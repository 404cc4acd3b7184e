"""Matches against the opponents of a server, at the pace of people, until it is ended:
`python -m bench.load.against_opponents URL NODE KEYS`."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from bots.service.gateway import Gateway
from indexer.node.client import Node
from tests.bots.service.visitor import Visitor, house_account

MATCHES = 50
THINK_SECONDS = 20.0
"""At most; ten in the mean."""
OPPONENTS = (("battleship", "reckoner"), ("battleship", "hunter"), ("tic-tac-toe", "perfect"))
ETHER = 10**18


async def play(number: int, url: str, node: Node, data: Path, folder: Path) -> None:
    gateway, (game, name) = Gateway(url), OPPONENTS[number % len(OPPONENTS)]
    guest = Visitor(gateway, node, folder, number)
    await node.request("anvil_setBalance", (guest.address, hex(ETHER)))
    await guest.prepare(faucet=False)
    while True:
        match = await guest.invite(game, house_account(data, game, name))
        await guest.play(match, thinks=THINK_SECONDS, patience=600)


async def main(url: str, node_url: str, data: Path) -> None:
    node = Node(node_url)
    with tempfile.TemporaryDirectory() as folder:
        folders = [Path(folder) / str(number) for number in range(MATCHES)]
        async with asyncio.TaskGroup() as group:
            for number, one in enumerate(folders):
                group.create_task(play(number, url, node, data, one))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], Path(sys.argv[3])))
