"""Checks another operator's deployment manifest against the chain. For each contract, it checks the
code, the constructor arguments and the first block."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from chainboard.chain.deploying import first_block
from chainboard.errors import UserError
from contracts import artifacts
from contracts.abi import checksum, decode_result, encode_call
from contracts.artifacts import Artifact
from contracts.create2 import DEPLOYER, address_of, parse_call_data
from contracts.deploy import DeployError, DeploymentPlanner
from contracts.rpc_errors import Request
from indexer.games import GAMES
from indexer.model import Chain, Json
from indexer.sanitize import excerpt

MAX_MATCH_NUMBER = 2**48
KIND_NAMES: Mapping[type, str] = {dict: "an object", list: "a list", str: "a string"}
"""The types of values in a manifest, and their names in JSON."""


class _CodeMismatch(UserError):
    """A contract's code differs from the code of this program's contract with the same name."""


class AdoptedDeployment:
    """Compares another operator's manifest with the chain of a node. `request` sends a request to
    this node. `excluded` contains a sentence for each older contract that can't be indexed."""

    def __init__(self, request: Request, chain: Chain) -> None:
        self._request, self._chain = request, chain
        self._planner = DeploymentPlanner(request)
        self.excluded: list[str] = []

    async def checked(self, manifest: Json) -> Json:
        """Check the manifest against the chain. Return it with this program's ABIs, and with each
        contract's code and first block as they are on the chain.

        Raises UserError if a contract is missing, differs from this program's contract, or was
        created in a different block. If only the code of a contract with a successor differs, the
        contract is left out, because this program has no older code to compare it with."""
        try:
            claimed = manifest["chainId"], manifest["genesis"]
            if claimed != (self._chain.chain_id, self._chain.genesis):
                raise UserError(
                    f"the deployment is on chain {excerpt(claimed[0])} with genesis {excerpt(claimed[1])}, but the "
                    f"node is on chain {self._chain.chain_id} with genesis {self._chain.genesis}. Set --rpc to a "
                    "node on the deployment's chain"
                )
            sessions = await self._sessions(_required(manifest, "sessions", dict))
            libraries = [one for each in _entries(manifest, "libraries") if (one := await self._library(each))]
            known = {one["address"]: str(one["contract"]) for one in libraries}
            for one in libraries:
                _require_known(one, known)
            claims = [_with_matches(one) for one in _entries(manifest, "games")]
            _require_one_range(claims)
            games = [one for each in claims if (one := await self._version(each, sessions["address"], known))]
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise UserError(f"this is not a deployment manifest: {error!r}") from error
        except (DeployError, artifacts.NoArtifact) as error:
            raise UserError(str(error)) from error
        return {
            "chainId": self._chain.chain_id,
            "genesis": self._chain.genesis,
            "games": games,
            "libraries": libraries,
            "sessions": sessions,
        }

    async def _sessions(self, claimed: Json) -> Json:
        """Check the registry of session keys. Only the contract `Sessions` is accepted, because
        this contract decides for which accounts a session key may play."""
        if claimed.get("contract") != "Sessions":
            raise UserError("this is not a deployment manifest: its `sessions` is not the contract Sessions")
        return await self._entry(claimed, ())

    async def _library(self, claimed: Json) -> Json | None:
        """Check a library. Return None if it differs from this program's library. In that case, a
        contract that needs the library is rejected, or left out if it has a successor."""
        try:
            return await self._entry(claimed, (), abi=False)
        except _CodeMismatch:
            return None

    async def _version(self, claimed: Json, sessions: str, libraries: Mapping[str, str]) -> Json | None:
        """Check one of a game's contracts. Return None if it has a successor and its code differs
        from that of this program's contract."""
        try:
            found = await self._game(claimed, sessions)
            _require_known(found, libraries)
        except _CodeMismatch as error:
            if claimed["end_match"] is None:
                raise
            matches = f"matches {claimed['first_match']} to {claimed['end_match'] - 1} of {claimed['game']}"
            self.excluded.append(f"Left out {matches}: {error}")
            return None
        await self._require_matches(found)
        return found

    async def _game(self, claimed: Json, sessions: str) -> Json:
        game = GAMES.get(_required(claimed, "game", str))
        if game is None or game.contract != claimed["contract"]:
            raise UserError(f"the deployment has a game that this program doesn't have: {excerpt(claimed['game'])}")
        if _address(claimed, "sessions") != sessions:
            raise _CodeMismatch(
                f"{claimed['contract']} at {claimed['address']} calls contracts that are not in the manifest"
            )
        entry = await self._entry(claimed, (sessions, claimed["first_match"]))
        errors = [one for one in artifacts.load("Sessions").abi if one["type"] == "error"]
        entry["abi"] = [*entry["abi"], *errors]
        entry["sessions"] = sessions
        for name in ("game", "first_match", "end_match"):
            entry[name] = claimed[name]
        return entry

    async def _require_matches(self, entry: Json) -> None:
        """Check the range of matches that the manifest gives for a contract. The range of an older
        contract can continue beyond the end in the manifest, but must not end before it."""
        call = {"to": entry["address"], "data": encode_call(entry["abi"], "matchRange", ())}
        answer = str(await self._request("eth_call", (call, "latest")))
        first, following = decode_result(entry["abi"], "matchRange", 0, answer)
        end = entry["end_match"]
        if first != entry["first_match"] or (end is not None and end > following):
            raise UserError(
                f"{entry['contract']} at {entry['address']} has matches {first} to {following - 1}, but the "
                f"manifest lists matches from {entry['first_match']}" + ("" if end is None else f" to {end - 1}")
            )
        if end is not None and following > end:
            self.excluded.append(
                f"Left out matches {end} to {following - 1} of {entry['contract']} at {entry['address']}: the "
                "manifest assigns them to the next contract"
            )

    async def _entry(self, claimed: Json, arguments: Sequence[Any], abi: bool = True) -> Json:
        """Check a contract and return its manifest entry. The contract must have been created with
        these constructor arguments."""
        artifact, address = artifacts.load(_required(claimed, "contract", str)), _address(claimed, "address")
        height = _number(claimed, "height", 0, 2**63)
        code = str(await self._request("eth_getCode", (address, "latest")))
        where = f"{artifact.name} at {address}"
        if code == "0x":
            raise UserError(f"{where} is not on the node's chain")
        if not artifact.has_code(code):
            raise _CodeMismatch(f"the code of {where} differs from that of this program's {artifact.name}")
        libraries = {name: checksum(one) for name, one in artifact.addresses_in_runtime(code).items()}
        if "libraries" in claimed:
            _require_claimed(claimed["libraries"], libraries, where)
        created = await self._creation_in(address, height)
        _require_creation(artifact, artifact.creation(arguments, libraries), created, address)
        if created is None:
            found = await first_block(self._request, address)
            if found != height:
                raise UserError(f"{where} was created in block {found}, but the manifest says block {height}")
        entry: Json = {"contract": artifact.name, "address": address, "source_key": artifact.source_key}
        if abi:
            entry["abi"] = artifact.abi
        if libraries:
            entry["libraries"] = libraries
        await self._planner.complete(entry, height)
        return entry

    async def _creation_in(self, address: str, height: int) -> str | None:
        """Return the creation code of a contract that a transaction in this block created through
        the shared deployer. Return None if there is no such transaction. The node needs no old
        state for this."""
        block = await self._request("eth_getBlockByNumber", (hex(height), True))
        for tx in (block or {}).get("transactions", ()):
            if str(tx["to"]).lower() != DEPLOYER.lower() or len(tx["input"]) <= 2 + 64:
                continue
            created, creation = parse_call_data(tx["input"])
            if created == address:
                receipt = await self._request("eth_getTransactionReceipt", (tx["hash"],))
                if receipt is not None and receipt["status"] == "0x1":
                    return creation
        return None


def _require_creation(artifact: Artifact, expected: str, created: str | None, address: str) -> None:
    """Check that a contract was created by the expected constructor with the expected arguments.

    A different constructor could create the same runtime code, but with different contents in the
    contract's storage. The contract's CREATE2 address or its creation code rules this out."""
    if address == address_of(expected):
        return
    if created is None or not artifact.is_same_creation(created, expected):
        raise _CodeMismatch(
            f"{artifact.name} at {address} differs from this program's contract of that name. It was created by "
            "different code, or with arguments that differ from those in the manifest"
        )


def _require_known(entry: Json, libraries: Mapping[str, str]) -> None:
    """Check that each library that a contract calls is one of `libraries` and has the same name
    there. The caller has already compared `libraries` with this program's libraries."""
    if any(libraries.get(address) != name for name, address in entry.get("libraries", {}).items()):
        raise _CodeMismatch(f"{entry['contract']} at {entry['address']} calls contracts that are not in the manifest")


def _require_claimed(claimed: Any, libraries: Mapping[str, str], where: str) -> None:
    if not isinstance(claimed, dict):
        raise UserError(f"this is not a deployment manifest: `libraries` of {where} doesn't map names to addresses")
    for name in sorted({*libraries, *claimed}):
        value = claimed.get(name)
        if name not in libraries or not isinstance(value, str) or value.lower() != libraries[name].lower():
            raise UserError(
                f"the manifest says that {where} calls the library {excerpt(name)} at {excerpt(value)}, but it doesn't"
            )


def _entries(manifest: Json, name: str) -> list[Json]:
    """Return a list of entries in the manifest. Raises UserError if it isn't a list of objects, or
    two of them have the same address."""
    found: list[Json] = _required(manifest, name, list) if name == "games" else manifest.get(name, [])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise UserError(f"this is not a deployment manifest: `{name}` is not a list of objects")
    addresses = [_address(one, "address") for one in found]
    if len(addresses) != len(set(addresses)):
        raise UserError(f"this is not a deployment manifest: `{name}` has the same address twice")
    return found


def _with_matches(claimed: Json) -> Json:
    first = _number(claimed, "first_match", 1, MAX_MATCH_NUMBER)
    end = claimed.get("end_match")
    return {**claimed, "end_match": end if end is None else _number(claimed, "end_match", first, MAX_MATCH_NUMBER)}


def _require_one_range(claims: Sequence[Json]) -> None:
    """Check that the ranges of each game's contracts follow each other without a gap. A contract
    must end at the first match of the next contract, and the newest contract must have no end."""
    for game in {_required(one, "game", str) for one in claims}:
        versions = [one for one in claims if one["game"] == game]
        if any(old["end_match"] != new["first_match"] for old, new in pairwise(versions)):
            raise UserError(f"the manifest has a gap or an overlap between the matches of two contracts of {game}")
        if versions[-1]["end_match"] is not None:
            raise UserError(
                f"the manifest has no contract for matches of {game} from number {versions[-1]['end_match']} on"
            )


def _required(entry: Json, name: str, kind: type) -> Any:
    value = entry.get(name)
    if not isinstance(value, kind):
        raise UserError(
            f"this is not a deployment manifest: `{name}` is {str(value)[:80]!a}, but must be {KIND_NAMES[kind]}"
        )
    return value


def _number(entry: Json, name: str, minimum: int, end: int) -> int:
    value = entry.get(name)
    if type(value) is not int or not minimum <= value < end:
        raise UserError(
            f"this is not a deployment manifest: `{name}` is {str(value)[:80]!a}, but must be a whole "
            f"number, at least {minimum}"
        )
    return value


def _address(entry: Json, name: str) -> str:
    """Return the address in a manifest entry in its checksummed form."""
    value = entry.get(name)
    if not isinstance(value, str) or re.fullmatch("0x[0-9a-fA-F]{40}", value) is None:
        raise UserError(f"this is not a deployment manifest: `{name}` is {str(value)[:80]!a}, but must be an address")
    return checksum(value)
