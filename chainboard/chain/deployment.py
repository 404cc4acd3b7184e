"""Which contracts are on the chain: the manifest in the data folder, brought up to date."""

from __future__ import annotations

import asyncio
from typing import Any

from chainboard.chain.retry import TRIES, patiently
from chainboard.chain.signer_keys import account
from chainboard.data_folder import read_json, write_json
from chainboard.errors import Trouble
from chainboard.settings import Settings
from contracts import compile
from contracts.deploy import Deployer, DeployError, Wanted
from indexer.games import GAMES
from indexer.model import Deployment
from indexer.node.client import Node, NodeError, NodeLost

FIELDS = Deployment.__dataclass_fields__


def compiled() -> list[str]:
    """Compiles the contracts that changed; returns their names. Raises Trouble."""
    try:
        return compile.build()
    except compile.CompileError as error:
        raise Trouble(str(error)) from error


async def deployed(settings: Settings, node: Node) -> list[Deployment]:
    """Compiles and deploys what is missing or has changed, writes the manifest, returns all. Raises Trouble."""
    await asyncio.to_thread(compiled)
    before = _manifest(settings)
    wanted = [Wanted(game.slug, game.contract, game.opening) for game in GAMES.values()]
    deployer = Deployer(node.request, lambda: account("DEPLOYER", node, settings))
    # On a real chain a transaction that was taken, and not answered, would be paid for twice.
    tries = TRIES if settings.development else 1
    try:
        manifest = await patiently(lambda: deployer.deploy(wanted, before), tries)
    except DeployError as error:
        raise Trouble(str(error)) from error
    except (NodeLost, NodeError, TimeoutError) as error:
        raise Trouble(f"the contracts could not be put on the chain: {error or 'a receipt did not come'}") from error
    if manifest != before:
        write_json(settings.manifest, manifest)
    return _deployments(manifest)


def known(settings: Settings) -> list[Deployment]:
    """What the manifest says is there. Raises Trouble when there is none."""
    manifest = _manifest(settings)
    if manifest is None:
        raise Trouble(f"nothing is deployed yet ({settings.manifest} is not there): run `chainboard deploy` first")
    return _deployments(manifest)


def shared_contracts(settings: Settings) -> list[str]:
    """Addresses of the contracts that all games share; none where there is no manifest."""
    manifest = _manifest(settings)
    return [manifest["sessions"]["address"]] if manifest else []


def _manifest(settings: Settings) -> dict[str, Any] | None:
    """The manifest, if there is one. Raises Trouble for one that can't be read, or lacks something."""
    found = read_json(settings.manifest)
    try:
        if found is not None and (found["chainId"], found["genesis"], found["sessions"]["address"]):
            _deployments(found)
    except (KeyError, TypeError) as error:
        raise Trouble(
            f"the manifest {settings.manifest} lacks {error}: `chainboard reset` puts the folder's data aside"
        ) from error
    return found


def _deployments(manifest: dict[str, Any]) -> list[Deployment]:
    return [Deployment(**{name: one[name] for name in FIELDS}) for one in manifest["games"]]
