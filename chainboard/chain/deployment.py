"""Deploys contracts that are missing or have changed. Also reads the deployment manifest, which
lists the contracts on the chain."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import typer

from chainboard.chain.cost import cost_of, ether
from chainboard.chain.deploying import DeploymentSender, first_block, has_own_block_numbers, require_deployer
from chainboard.chain.signer_keys import signer
from chainboard.console import console
from chainboard.data_folder import START_OVER, back_up, read_json, write_json
from chainboard.errors import UserError
from chainboard.settings import Settings
from contracts import artifacts, compile
from contracts.deploy import ContractSpec, DeployError, DeploymentPlan, DeploymentPlanner
from indexer.gamekit.game import Game
from indexer.gamekit.signatures import UnknownAction, with_signatures
from indexer.games import GAMES
from indexer.model import Deployment, Json
from indexer.node.client import Node, NodeError, NodeUnavailable
from transactions.journal import Journal, JournalError
from transactions.retry import TRIES, with_retries
from transactions.states import UNSETTLED

FIELDS = Deployment.__dataclass_fields__


def compile_contracts() -> list[str]:
    """Compile the contracts that have changed, and return their names. Raises UserError if a
    contract can't be compiled."""
    try:
        return compile.build()
    except compile.CompileError as error:
        raise UserError(str(error)) from error


def playable_games() -> dict[str, Game]:
    """Return a map from slugs to games. The games' actions have the signatures of the contracts'
    functions. Raises UserError if a contract lacks the function for an action."""
    try:
        return {slug: with_signatures(game, artifacts.load(game.contract).abi) for slug, game in GAMES.items()}
    except (UnknownAction, artifacts.NoArtifact) as error:
        raise UserError(str(error)) from error


async def deploy_contracts(settings: Settings, node: Node, yes: bool = False) -> list[Deployment]:
    """Compile the contracts, and deploy those that are missing or have changed. Write the manifest,
    and return all deployments.

    Except on development chains, show the cost and, unless `yes` is True, ask for confirmation.
    Raises UserError if a contract can't be deployed."""
    await asyncio.to_thread(compile_contracts)
    specs = [ContractSpec(one.slug, one.contract, one.companions) for one in playable_games().values()]
    try:
        with closing(Journal(settings.journal)) as journal:
            manifest = await _Deployment(settings, node, journal, specs).run(yes)
    except (DeployError, JournalError, compile.CompileError) as error:
        raise UserError(str(error)) from error
    except (NodeUnavailable, NodeError, TimeoutError) as error:
        raise UserError(f"can't deploy the contracts: {error or 'timed out waiting for a receipt'}") from error
    return _deployments(manifest)


class _Deployment:
    """Carries out a deployment from start to end. `journal` is the journal in the data folder."""

    def __init__(self, settings: Settings, node: Node, journal: Journal, specs: Sequence[ContractSpec]) -> None:
        self._settings, self._node, self._journal, self._specs = settings, node, journal, specs
        self._planner = DeploymentPlanner(node.request)
        self._before = read_manifest(settings)
        self._tries = TRIES if settings.development else 1

    async def run(self, yes: bool) -> Json:
        """Deploy the contracts that are missing, write the manifest and return it."""
        if any(self._journal.states().get(state) for state in UNSETTLED):
            await (await self._sender()).settle()
        if not self._settings.development:
            await self._exclude_random_games()
        plan = await self._plan()
        if plan.steps:
            await require_deployer(self._node.request, self._settings.development)
            if not self._settings.development:
                await self._confirm(plan, yes)
                plan = await self._plan() if plan.starts else plan  # plan again, because the chain may have changed
            if plan.starts and self._before is not None:
                self._before |= {"starts": plan.starts}
                write_json(self._settings.manifest, self._before)
            await (await self._sender()).send(plan)
        await self._record_blocks(plan)
        plan.manifest.pop("starts", None)
        self._write(plan.manifest)
        if not self._settings.development:
            await self._write_verification_files(plan.manifest)
        return plan.manifest

    async def _write_verification_files(self, manifest: Json) -> None:
        """Write the verification files that contracts lack. Each contract has two of them: the
        standard JSON for block explorers, and a request for Sourcify's API that contains this
        JSON."""
        folder, written = self._settings.verification, False
        for one in (manifest["sessions"], *manifest["libraries"], *manifest["games"]):
            name = f"{one['contract']}-{one['address']}"
            source, request = folder / f"{name}.json", folder / f"{name}.request.json"
            if (source.exists() and request.exists()) or not await self._has_sources(one):
                continue
            content = await asyncio.to_thread(compile.verification_request, one["contract"])
            write_json(source, content["stdJsonInput"])
            write_json(request, content)
            written = True
        if written:
            console.print(
                f"The contracts' verification files for block explorers and Sourcify are now in {folder}",
                soft_wrap=True,
            )

    async def _has_sources(self, entry: Json) -> bool:
        """Return True if this checkout has exactly the sources from which the contract was
        compiled, including the comments. An older contract can have been compiled from different
        sources."""
        try:
            artifact = artifacts.load(entry["contract"])
        except artifacts.NoArtifact:
            return False
        code = await self._node.request("eth_getCode", (entry["address"], "latest"))
        return artifact.has_code(str(code), exactly=True)

    async def _exclude_random_games(self) -> None:
        """If contracts on this chain can't derive random numbers from block hashes, leave out the
        games that need random numbers."""
        random_games = [one for one in self._specs if artifacts.load(one.contract).draws_from_blocks]
        if random_games and not await has_own_block_numbers(self._node.request):
            self._specs = [one for one in self._specs if one not in random_games]
            names = " and ".join(one.game for one in random_games)
            console.print(
                f"Not deployed on this chain: {names}. These games draw random numbers from block hashes. That can't "
                "work here, because contracts on this chain see the block numbers of another chain",
                soft_wrap=True,
            )

    async def _plan(self) -> DeploymentPlan:
        return await with_retries(lambda: self._planner.plan(self._specs, self._before), self._tries)

    async def _sender(self) -> DeploymentSender:
        account = await signer("DEPLOYER", self._node, self._settings)
        return DeploymentSender(self._node.request, account, self._journal)

    async def _confirm(self, plan: DeploymentPlan, yes: bool) -> None:
        """Show the cost and, unless `yes` is True, ask for confirmation. Raises UserError if the
        account can't pay or the user declines."""
        cost, coin = await cost_of(self._node.request, plan), self._settings.coin
        console.print("\n".join(("To be deployed:", *cost.lines(coin))), highlight=False, soft_wrap=True)
        account = await signer("DEPLOYER", self._node, self._settings)
        balance = int(await self._node.request("eth_getBalance", (account.address, "latest")), 16)
        if balance < cost.required:
            raise UserError(
                f"{account.address} has {ether(balance)} {coin} but needs {ether(cost.required)}. "
                f"Send it some {coin}, then run this command again"
            )
        if yes:
            return
        if not sys.stdin.isatty():
            raise UserError(
                "nothing was deployed: confirm the cost at a terminal, or accept it with `chainboard deploy --yes`"
            )
        if not _is_confirmed(f"Deploy from {account.address}?"):
            await asyncio.sleep(0.1)  # let a pending Ctrl-C cancel the task first
            raise UserError("nothing was deployed")

    async def _record_blocks(self, plan: DeploymentPlan) -> None:
        sender = await self._sender() if plan.incomplete else None
        for entry in plan.incomplete:
            height = await sender.height(entry["address"]) if sender else None
            if height is None:
                height = await first_block(self._node.request, entry["address"])
            await self._planner.complete(entry, height)

    def _write(self, manifest: Json) -> None:
        before = self._before
        if manifest == before:
            return
        if before is not None and _chain_id_and_genesis(before) != _chain_id_and_genesis(manifest):
            kept = back_up(self._settings, self._settings.manifest)
            console.print(f"The old deployment manifest was for a different chain. A copy is in {kept}")
        write_json(self._settings.manifest, manifest)


def _is_confirmed(question: str) -> bool:
    """Ask a question at the terminal. Return False at the end of the input or after Ctrl-C.
    Python's own signal handler is used, because the event loop would handle Ctrl-C only after an
    answer."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return typer.confirm(question, err=True)
    except typer.Abort:
        console.print()
        return False
    finally:
        signal.signal(signal.SIGINT, handler)


def known_deployments(settings: Settings) -> list[Deployment]:
    """Return the deployments that the manifest lists. Raises UserError if there is no manifest."""
    manifest = read_manifest(settings)
    if manifest is None:
        raise UserError(f"nothing is deployed yet ({settings.manifest} doesn't exist): run `chainboard deploy` first")
    return _deployments(manifest)


def shared_of(manifest: dict[str, Any] | None) -> list[str]:
    """Return the addresses of the contracts that all games share. Return an empty list if there is
    no manifest."""
    return [manifest["sessions"]["address"]] if manifest else []


def libraries_of(manifest: dict[str, Any] | None) -> dict[str, dict[str, Any]]:
    """Return a map from names to the contracts that other contracts link or call. If several
    contracts have the same name, include the newest. Without a manifest, the result is empty."""
    return {one["contract"]: one for one in (manifest or {}).get("libraries", ())}


def read_manifest(settings: Settings) -> dict[str, Any] | None:
    """Return the manifest, or None if the data folder has none. Raises UserError if the manifest
    can't be read or is incomplete."""
    found = read_json(settings.manifest)
    try:
        if found is not None and (found["chainId"], found["genesis"], found["sessions"]["address"]):
            _deployments(found)
    except (KeyError, TypeError) as error:
        raise UserError(f"the manifest {settings.manifest} lacks {error}. {START_OVER}") from error
    return found


def _chain_id_and_genesis(manifest: dict[str, Any]) -> tuple[int, str]:
    return manifest["chainId"], manifest["genesis"]


def _deployments(manifest: dict[str, Any]) -> list[Deployment]:
    return [Deployment(**{name: one[name] for name in FIELDS}) for one in manifest["games"]]
