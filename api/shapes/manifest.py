"""A server's contracts, with the data that `chainboard adopt` needs to find them on the chain."""

from typing import Annotated, NotRequired

from api.shapes.fields import CONTRACT, Contract, Genesis, Shape, Slug, about, example_hash
from indexer.model import Json

SESSIONS = {"contract": "Sessions", "address": CONTRACT, "firstBlock": 1}


class ContractShape(Shape):
    """A deployed contract with its name in the source code."""

    contract: Annotated[str, about("the contract's name in the source code", "Sessions")]
    address: Contract
    firstBlock: Annotated[int, about("the height of the block that created the contract", 2)]


class GameContractShape(ContractShape):
    """A contract of a game. It holds the matches `firstMatch <= id < endMatch`."""

    game: Slug
    sessions: Annotated[Contract, about("the registry of session keys that the contract uses")]
    libraries: Annotated[
        dict[str, Contract],
        about("the addresses of the libraries that the contract calls; each key is a library's name", {}),
    ]
    firstMatch: Annotated[int, about("the number of the contract's first match", 1)]
    endMatch: NotRequired[
        Annotated[int, about("the number of the next contract's first match; absent if this contract is the newest")]
    ]


class ManifestShape(Shape):
    """A deployment: everything that `chainboard deploy` has put on a chain."""

    chainId: Annotated[int | None, about("the chain's id; null if nothing is deployed", 31337)]
    genesis: Annotated[
        Genesis | None, about("the hash of the chain's block 0; null if nothing is deployed", example_hash("a4"))
    ]
    sessions: Annotated[
        ContractShape | None, about("the newest registry of session keys; null if nothing is deployed", SESSIONS)
    ]
    libraries: Annotated[
        list[ContractShape], about("the contracts that other contracts call or that players can choose in an action")
    ]
    games: Annotated[
        list[GameContractShape],
        about("the contracts of all games; those of the same game are ordered from oldest to newest"),
    ]


def manifest(found: Json | None) -> ManifestShape:
    """Convert a deployment manifest to the shape that the API returns."""
    if found is None:
        return {"chainId": None, "genesis": None, "sessions": None, "libraries": [], "games": []}
    return {
        "chainId": found["chainId"],
        "genesis": found["genesis"],
        "sessions": _contract(found["sessions"]),
        "libraries": [_contract(one) for one in found.get("libraries", ())],
        "games": [_game(one) for one in found["games"]],
    }


def _contract(found: Json) -> ContractShape:
    return {"contract": found["contract"], "address": found["address"], "firstBlock": found["height"]}


def _game(found: Json) -> GameContractShape:
    made: GameContractShape = {
        "contract": found["contract"],
        "address": found["address"],
        "firstBlock": found["height"],
        "game": found["game"],
        "sessions": found["sessions"],
        "libraries": found.get("libraries", {}),
        "firstMatch": found["first_match"],
    }
    if found["end_match"] is not None:
        made["endMatch"] = found["end_match"]
    return made
