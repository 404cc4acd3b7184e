"""The deployment manifest: which contracts are on the chain, brought up to date."""

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
from chainboard.data_folder import keep_copy, read_json, write_json
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


async def deploy_contracts(settings: Settings, node: Node, yes: bool = False) -> list[Deployment]:
    """Compiles and deploys what is missing or has changed, writes the manifest, returns all. But for development chains
    the user is told what it costs, and asked unless `yes`. Raises UserError."""
    await asyncio.to_thread(compile_contracts)
    specs = [ContractSpec(one.slug, one.contract, one.companions) for one in playable_games().values()]
    try:
        with closing(Journal(settings.journal)) as journal:
            manifest = await _Deployment(settings, node, journal, specs).run(yes)
    except (DeployError, JournalError, compile.CompileError) as error:
        raise UserError(str(error)) from error
    except (NodeUnavailable, NodeError, TimeoutError) as error:
        raise UserError(f"the contracts could not be put on the chain: {error or 'a receipt did not come'}") from error
    return _deployments(manifest)


class _Deployment:
    """One run. `journal` is the data folder's."""

    def __init__(self, settings: Settings, node: Node, journal: Journal, specs: Sequence[ContractSpec]) -> None:
        self._settings, self._node, self._journal, self._specs = settings, node, journal, specs
        self._planner = DeploymentPlanner(node.request)
        self._before = read_manifest(settings)
        self._tries = TRIES if settings.development else 1

    async def run(self, yes: bool) -> Json:
        """Returns the manifest, which is written."""
        if any(self._journal.states().get(state) for state in UNSETTLED):
            await (await self._sender()).settle()
        if not self._settings.development:
            await self._leave_out_chance()
        plan = await self._plan()
        if plan.steps:
            await require_deployer(self._node.request, self._settings.development)
            if not self._settings.development:
                await self._ask(plan, yes)
                plan = await self._plan() if plan.starts else plan  # who was asked took a while
            if plan.starts and self._before is not None:
                self._before |= {"starts": plan.starts}
                write_json(self._settings.manifest, self._before)
            await (await self._sender()).send(plan)
        await self._note_blocks(plan)
        plan.manifest.pop("starts", None)
        self._write(plan.manifest)
        if not self._settings.development:
            await self._write_verification_files(plan.manifest)
        return plan.manifest

    async def _write_verification_files(self, manifest: Json) -> None:
        """Writes for each contract the standard JSON, which block explorers take, and a request of Sourcify's API with
        it, where they are missing."""
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
            console.print(f"The standard JSON of each contract, for Sourcify, is in {folder}", soft_wrap=True)

    async def _has_sources(self, entry: Json) -> bool:
        """Whether a contract is made of the sources that are here, to the last comment: one of before may not be."""
        try:
            artifact = artifacts.load(entry["contract"])
        except artifacts.NoArtifact:
            return False
        code = await self._node.request("eth_getCode", (entry["address"], "latest"))
        return artifact.has_code(str(code), exactly=True)

    async def _leave_out_chance(self) -> None:
        """Leaves games out whose chance the chain can't give."""
        drawing = [one for one in self._specs if artifacts.load(one.contract).draws_from_blocks]
        if drawing and not await has_own_block_numbers(self._node.request):
            self._specs = [one for one in self._specs if one not in drawing]
            names = " and ".join(one.game for one in drawing)
            console.print(
                f"Not put on this chain: {names}. They draw chance from the hashes of its blocks, and contracts there "
                "see the block numbers of another chain",
                soft_wrap=True,
            )

    async def _plan(self) -> DeploymentPlan:
        return await with_retries(lambda: self._planner.plan(self._specs, self._before), self._tries)

    async def _sender(self) -> DeploymentSender:
        account = await signer("DEPLOYER", self._node, self._settings)
        return DeploymentSender(self._node.request, account, self._journal)

    async def _ask(self, plan: DeploymentPlan, yes: bool) -> None:
        """Raises UserError where the account can't pay, or the user does not want to."""
        cost, coin = await cost_of(self._node.request, plan), self._settings.coin
        console.print("\n".join(("To be put on the chain:", *cost.lines(coin))), highlight=False, soft_wrap=True)
        account = await signer("DEPLOYER", self._node, self._settings)
        balance = int(await self._node.request("eth_getBalance", (account.address, "latest")), 16)
        if balance < cost.required:
            raise UserError(
                f"{account.address} has {ether(balance)} {coin}, and {ether(cost.required)} must be there: "
                "send it some, then run this again"
            )
        if yes:
            return
        if not sys.stdin.isatty():
            raise UserError(
                "nothing was deployed, as nobody could be asked: `chainboard deploy --yes` agrees to the cost"
            )
        if not _agreed(f"Deploy from {account.address}?"):
            await asyncio.sleep(0.1)  # Ctrl-C ends it here, as everywhere
            raise UserError("nothing was deployed")

    async def _note_blocks(self, plan: DeploymentPlan) -> None:
        sender = await self._sender() if plan.placed else None
        for entry in plan.placed:
            height = await sender.height(entry["address"]) if sender else None
            if height is None:
                height = await first_block(self._node.request, entry["address"])
            await self._planner.complete(entry, height)

    def _write(self, manifest: Json) -> None:
        before = self._before
        if manifest == before:
            return
        if before is not None and _chain_id_and_genesis(before) != _chain_id_and_genesis(manifest):
            kept = keep_copy(self._settings, self._settings.manifest)
            console.print(f"The deployment manifest was of another chain. It is kept in {kept}")
        write_json(self._settings.manifest, manifest)


def _agreed(question: str) -> bool:
    """The answer at the terminal. No at the end of input, and at Ctrl-C, which the event loop would keep until there
    is an answer."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return typer.confirm(question, err=True)
    except typer.Abort:
        console.print()
        return False
    finally:
        signal.signal(signal.SIGINT, handler)


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
