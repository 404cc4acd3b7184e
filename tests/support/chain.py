"""A real chain with deployed contracts, and helpers that call these contracts."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

from web3 import Web3

from chainboard.chain.anvil import Anvil, command
from chainboard.chain.deployment import deploy_contracts
from chainboard.indexing.database import catch_up
from chainboard.settings import Settings
from chaos.oracle import select_all
from contracts.abi import encode_call
from indexer.follow.follower import Follower
from indexer.games import GAMES
from indexer.model import Deployment, Json
from indexer.node.client import Node
from indexer.store.store import Store
from tests.support.contract_views import chain_view
from tests.support.waiting import wait_for_async

GAS = hex(2**24)
TABLES = ("chain", "deployment", "block", "event", "mention", '"match"', "seat", "checkpoint", "result")


class DeployedChain:
    """An Anvil node with deployed contracts. Calls go to the contract `game`, which is Touché Coulé
    unless a test changes it. A player is the index of one of the node's unlocked accounts."""

    def __init__(self, node: Node, deployments: list[Deployment], accounts: list[str], folder: Path) -> None:
        self.node, self.deployments, self.accounts, self.folder = node, deployments, accounts, folder
        self.game = next(one for one in deployments if one.game == "touche-coule")

    async def send(self, player: int, name: str, *arguments: Any) -> Json:
        """Send a transaction, which may succeed or fail. Return its receipt."""
        call = self.call(player, name, *arguments)
        hash = await self.node.request("eth_sendTransaction", ({**call, "gas": GAS},))
        return await mined_receipt(self.node, hash)

    async def play(self, player: int, name: str, *arguments: Any) -> Json:
        """Send a transaction, which must succeed. Return its receipt."""
        receipt = await self.send(player, name, *arguments)
        assert receipt["status"] == "0x1", (name, arguments)
        return receipt

    def call(self, player: int, name: str, *arguments: Any) -> Json:
        return {
            "from": self.accounts[player],
            "to": self.game.address,
            "data": encode_call(self.game.abi, name, arguments),
        }

    async def mine(self, blocks: int = 1) -> None:
        await self.node.request("anvil_mine", (hex(blocks),))

    async def genesis_time(self) -> int:
        return int((await self.node.request("eth_getBlockByNumber", ("0x0", False)))["timestamp"], 16)

    async def turn(self, player: int, match: int, number: int) -> Json:
        """Mine the block that decides the player's turn. Then send the turn, and return its
        receipt."""
        await self.mine()
        return await self.play(player, "turn", match, number)

    async def begin(self, match: int, ships: int = 2) -> None:
        """Register the ships of players 1 and 2, and send the opening turn."""
        for _ in range(ships):
            await self.play(1, "register", match)
            await self.play(2, "register", match)
        await self.play(1, "turn", match, 0)

    async def fresh_rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """Index this chain again from its beginning, and return the rows."""
        file = self.folder / "fresh.db"
        for old in self.folder.glob("fresh.db*"):
            old.unlink()
        with closing(await fresh_store(file, self.node, self.deployments)) as store:
            return rows(store)

    def chain_board(self, match: int, block: int | str = "latest") -> Json:
        """Return the board after a block, as the contract shows it. This method blocks, so call it
        in a thread if other tasks are running."""
        web3 = Web3(Web3.HTTPProvider(self.node.url))
        contract = web3.eth.contract(address=self.game.address, abi=self.game.abi, decode_tuples=True)
        return chain_view(self.game.game, contract.functions.board(match).call(block_identifier=block))


async def mined_receipt(node: Node, hash: str) -> Json:
    """Wait until a block contains the transaction, because Anvil answers before it mines. Return
    the receipt."""
    return dict(
        await wait_for_async(lambda: node.request("eth_getTransactionReceipt", (hash,)), bool, f"the block of {hash}")
    )


async def wait_for_next_second(node: Node) -> None:
    """Wait until a new Anvil node would get a genesis block that differs from this node's. Genesis
    blocks differ only in their timestamps, which are in whole seconds."""
    genesis = await node.block(0)
    assert genesis is not None
    await wait_for_async(time.time, lambda now: now >= genesis.time + 1, "the second after the genesis")


async def reset_chain(node: Node) -> None:
    """Replace an Anvil node's chain by a new chain with a different genesis block."""
    await wait_for_next_second(node)
    await node.request("anvil_reset")


async def fresh_store(file: Path, node: Node, deployments: list[Deployment]) -> Store:
    """Index the chain from its beginning in this file, which must not exist yet. Return the new
    index."""
    store = Store(f"sqlite:///{file}", GAMES)
    store.set_chain(await node.chain(), deployments)
    await catch_up(Follower(node, store, deployments))
    return store


@asynccontextmanager
async def deployed_chain(folder: Path, beside: DeployedChain | None = None) -> AsyncIterator[DeployedChain]:
    """Yield a new chain with the contracts and an open match on a board of 12 x 12.

    If `beside` is given, the new chain gets a later genesis time than that chain. Two chains that
    start in the same second would have the same genesis block."""
    later = ["--timestamp", str(await beside.genesis_time() + 1)] if beside else []
    with patch("chainboard.chain.anvil.command", lambda address: [*command(address), *later]):
        anvil = await Anvil.start(folder / "chain")
    try:
        deployments = await deploy_contracts(Settings(folder), anvil.node)
        accounts = await anvil.node.request("eth_accounts")
        it = DeployedChain(anvil.node, deployments, accounts, folder)
        await it.play(0, "create", 12, 12, False)
        yield it
    finally:
        await anvil.stop()


def rows(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Return the sorted rows of each table in a store's database."""
    with store.read() as snapshot:
        connection = snapshot._connection
        return {
            table: sorted(tuple(row) for row in connection.execute(select_all(table.strip('"')))) for table in TABLES
        }
