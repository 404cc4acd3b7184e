"""Plans deployments and updates the manifest, which describes the deployed contracts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from eth_utils.crypto import keccak

from contracts import artifacts, create2
from contracts.abi import encode_call
from contracts.artifacts import Artifact
from contracts.rpc_errors import Request, RpcError

Json: TypeAlias = dict[str, Any]

CANCUN_PROBE = "0x5f5f5c505f5f5f5e5f5ff3"
"""Code that uses PUSH0, TLOAD and MCOPY and returns nothing.

This code fails on a chain whose EVM is older than Cancun."""
STOP = "0x00"


class DeployError(Exception):
    """The contracts could not be deployed. The message explains why."""


@dataclass(frozen=True, slots=True)
class ContractSpec:
    """A contract to deploy: its game's slug, its name, and other contracts that are deployed with
    it."""

    game: str
    contract: str
    companions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """A transaction in a deployment.

    `creates` is the address of the contract that the transaction creates."""

    title: str
    to: str
    data: str
    creates: str

    @property
    def key(self) -> str:
        """The name of this transaction in the journal of sent transactions."""
        return f"deploy {self.creates}"


@dataclass(slots=True)
class DeploymentPlan:
    """The steps of a deployment and its result.

    - `manifest`: the manifest after the deployment.
    - `incomplete`: the entries in the manifest that still lack their block and their code hash.
    - `starts`: the first match number of each new version. The key is the old version's address."""

    manifest: Json
    steps: list[Step] = field(default_factory=list)
    incomplete: list[Json] = field(default_factory=list)
    starts: dict[str, int] = field(default_factory=dict)


class DeploymentPlanner:
    """Finds out which contracts are missing from a chain, and plans the transactions that deploy
    them. This class sends no transactions."""

    def __init__(self, request: Request) -> None:
        self._request = request

    async def plan(self, specs: Sequence[ContractSpec], manifest: Json | None) -> DeploymentPlan:
        """Plan the deployment of all contracts that the games need and that the chain lacks.

        `manifest` is the last manifest for this chain, or None. If a contract has changed, its new
        version is deployed in addition to the old version, and continues the old version's match
        numbers. If an interrupted deployment has already created the new version, the new version
        keeps its first match number. Raises DeployError."""
        await self._require_cancun()
        known = await self._without_missing(deepcopy(manifest)) or await self._new_manifest()
        plan = DeploymentPlan(known)
        known["sessions"] = await self._sessions(known.get("sessions"), plan)
        known.setdefault("libraries", [])
        for one in specs:
            await self._game(one, plan)
        for name in [name for one in specs for name in one.companions]:
            await self._library(name, plan)
        return plan

    async def complete(self, entry: Json, height: int) -> None:
        """Add three values to an entry: the code hash, and the height and the hash of the block
        that created the contract.

        Raises DeployError if the block or the code is missing from the chain."""
        block = await self._request("eth_getBlockByNumber", (hex(height), False))
        code = await self._code(entry["address"])
        if block is None or code == "0x":
            raise DeployError(
                f"{entry['contract']} is not at {entry['address']}: the chain changed during the deployment"
            )
        entry.update(height=height, block_hash=block["hash"], code_hash="0x" + keccak(hexstr=code).hex())

    async def _new_manifest(self) -> Json:
        chain_id = int(await self._request("eth_chainId", ()), 16)
        genesis = await self._request("eth_getBlockByNumber", ("0x0", False))
        return {"chainId": chain_id, "genesis": genesis["hash"], "games": [], "libraries": []}

    async def _without_missing(self, manifest: Json | None) -> Json | None:
        """Return the manifest without the contracts that are no longer on the chain.

        Games with a missing library are left out, too. Return None if the manifest is for another
        chain, or if the registry of session keys is missing."""
        if manifest is None:
            return None
        found = await self._new_manifest()
        if (manifest["chainId"], manifest["genesis"]) != (found["chainId"], found["genesis"]):
            return None
        libraries = [one for one in manifest.get("libraries", ()) if await self._is_on_chain(one)]
        addresses = {one["address"] for one in libraries}
        games = [one for one in manifest["games"] if addresses.issuperset(one.get("libraries", {}).values())]
        found["games"] = [one for one in games if await self._is_on_chain(one)]
        found["libraries"] = libraries
        if "starts" in manifest:
            found["starts"] = manifest["starts"]
        sessions = manifest.get("sessions")
        if sessions is None or not await self._is_on_chain(sessions):
            return None
        return {**found, "sessions": sessions}

    async def _is_on_chain(self, deployment: Json) -> bool:
        block = await self._request("eth_getBlockByNumber", (hex(deployment["height"]), False))
        if block is None or block["hash"] != deployment["block_hash"]:
            return False
        return bool("0x" + keccak(hexstr=await self._code(deployment["address"])).hex() == deployment["code_hash"])

    async def _code(self, address: str) -> str:
        return str(await self._request("eth_getCode", (address, "latest")))

    async def _require_cancun(self) -> None:
        """Raise DeployError if the chain's EVM is older than Cancun, which the contracts need.

        If the node doesn't respond, raise NoResponse, because a timeout says nothing about the
        EVM."""
        for last in (False, True):
            try:
                await self._request("eth_call", ({"data": CANCUN_PROBE}, "latest"))
                return
            except RpcError as error:
                # If even code that runs on any EVM fails, the EVM's age is not the cause.
                await self._request("eth_call", ({"data": STOP}, "latest"))
                if last:
                    raise DeployError(
                        "this chain's EVM is older than Cancun, but the contracts need Cancun's transient storage "
                        f"and MCOPY: use a different chain. The chain's answer: {error}"
                    ) from error

    async def _sessions(self, deployment: Json | None, plan: DeploymentPlan) -> Json:
        artifact = artifacts.load("Sessions")
        if deployment is not None and await self._is_up_to_date(deployment, artifact, {}):
            return deployment
        return await self._contract(artifact, (), {}, plan)

    async def _libraries(self, artifact: Artifact, plan: DeploymentPlan) -> dict[str, str]:
        """Return a map from the names of a contract's libraries to their addresses. Plan the
        deployment of missing libraries."""
        return {name: await self._library(name, plan) for name in artifact.libraries}

    async def _library(self, name: str, plan: DeploymentPlan) -> str:
        artifact = artifacts.load(name)
        addresses = await self._libraries(artifact, plan)
        for one in plan.manifest["libraries"]:
            if one["contract"] == name and await self._is_up_to_date(one, artifact, addresses):
                return str(one["address"])
        entry = await self._contract(artifact, (), addresses, plan)
        del entry["abi"]  # no ABI, because only contracts call the library
        plan.manifest["libraries"].append(entry)
        return str(entry["address"])

    async def _game(self, spec: ContractSpec, plan: DeploymentPlan) -> None:
        artifact = artifacts.load(spec.contract)
        addresses = await self._libraries(artifact, plan)
        versions = [one for one in plan.manifest["games"] if one["game"] == spec.game]
        old = versions[-1] if versions else None
        sessions = plan.manifest["sessions"]["address"]
        same_sessions = old is not None and old["sessions"] == sessions
        if old and same_sessions and await self._is_up_to_date(old, artifact, addresses):
            return
        first = await self._first_match(artifact, sessions, addresses, old, plan) if old else 1
        entry = await self._contract(artifact, (sessions, first), addresses, plan)
        entry["abi"] = [*entry["abi"], *_errors_of("Sessions")]
        if old is not None:
            old["end_match"] = first
        entry.update(game=spec.game, sessions=sessions, first_match=first, end_match=None)
        plan.manifest["games"].append(entry)

    async def _first_match(
        self, artifact: Artifact, sessions: str, addresses: Mapping[str, str], old: Json, plan: DeploymentPlan
    ) -> int:
        chosen: int | None = plan.manifest.get("starts", {}).get(old["address"])
        if chosen is not None:
            address = create2.address_of(artifact.creation((sessions, chosen), addresses))
            if await self._code(address) != "0x":
                return chosen
        plan.starts[old["address"]] = first = (await self._match_range(old))[1]
        return first

    async def _match_range(self, deployment: Json) -> tuple[int, int]:
        data = encode_call(deployment["abi"], "matchRange", ())
        answer = await self._request("eth_call", ({"to": deployment["address"], "data": data}, "latest"))
        return int(answer[2 : 2 + 64], 16), int(answer[2 + 64 : 2 + 128], 16)

    async def _is_up_to_date(self, deployment: Json, artifact: Artifact, addresses: Mapping[str, str]) -> bool:
        """Return True if the deployed contract's code is the artifact's.

        Changes to names and comments in the source don't require a new contract."""
        if deployment["source_key"] != artifact.source_key:
            if deployment.get("libraries", {}) != addresses or not artifact.has_code(
                await self._code(deployment["address"])
            ):
                return False
            deployment["source_key"] = artifact.source_key
        return True

    async def _contract(
        self, artifact: Artifact, arguments: Sequence[Any], addresses: Mapping[str, str], plan: DeploymentPlan
    ) -> Json:
        creation = artifact.creation(arguments, addresses)
        address = create2.address_of(creation)
        entry = {
            "contract": artifact.name,
            "address": address,
            "abi": artifact.abi,
            "source_key": artifact.source_key,
            **({"libraries": dict(addresses)} if addresses else {}),
        }
        plan.incomplete.append(entry)
        step = Step(artifact.name, create2.DEPLOYER, create2.call_data(creation), address)
        if step not in plan.steps and await self._code(address) == "0x":
            plan.steps.append(step)
        return entry


def _errors_of(contract: str) -> list[Json]:
    """Return the ABI entries of a contract's custom errors.

    A game's ABI needs the errors of the contracts that the game calls."""
    return [entry for entry in artifacts.load(contract).abi if entry["type"] == "error"]
