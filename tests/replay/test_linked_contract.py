"""Tests that a contract that links libraries counts as this version's contract only if the
libraries are this version's, too."""

from __future__ import annotations

import json
from pathlib import Path

from chainboard.settings import Settings
from indexer.games import GAMES
from replay.verify.named_contract import find_contract
from tests.support.chain import deployed_chain


async def test_a_contract_with_other_libraries_is_another_one(tmp_path: Path) -> None:
    async with deployed_chain(tmp_path) as it:
        placed = next(one for one in it.deployments if one.game == "conquest")
        where = {"block": placed.height, "blockHash": placed.block_hash}
        claimed = {**where, "address": placed.address, "codeHash": placed.code_hash}
        found = await find_contract(it.node, GAMES["conquest"], claimed)
        assert found.is_ours
        assert (found.deployment.address, found.deployment.code_hash) == (placed.address, placed.code_hash)
        library = json.loads(Settings(tmp_path).manifest.read_text())["libraries"][0]["address"]
        await it.node.request("anvil_setCode", (library, "0x00"))
        assert not (await find_contract(it.node, GAMES["conquest"], claimed)).is_ours
