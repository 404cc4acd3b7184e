"""A server's contracts, with the data that `chainboard adopt` needs to find them on the chain."""

from typing import Annotated, NotRequired

from api.shapes.fields import CONTRACT, Contract, Genesis, Shape, Slug, about, example_hash
from indexer.model import Json

SESSIONS = {"contract": "Sessions", "address": CONTRACT, "firstBlock": 1}


class ContractShape(Shape):
    """A contract with its name in the sources."""

    contract: Annotated[str, about("the contract's name in the sources", "Sessions")]
    address: Contract
    firstBlock: Annotated[int, about("the block that created it", 2)]


class GameContractShape(ContractShape):
    """A contract of a game. It holds the matches `firstMatch <= id < endMatch`."""

    game: Slug
    sessions: Contract
    libraries: Annotated[dict[str, Contract], about("the libraries that it calls, by name", {})]
    firstMatch: Annotated[int, about("the contract's first match", 1)]
    endMatch: NotRequired[
        Annotated[int, about("the first match of the next contract; if absent, this contract is the newest")]
    ]


class ManifestShape(Shape):
    """A deployment: everything that `chainboard deploy` has put on a chain."""

    chainId: Annotated[int | None, about("the chain's id, or null if nothing is deployed", 31337)]
    genesis: Annotated[
        Genesis | None, about("the hash of that chain's block 0, or null if nothing is deployed", example_hash("a4"))
    ]
    sessions: Annotated[
        ContractShape | None, about("the registry of session keys, or null if nothing is deployed", SESSIONS)
    ]
    libraries: Annotated[list[ContractShape], about("contracts that other contracts call or that players choose")]
    games: Annotated[list[GameContractShape], about("the games' contracts, oldest first within a game")]


def manifest(found: Json | None) -> ManifestShape:
    """Return the shape of a deployment manifest."""
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
