"""`chainboard adopt`: uses contracts that someone else has deployed."""

from __future__ import annotations

from chainboard.chain.adopt import AdoptedDeployment
from chainboard.chain.connect import chain_of, open_chain
from chainboard.console import console
from chainboard.data_folder import folder_lock, write_json
from chainboard.errors import UserError
from chainboard.foreign_manifest import foreign_manifest
from chainboard.settings import Settings
from indexer.node.client import NodeError, NodeUnavailable


async def adopt(settings: Settings, source: str) -> None:
    """Compare another operator's deployment manifest with the chain. If they agree, write the
    manifest to the data folder."""
    with folder_lock(settings):
        if settings.manifest.exists():
            raise UserError(f"{settings.manifest} already exists: choose a different folder with --data")
        async with open_chain(settings) as (node, _anvil):
            adopted = AdoptedDeployment(node.request, await chain_of(node))
            try:
                manifest = await adopted.checked(await foreign_manifest(source))
            except (NodeUnavailable, NodeError) as error:
                raise UserError(f"can't compare the deployment with the chain: {error}") from error
            write_json(settings.manifest, manifest)
            for one in manifest["games"]:
                where = f"{one['contract']} at {one['address']}, since block {one['height']}"
                console.print(f"{one['game']}: {where}", soft_wrap=True)
            for sentence in adopted.excluded:
                console.print(sentence, soft_wrap=True)
