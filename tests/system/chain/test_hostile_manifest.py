"""Tests of hostile manifests. `chainboard adopt` must compare a manifest's claims with the chain,
and reject contracts that aren't this program's own."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from eth_abi.abi import encode

from chainboard.chain.deployment import known_deployments
from chainboard.commands.adopt import adopt
from chainboard.errors import UserError
from chainboard.settings import Settings
from contracts import artifacts, create2
from contracts.abi import checksum
from indexer.model import Json
from tests.support.chain import DeployedChain, deployed_chain
from tests.system.chain.test_adopt import manifest_of, send

VICTIM = "0x" + "77" * 20
ANSWERS_VICTIM = "0x601b8060095f395ff3" + "73" + VICTIM[2:] + "5f5260205ff3"
"""The creation code of a contract that answers each call with the address `VICTIM`. The contract's
opcodes are PUSH20, PUSH0, MSTORE, PUSH1 32, PUSH0 and RETURN."""


@pytest.fixture
async def stranger_chain(tmp_path: Path) -> AsyncIterator[DeployedChain]:
    async with deployed_chain(tmp_path / "stranger") as it:
        yield it


def manifest_entry(manifest: Json, contract: str) -> Json:
    return next(one for one in manifest["games"] if one["contract"] == contract)


async def create_contract(stranger_chain: DeployedChain, code: str) -> Json:
    receipt = await send(stranger_chain, code)
    return {"address": checksum(receipt["contractAddress"]), "height": int(receipt["blockNumber"], 16)}


async def adopt_manifest(stranger_chain: DeployedChain, tmp_path: Path, manifest: Json) -> Settings:
    (tmp_path / "hostile.json").write_text(json.dumps(manifest))
    mine = Settings(tmp_path / "mine", rpc=(stranger_chain.node.url,))
    await adopt(mine, str(tmp_path / "hostile.json"))
    return mine


async def test_a_game_of_another_registry_is_refused(stranger_chain: DeployedChain, tmp_path: Path) -> None:
    """Tests that `adopt` rejects a game with the right code and a hostile registry of session keys.
    The registry claims that every caller acts for the victim."""
    manifest = json.loads(manifest_of(stranger_chain).read_text())
    registry = (await create_contract(stranger_chain, ANSWERS_VICTIM))["address"]
    creation = artifacts.load("TicTacToe").creation((registry, 1), {})
    manifest_entry(manifest, "TicTacToe").update(await create_contract(stranger_chain, creation))
    with pytest.raises(UserError, match="created by different code, or with arguments that differ"):
        await adopt_manifest(stranger_chain, tmp_path, manifest)
    # Use the CREATE2 deployer, which this program also uses.
    receipt = await send(stranger_chain, create2.call_data(creation), create2.DEPLOYER)
    height = int(receipt["blockNumber"], 16)
    manifest_entry(manifest, "TicTacToe").update(address=create2.address_of(creation), height=height)
    with pytest.raises(UserError, match="created by different code, or with arguments that differ"):
        await adopt_manifest(stranger_chain, tmp_path, manifest)


async def test_another_contract_is_no_registry(stranger_chain: DeployedChain, tmp_path: Path) -> None:
    """Tests that `adopt` rejects three wrong manifests. The first names a game's contract as the
    registry. The other two name contracts by the paths of their artifacts."""
    manifest = json.loads(manifest_of(stranger_chain).read_text())
    game = manifest_entry(manifest, "TicTacToe")
    for claimed in ({**game}, {**manifest["sessions"], "contract": str(artifacts.FOLDER / "Sessions")}):
        with pytest.raises(UserError, match="its `sessions` is not the contract Sessions"):
            await adopt_manifest(stranger_chain, tmp_path, {**manifest, "sessions": claimed})
    game["contract"] = str(artifacts.FOLDER / "TicTacToe")
    with pytest.raises(UserError, match="a game that this program doesn't have"):
        await adopt_manifest(stranger_chain, tmp_path, manifest)


async def test_a_registry_of_another_constructor_is_refused(stranger_chain: DeployedChain, tmp_path: Path) -> None:
    """Tests that `adopt` rejects a registry with the right runtime code and a different
    constructor. The constructor might already have stored session keys."""
    manifest = json.loads(manifest_of(stranger_chain).read_text())
    code = await stranger_chain.node.request("eth_getCode", (manifest["sessions"]["address"], "latest"))
    size = f"{len(code) // 2 - 1:04x}"
    # The constructor stores 1 in slot 0 and returns the runtime code.
    creation = f"0x60015f5561{size}80600e5f395ff3" + code[2:]
    manifest["sessions"].update(await create_contract(stranger_chain, creation))
    with pytest.raises(UserError, match="created by different code"):
        await adopt_manifest(stranger_chain, tmp_path, manifest)


@pytest.mark.parametrize("names_none", [True, False])
async def test_libraries_of_others_are_refused(stranger_chain: DeployedChain, tmp_path: Path, names_none: bool) -> None:
    manifest = json.loads(manifest_of(stranger_chain).read_text())
    other = (await create_contract(stranger_chain, ANSWERS_VICTIM))["address"]
    artifact = artifacts.load("Conquest")
    libraries = dict.fromkeys(artifact.libraries, other)
    creation = artifact.creation((manifest["sessions"]["address"], 1), libraries)
    manifest_entry(manifest, "Conquest").update(await create_contract(stranger_chain, creation))
    manifest_entry(manifest, "Conquest")["libraries"] = {} if names_none else libraries
    with pytest.raises(
        UserError, match="calls the library .*, but it doesn't" if names_none else "created by different code"
    ):
        await adopt_manifest(stranger_chain, tmp_path, manifest)
    receipt = await send(stranger_chain, create2.call_data(creation), create2.DEPLOYER)
    manifest_entry(manifest, "Conquest").update(
        address=create2.address_of(creation), height=int(receipt["blockNumber"], 16), libraries=libraries
    )
    with pytest.raises(UserError, match="calls contracts that are not in the manifest"):
        await adopt_manifest(stranger_chain, tmp_path, manifest)


async def test_one_library_is_not_taken_for_another(stranger_chain: DeployedChain, tmp_path: Path) -> None:
    manifest = json.loads(manifest_of(stranger_chain).read_text())
    artifact = artifacts.load("Conquest")
    names = list(artifact.libraries)
    mine = manifest_entry(manifest, "Conquest")["libraries"]
    libraries = {name: mine[other] for name, other in zip(names, [*names[1:], names[0]], strict=True)}
    creation = artifact.creation((manifest["sessions"]["address"], 1), libraries)
    receipt = await send(stranger_chain, create2.call_data(creation), create2.DEPLOYER)
    manifest_entry(manifest, "Conquest").update(
        address=create2.address_of(creation), height=int(receipt["blockNumber"], 16), libraries=libraries
    )
    with pytest.raises(UserError, match="calls contracts that are not in the manifest"):
        await adopt_manifest(stranger_chain, tmp_path, manifest)


async def test_a_contract_with_another_source_comment_is_adopted(stranger_chain: DeployedChain, tmp_path: Path) -> None:
    """Tests that `adopt` accepts a contract that differs only in a comment. The comment changes the
    metadata hash, and therefore also the contract's address."""
    manifest = json.loads(manifest_of(stranger_chain).read_text())
    artifact = artifacts.load("TicTacToe")
    end, sessions = len(artifact.bytecode), manifest["sessions"]["address"]
    code = artifact.bytecode[: end - 40] + "11" * 10 + artifact.bytecode[end - 20 :]
    creation = code + encode(["address", "uint48"], [sessions, 1]).hex()
    receipt = await send(stranger_chain, create2.call_data(creation), create2.DEPLOYER)
    address = create2.address_of(creation)
    manifest_entry(manifest, "TicTacToe").update(address=address, height=int(receipt["blockNumber"], 16))
    mine = await adopt_manifest(stranger_chain, tmp_path, manifest)
    assert [one.address for one in known_deployments(mine) if one.contract == "TicTacToe"] == [address]


async def test_matches_beyond_the_end_of_all_contracts_are_not_hidden(
    stranger_chain: DeployedChain, tmp_path: Path
) -> None:
    await stranger_chain.play(1, "create", 5, 5, False)
    manifest = json.loads(manifest_of(stranger_chain).read_text())
    for one in manifest["games"]:
        one["end_match"] = 1
    with pytest.raises(UserError, match=r"the manifest has no contract for matches of [a-z-]+ from number 1 on$"):
        await adopt_manifest(stranger_chain, tmp_path, manifest)


async def test_an_end_that_the_contract_has_not_reached_is_refused(
    stranger_chain: DeployedChain, tmp_path: Path
) -> None:
    manifest = json.loads(manifest_of(stranger_chain).read_text())
    claimed = manifest_entry(manifest, "TicTacToe")
    creation = artifacts.load("TicTacToe").creation((manifest["sessions"]["address"], 9), {})
    receipt = await send(stranger_chain, create2.call_data(creation), create2.DEPLOYER)
    newer = {"address": create2.address_of(creation), "height": int(receipt["blockNumber"], 16), "first_match": 9}
    manifest["games"].append({**claimed, **newer})
    claimed["end_match"] = 9
    with pytest.raises(UserError, match="has matches 1 to 0, but the manifest lists matches from 1 to 8"):
        await adopt_manifest(stranger_chain, tmp_path, manifest)


async def test_addresses_are_kept_checksummed(stranger_chain: DeployedChain, tmp_path: Path) -> None:
    manifest = json.loads(manifest_of(stranger_chain).read_text())
    for one in (manifest["sessions"], *manifest["libraries"], *manifest["games"]):
        one["address"] = one["address"].lower()
    mine = await adopt_manifest(stranger_chain, tmp_path, manifest)
    assert known_deployments(mine) == stranger_chain.deployments


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("first_match", "1", "`first_match` is '1', but must be a whole number"),
        ("first_match", None, "`first_match` is 'None', but must be a whole number"),
        ("first_match", -5, "`first_match` is '-5', but must be a whole number"),
        ("first_match", 2**60, "a whole number, at least 1"),
        ("first_match", 2, "created by different code, or with arguments that differ"),
        ("end_match", "x", "`end_match` is 'x', but must be a whole number"),
        ("libraries", ["0x00"], "doesn't map names to addresses"),
        ("libraries", {"a": 5}, "calls the library a at 5, but it doesn't"),
        ("libraries", {"a": ""}, "calls the library a at "),
        ("contract", "../artifacts/Conquest", "a game that this program doesn't have"),
        ("contract", "a\0b", "a game that this program doesn't have"),
        ("contract", ["x"], "a game that this program doesn't have"),
        ("address", "0x", "must be an address"),
        ("address", None, "must be an address"),
        ("sessions", 7, "must be an address"),
        ("height", -1, "a whole number, at least 0"),
        ("height", 10**18, "was created in block"),
        ("height", "0x1", "a whole number, at least 0"),
        ("height", True, "a whole number, at least 0"),
        ("game", ["x"], "`game` is .*, but must be a string"),
    ],
)
async def test_a_value_of_another_kind_is_named(
    stranger_chain: DeployedChain, tmp_path: Path, field: str, value: Any, words: str
) -> None:
    manifest = json.loads(manifest_of(stranger_chain).read_text())
    manifest_entry(manifest, "TicTacToe")[field] = value
    with pytest.raises(UserError, match=words):
        await adopt_manifest(stranger_chain, tmp_path, manifest)


async def test_an_address_that_is_there_twice_is_refused(stranger_chain: DeployedChain, tmp_path: Path) -> None:
    manifest = json.loads(manifest_of(stranger_chain).read_text())
    manifest["games"].append({**manifest["games"][0], "address": manifest["games"][0]["address"].lower()})
    with pytest.raises(UserError, match="`games` has the same address twice"):
        await adopt_manifest(stranger_chain, tmp_path, manifest)
