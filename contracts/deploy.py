"""Puts the contracts on a chain and describes what is there: the deployment manifest."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, TypeAlias

from eth_abi.abi import encode
from eth_account.signers.local import LocalAccount
from eth_utils.address import to_checksum_address
from eth_utils.crypto import keccak

from contracts import artifacts
from contracts.abi import MAX_GAS, encode_call
from contracts.artifacts import Artifact
from contracts.rpc_errors import Request, RpcError

Json: TypeAlias = dict[str, Any]

CANCUN_PROBE = "0x5f5f5c505f5f5f5e5f5ff3"
"""PUSH0, TLOAD, MCOPY, then return nothing: fails on a chain whose EVM is older than Cancun."""
STOP = "0x00"
RECEIPT_SECONDS = 120


class DeployError(Exception):
    """The contracts could not be put on the chain; the text says why."""


@dataclass(frozen=True, slots=True)
class ContractSpec:
    """A contract to deploy: the slug of its game, its name, the call that opens the first match, and the contracts
    that stand beside it."""

    game: str
    contract: str
    first_match_call: tuple[str, tuple[Any, ...]] | None = None
    companions: tuple[str, ...] = ()


class Deployer:
    """Deploys from one account, one transaction after the other. `account` is asked for only when it must sign."""

    def __init__(self, request: Request, account: Callable[[], Awaitable[LocalAccount]]) -> None:
        self._request, self._account = request, account
        self._begun: Json | None = None

    async def deploy(self, specs: Sequence[ContractSpec], manifest: Json | None) -> Json:
        """Deploys what these games need and the chain does not have yet; returns the new manifest.

        `manifest` is the last one returned for this chain, None at first. A contract that changed is deployed beside
        the old one, and numbers its matches on from the old one's last. Called again after a failure, it goes on from
        there. Raises DeployError."""
        manifest = await self._without_missing(self._begun) or await self._without_missing(deepcopy(manifest))
        await self._require_cancun()
        manifest = self._begun = manifest or await self._new_manifest()
        manifest["sessions"] = await self._deploy_sessions(manifest.get("sessions"))
        manifest.setdefault("libraries", [])
        for one in specs:
            await self._deploy_game(one, manifest)
        for name in [name for one in specs for name in one.companions]:
            await self._deploy_library(name, manifest)
        self._begun = None
        return manifest

    async def _new_manifest(self) -> Json:
        chain_id = int(await self._request("eth_chainId", ()), 16)
        genesis = await self._request("eth_getBlockByNumber", ("0x0", False))
        return {"chainId": chain_id, "genesis": genesis["hash"], "games": [], "libraries": []}

    async def _without_missing(self, manifest: Json | None) -> Json | None:
        """The manifest without what is not on this chain (any more): libraries, games, games of such libraries. None
        for another chain, and where the registry of session keys is not on it."""
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
        sessions = manifest.get("sessions")
        if sessions is None or not await self._is_on_chain(sessions):
            return None
        return {**found, "sessions": sessions}

    async def _is_on_chain(self, deployment: Json) -> bool:
        block = await self._request("eth_getBlockByNumber", (hex(deployment["height"]), False))
        if block is None or block["hash"] != deployment["block_hash"]:
            return False
        return bool(await self._code_hash(deployment["address"]) == deployment["code_hash"])

    async def _code_hash(self, address: str) -> str:
        code = await self._request("eth_getCode", (address, "latest"))
        return "0x" + keccak(hexstr=code).hex()

    async def _require_cancun(self) -> None:
        """Raises DeployError for a chain older than Cancun, which the contracts need. NoResponse comes out: a timeout
        is no proof."""
        for last in (False, True):
            try:
                await self._request("eth_call", ({"data": CANCUN_PROBE}, "latest"))
                return
            except RpcError as error:
                await self._request("eth_call", ({"data": STOP}, "latest"))  # else it is not the code that fails
                if last:
                    raise DeployError(
                        "this chain's EVM is older than Cancun, which the contracts need (transient storage, MCOPY): "
                        f"use a chain that has it. The chain said: {error}"
                    ) from error

    async def _deploy_sessions(self, deployment: Json | None) -> Json:
        artifact = artifacts.load("Sessions")
        if deployment is not None and await self._is_up_to_date(deployment, artifact, (), {}):
            return deployment
        return await self._create("Sessions", (), {})

    async def _deploy_libraries(self, artifact: Artifact, manifest: Json) -> dict[str, str]:
        """Addresses of the libraries that a contract links, by their names; what is there with the same code stays."""
        return {name: await self._deploy_library(name, manifest) for name in artifact.libraries}

    async def _deploy_library(self, name: str, manifest: Json) -> str:
        artifact = artifacts.load(name)
        addresses = await self._deploy_libraries(artifact, manifest)
        for one in manifest["libraries"]:
            if one["contract"] == name and await self._is_up_to_date(one, artifact, (), addresses):
                return str(one["address"])
        deployment = await self._create(name, (), addresses)
        del deployment["abi"]  # only contracts call it
        manifest["libraries"].append(deployment)
        return str(deployment["address"])

    async def _deploy_game(self, spec: ContractSpec, manifest: Json) -> None:
        artifact = artifacts.load(spec.contract)
        addresses = await self._deploy_libraries(artifact, manifest)
        mine = [one for one in manifest["games"] if one["game"] == spec.game]
        old = mine[-1] if mine else None
        sessions = manifest["sessions"]["address"]
        served = old is not None and old["sessions"] == sessions
        if old and served and await self._is_up_to_date(old, artifact, (sessions, old["first_match"]), addresses):
            return
        first = await self._next_match(old) if old else 1
        deployment = await self._create(spec.contract, (sessions, first), addresses)
        deployment["abi"] = [*deployment["abi"], *_errors_of("Sessions")]
        if old is not None:
            old["end_match"] = first
        elif spec.first_match_call is not None:
            name, arguments = spec.first_match_call
            await self._send(deployment["address"], encode_call(artifact.abi, name, arguments))
        manifest["games"].append(
            {"game": spec.game, **deployment, "sessions": sessions, "first_match": first, "end_match": None}
        )

    async def _is_up_to_date(
        self, placed: Json, artifact: Artifact, arguments: Sequence[Any], addresses: Mapping[str, str]
    ) -> bool:
        """Whether a contract was made from the artifact's code: moved or renamed sources need no new one."""
        if placed["source_key"] == artifact.source_key:
            return True
        block = await self._request("eth_getBlockByHash", (placed["block_hash"], True))
        data = _creation(artifact, arguments, addresses)
        if all(transaction["input"] != data for transaction in block["transactions"]):
            return False
        placed["source_key"] = artifact.source_key
        return True

    async def _next_match(self, deployment: Json) -> int:
        data = encode_call(deployment["abi"], "matchRange", ())
        answer = await self._request("eth_call", ({"to": deployment["address"], "data": data}, "latest"))
        return int(answer[2 + 64 : 2 + 128], 16)

    async def _create(self, contract: str, arguments: Sequence[Any], addresses: Mapping[str, str]) -> Json:
        artifact = artifacts.load(contract)
        receipt = await self._send(None, _creation(artifact, arguments, addresses))
        address = receipt["contractAddress"]
        return {
            "contract": contract,
            "address": to_checksum_address(address),
            "abi": artifact.abi,
            "source_key": artifact.source_key,
            "height": int(receipt["blockNumber"], 16),
            "block_hash": receipt["blockHash"],
            "code_hash": await self._code_hash(address),
            **({"libraries": dict(addresses)} if addresses else {}),
        }

    async def _send(self, to: str | None, data: str) -> Json:
        account = await self._account()
        sender = account.address
        call = {"from": sender, "data": data, **({"to": to} if to else {})}
        gas = int(await self._request("eth_estimateGas", (call,)), 16)
        if gas > MAX_GAS:
            raise DeployError(f"a deployment transaction needs {gas:,} gas, more than the {MAX_GAS:,} one may use")
        head = await self._request("eth_getBlockByNumber", ("latest", False))
        tip = int(await self._request("eth_maxPriorityFeePerGas", ()), 16)
        transaction: Any = {
            "type": 2,
            "chainId": int(await self._request("eth_chainId", ()), 16),
            "nonce": int(await self._request("eth_getTransactionCount", (sender, "pending")), 16),
            "gas": min(gas * 5 // 4, MAX_GAS),
            "maxFeePerGas": 2 * int(head["baseFeePerGas"], 16) + tip,
            "maxPriorityFeePerGas": tip,
            "value": 0,
            "data": data,
            **({"to": to} if to else {}),
        }
        signed = account.sign_transaction(transaction)
        hash = await self._request("eth_sendRawTransaction", ("0x" + signed.raw_transaction.hex(),))
        return await self._receipt(hash)

    async def _receipt(self, hash: str) -> Json:
        pause = 0.005
        async with asyncio.timeout(RECEIPT_SECONDS):
            while (receipt := await self._request("eth_getTransactionReceipt", (hash,))) is None:
                await asyncio.sleep(pause)
                pause = min(2 * pause, 1.0)
        if int(receipt["status"], 16) != 1:
            raise DeployError(f"the deployment transaction {hash} failed in its block")
        return dict(receipt)


def _creation(artifact: Artifact, arguments: Sequence[Any], addresses: Mapping[str, str]) -> str:
    """The data of the transaction that creates a contract: its creation code with the addresses of its libraries, and
    the constructor's arguments."""
    constructor: Json = next((one for one in artifact.abi if one["type"] == "constructor"), {"inputs": []})
    return artifact.linked(addresses) + encode([one["type"] for one in constructor["inputs"]], arguments).hex()


def _errors_of(contract: str) -> list[Json]:
    """A contract's custom errors, for the ABI of a game that calls it: they bubble up unchanged."""
    return [entry for entry in artifacts.load(contract).abi if entry["type"] == "error"]
