"""Finds the contract that a replay file names on the chain, with its block and its code. Also
checks whether this version of Chainboard contains exactly that contract."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eth_abi.exceptions import DecodingError
from eth_utils.address import to_checksum_address
from eth_utils.crypto import keccak

from contracts import artifacts
from contracts.abi import decode_result, encode_call
from contracts.create2 import DEPLOYER, parse_call_data
from contracts.rpc_errors import BAD_ANSWER
from indexer.gamekit.game import Game
from indexer.model import Block, Deployment, Header, Json
from indexer.node.client import Node, NodeError
from replay.errors import ReplayError

RANGE = "matchRange"


@dataclass(frozen=True, slots=True)
class NamedContract:
    """The contract that a file names, with its data on the chain. `is_ours` is True if exactly this
    program's code created the contract and the libraries that it calls."""

    deployment: Deployment
    is_ours: bool


@dataclass(frozen=True, slots=True)
class CreatedContract:
    """A contract that a transaction in `block` created. `creation` is the creation code in 0x
    hex."""

    block: Block
    address: str
    code_hash: str
    creation: str


async def find_contract(node: Node, game: Game, claimed: Json, known: Sequence[Deployment] = ()) -> NamedContract:
    """Find the contract that the file names, even if some of the file's claims about it are false.
    First find the block by its hash or height. Then find the contract by its address or code hash.

    Use the ABI of this program's contract, unless the contract is one of `known`, for example an
    earlier version. Raises ReplayError if no claim leads to a contract. Raises NodeUnavailable and
    NodeError."""
    artifact = _artifact(game)
    made = await _find_created(node, claimed)
    abi = next((one.abi for one in known if one.identity == (made.address, made.block.hash)), artifact.abi)
    first = await _first_match(node, abi, made.address)
    fields = (made.address, abi, made.block.height, made.block.hash, made.code_hash, first)
    ours = await _uses_our_libraries(node, artifact, made.creation)
    return NamedContract(Deployment(game.slug, game.contract, *fields), ours)


async def _uses_our_libraries(node: Node, artifact: artifacts.Artifact, creation: str) -> bool:
    """Return True if this is the creation code of this program's contract, and the libraries that
    it is linked to are also this program's."""
    addresses = artifact.addresses_in(creation)
    if addresses is None:
        return False
    codes = {name: str(await node.request("eth_getCode", (one, "latest"))) for name, one in addresses.items()}
    return all(artifacts.load(name).is_library(addresses[name], code) for name, code in codes.items())


def _artifact(game: Game) -> artifacts.Artifact:
    try:
        return artifacts.load(game.contract)
    except artifacts.NoArtifact as error:
        raise ReplayError(str(error)) from error


async def _find_created(node: Node, claimed: Json) -> CreatedContract:
    headers = [*await _by_hash(node, claimed["blockHash"]), *await node.headers_at([claimed["block"]])]
    found = [one for header in headers for one in await _created_in(node, header)]
    for key, value in (("address", claimed["address"]), ("code_hash", claimed["codeHash"])):
        for one in found:
            if getattr(one, key) == value:
                return one
    raise ReplayError(
        f"the replay file doesn't match the chain: its `deployment` names a contract {claimed['address']} that was not "
        f"created in block {claimed['block']} ({claimed['blockHash']})"
    )


async def _by_hash(node: Node, hash: str) -> list[Header]:
    """Return a list with the header of the block that has this hash. If the chain doesn't have the
    block, the list is empty."""
    raw = await node.request("eth_getBlockByHash", (hash.lower(), False))
    try:
        headers = await node.headers_at([int(raw["number"], 16)]) if raw else []
    except (KeyError, TypeError, ValueError) as error:
        raise NodeError(BAD_ANSWER, f"the node returned an unreadable block: {str(raw)[:200]}") from error
    return [one for one in headers if one.block.hash == hash.lower()]


async def _created_in(node: Node, header: Header) -> list[CreatedContract]:
    """Return the contracts that transactions in this block created, directly or through the shared
    deployer."""
    found = []
    for receipt in await node.receipts(header):
        try:
            made = receipt.get("contractAddress")
            if receipt["status"] != "0x1" or not (made or str(receipt["to"]).lower() == DEPLOYER.lower()):
                continue
            tx = await node.request("eth_getTransactionByHash", (str(receipt["transactionHash"]),))
            data = str(tx["input"])
            address, creation = (to_checksum_address(made), data) if made else parse_call_data(data)
            code = await node.request("eth_getCode", (address, "latest"))
            found.append(CreatedContract(header.block, address, "0x" + keccak(hexstr=str(code)).hex(), creation))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise NodeError(BAD_ANSWER, f"the node returned an unreadable receipt: {error!r}") from error
    return found


async def _first_match(node: Node, abi: list[Json], address: str) -> int:
    try:
        answer = await node.request("eth_call", ({"to": address, "data": encode_call(abi, RANGE, ())}, "latest"))
        first, _end = decode_result(abi, RANGE, 0, answer)
    except (NodeError, DecodingError, TypeError, ValueError) as error:
        raise ReplayError(
            f"the replay file doesn't match the chain: its `deployment` names the contract {address}, which has no "
            f"matches ({error})"
        ) from error
    return int(first)
