"""A recorded chain with the contracts and some matches, so that every scenario starts quickly.

The recording contains transactions, which a new Anvil node mines again in one call. A node that
loaded a saved state would lose the contracts' code in a reorg that goes back beyond this state.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

from filelock import FileLock

from chainboard.chain.deployment import deploy_contracts
from chainboard.chain.signer_keys import DEVELOPMENT_BALANCE
from chainboard.data_folder import write_json
from chainboard.settings import Settings
from chaos.chain.anvil_chain import AnvilChain
from chaos.chain.contract import contracts_in
from chaos.chain.workload import Workload
from chaos.game import Play
from indexer.model import Json

BLOCKS = 66
"""The number of recorded blocks. It is larger than the deepest reorg, so no reorg removes the
contracts."""
ACCOUNTS = 6
MAX_MOVES = 3


class RecordedChain:
    """A recording of a chain, stored in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "base.json"

    async def record(self, plays: Sequence[Play]) -> None:
        """Record the chain, unless another process of this test session has already recorded it."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with FileLock(self._folder / "lock"):
            if not self._file.exists():
                await self._record(plays)

    async def _record(self, plays: Sequence[Play]) -> None:
        chain = AnvilChain(self._folder)
        await chain.start()
        try:
            manifest = await self._play(chain, plays)
            blocks = await chain.blocks(1, await chain.height())
            deployer = (await chain.request("eth_getTransactionByHash", blocks[0]["transactions"][0]))["from"]
            written = {"manifest": manifest, "blocks": await _raw(chain, blocks), "deployer": deployer}
            write_json(self._file, written)
        finally:
            await chain.stop()

    async def _play(self, chain: AnvilChain, plays: Sequence[Play]) -> Json:
        settings = Settings(self._folder / "data", rpc=(chain.url,), dev=True)
        await deploy_contracts(settings, chain.node)
        workload = Workload(chain, plays, (await chain.request("eth_accounts"))[:ACCOUNTS])
        _genesis, workload.contracts = contracts_in(settings.manifest)
        random = Random(0)
        for _ in range(BLOCKS):
            await workload.mine_moves(random, random.randint(0, MAX_MOVES))
        manifest: Json = json.loads(settings.manifest.read_text("utf-8"))
        return manifest

    async def replay(self, chain: AnvilChain, data: Path) -> None:
        """Mine the recorded transactions on a new chain, and write the chain's deployment manifest.
        The new chain's state is as recorded, except for the results of random draws.

        The height of each block is one more than in the recording."""
        recorded = json.loads(self._file.read_text("utf-8"))
        blocks: list[list[str]] = recorded["blocks"]
        await chain.request("anvil_setBalance", recorded["deployer"], hex(DEVELOPMENT_BALANCE))
        await chain.mine(len(blocks) + 1)
        transactions = [[raw, position] for position, raws in enumerate(blocks) for raw in raws]
        await chain.request("anvil_reorg", len(blocks), transactions)
        heights = await chain.blocks(0, len(blocks) + 1)
        manifest = recorded["manifest"]
        for deployment in (manifest["sessions"], *manifest["libraries"], *manifest["games"]):
            deployment["height"] += 1
            deployment["block_hash"] = heights[deployment["height"]]["hash"]
        write_json(data / "deployment.json", {**manifest, "genesis": heights[0]["hash"]})


async def _raw(chain: AnvilChain, blocks: Sequence[Json]) -> list[list[str]]:
    """For each block, return a list of its signed transactions in 0x hex."""
    calls = [("eth_getRawTransactionByHash", (hash,)) for block in blocks for hash in block["transactions"]]
    raws = iter(await chain.node.requests(calls))
    return [[next(raws) for _hash in block["transactions"]] for block in blocks]
