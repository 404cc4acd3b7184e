"""The deployment manifest: which contracts are on the chain, brought up to date."""

from __future__ import annotations

import asyncio
from typing import Any

from chainboard.chain.signer_keys import signer
from chainboard.console import console
from chainboard.data_folder import keep_copy, read_json, write_json
from chainboard.errors import UserError
from chainboard.settings import Settings
from contracts import artifacts, compile
from contracts.deploy import ContractSpec, Deployer, DeployError
from indexer.gamekit.game import Game
from indexer.gamekit.signatures import UnknownAction, with_signatures
from indexer.games import GAMES
from indexer.model import Deployment
from indexer.node.client import Node, NodeError, NodeUnavailable
from transactions.retry import TRIES, with_retries

FIELDS = Deployment.__dataclass_fields__


def compile_contracts() -> list[str]:
    """Compiles the contracts that changed; returns their names. Raises UserError."""
    try:
        return compile.build()
    except compile.CompileError as error:
        raise UserError(str(error)) from error


def playable_games() -> dict[str, Game]:
    """The games, their actions with the signatures that their contracts have. Raises UserError for an action that its
    contract has not."""
    try:
        return {slug: with_signatures(game, artifacts.load(game.contract).abi) for slug, game in GAMES.items()}
    except (UnknownAction, artifacts.NoArtifact) as error:
        raise UserError(str(error)) from error


async def deploy_contracts(settings: Settings, node: Node) -> list[Deployment]:
    """Compiles and deploys what is missing or has changed, writes the manifest, returns all. Raises UserError."""
    await asyncio.to_thread(compile_contracts)
    games = playable_games()
    before = read_manifest(settings)
    specs = [ContractSpec(one.slug, one.contract, one.first_match_call, one.companions) for one in games.values()]
    deployer = Deployer(node.request, lambda: signer("DEPLOYER", node, settings))
    # On a real chain a transaction that was taken, and not answered, would be paid for twice.
    tries = TRIES if settings.development else 1
    try:
        manifest = await with_retries(lambda: deployer.deploy(specs, before), tries)
    except DeployError as error:
        raise UserError(str(error)) from error
    except (NodeUnavailable, NodeError, TimeoutError) as error:
        raise UserError(f"the contracts could not be put on the chain: {error or 'a receipt did not come'}") from error
    if manifest != before:
        if before is not None and _chain_id_and_genesis(before) != _chain_id_and_genesis(manifest):
            kept = keep_copy(settings, settings.manifest)
            console.print(f"The deployment manifest was of another chain. It is kept in {kept}")
        write_json(settings.manifest, manifest)
    return _deployments(manifest)


def known_deployments(settings: Settings) -> list[Deployment]:
    """The deployments in the manifest. Raises UserError when there is none."""
    manifest = read_manifest(settings)
    if manifest is None:
        raise UserError(f"nothing is deployed yet ({settings.manifest} is not there): run `chainboard deploy` first")
    return _deployments(manifest)


def shared_of(manifest: dict[str, Any] | None) -> list[str]:
    """Addresses of the contracts that all games share; none where there is no manifest."""
    return [manifest["sessions"]["address"]] if manifest else []


def libraries_of(manifest: dict[str, Any] | None) -> dict[str, dict[str, Any]]:
    """The newest contract of each name that others link or call; none where there is no manifest."""
    return {one["contract"]: one for one in (manifest or {}).get("libraries", ())}


def read_manifest(settings: Settings) -> dict[str, Any] | None:
    """The manifest, if there is one. Raises UserError for one that can't be read, or lacks something."""
    found = read_json(settings.manifest)
    try:
        if found is not None and (found["chainId"], found["genesis"], found["sessions"]["address"]):
            _deployments(found)
    except (KeyError, TypeError) as error:
        raise UserError(
            f"the manifest {settings.manifest} lacks {error}: `chainboard reset` puts the folder's data aside"
        ) from error
    return found


def _chain_id_and_genesis(manifest: dict[str, Any]) -> tuple[int, str]:
    return manifest["chainId"], manifest["genesis"]


def _deployments(manifest: dict[str, Any]) -> list[Deployment]:
    return [Deployment(**{name: one[name] for name in FIELDS}) for one in manifest["games"]]
