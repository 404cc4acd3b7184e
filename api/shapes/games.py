"""Games, their contracts, and their players' actions."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any, NotRequired, cast

import orjson
from eth_utils.crypto import keccak

from api.shapes.fields import CONTRACT, Address, Contract, Hash, Shape, Slug, about
from indexer.gamekit.game import Action, Game, Input
from indexer.model import Deployment, Json

PRESETS = 180, 600, 3600
"""The times per move, in seconds, that a player can choose when looking for an opponent. The
longest time is for casual games."""

Title = Annotated[str, about("the name that players see", "Chess")]
LayoutName = Annotated[str, about("the page's layout for the game's boards", "grid")]


class OptionShape(Shape):
    """A value that the player can choose for an input."""

    value: Annotated[int, about("the number that the contract expects", 1)]
    label: Annotated[str, about("the name that players see", "Knight")]


class InputShape(Shape):
    """An argument of an action, chosen by the player."""

    name: Annotated[str, about("the argument's name in the ABI", "to")]
    label: Annotated[str, about("the name that players see", "To")]
    kind: Annotated[
        str, about("int, bool, choice, address, opponent, token, clock (seconds), amount (decimal) or text", "int")
    ]
    minimum: Annotated[int, about("the smallest value of an int or a clock", 0)]
    maximum: Annotated[
        int, about("the largest value of an int or a clock, or the maximum length of a text in UTF-8 bytes", 63)
    ]
    default: Annotated[Any, about("the initial value, or null if there is none", None)]
    options: Annotated[list[OptionShape], about("the allowed values of a choice; empty for other kinds", [])]
    token: Annotated[str, about("the name of the input with the amount's token; empty if the amount is in ether", "")]


class GasShape(Shape):
    """A gas limit that always suffices: `base + each * board[of]`."""

    base: Annotated[int, about("the fixed part of the gas", 200_000)]
    each: Annotated[int, about("the gas per item that the board counts, or 0", 0)]
    of: Annotated[str, about("the name of the board field with the number of items; empty if there is none", "")]
    usual: Annotated[int, about("the average gas in a match; 0 if it was not measured", 36_000)]
    words: Annotated[
        int, about("the usual number of 32-byte words in the call data, if some arguments are long; otherwise 0", 0)
    ]


class PaysShape(Shape):
    """The deposit for a call. Each field names an input or, if there is no input with this name, a
    board field."""

    amount: Annotated[str, about("the name of the field with the amount", "stake")]
    token: Annotated[
        str, about("the name of the field with the token; for ether, that field is absent or the zero address", "token")
    ]


class ActionShape(Shape):
    """A function of the contract that players call."""

    name: Annotated[str, about("the action's name in the ABI", "move")]
    signature: Annotated[str, about("the name with the types of the arguments", "move(uint48,uint32,uint8,uint8)")]
    opens: Annotated[bool, about("true if the action opens a match; false if it belongs to an existing match", False)]
    label: Annotated[str, about("the name that players see", "Move")]
    inputs: Annotated[
        list[InputShape], about("the arguments that the player chooses; all others follow from the position")
    ]
    gas: Annotated[GasShape, about("a gas limit that always suffices")]
    pays: Annotated[PaysShape | None, about("the deposit, or null if there is none", None)]
    secret: Annotated[
        bool,
        about("true if the arguments must stay secret until the call is sent, so no node may simulate the call", False),
    ]


class DeploymentShape(Shape):
    """A contract that holds the matches `firstMatch <= id < endMatch`."""

    address: Contract
    firstBlock: Annotated[int, about("the block that created it", 2)]
    firstMatch: Annotated[int, about("the contract's first match", 1)]
    endMatch: NotRequired[
        Annotated[int, about("the first match of the next contract; if absent, this contract is the newest")]
    ]


class CompanionShape(Shape):
    """A contract that players can name in an action."""

    name: Annotated[str, about("the contract's name in the sources", "Grandmaster")]
    address: Contract
    codeHash: Annotated[Hash, about("the keccak256 hash of the contract's code")]


Abi = Annotated[
    list[dict[str, Any]],
    about(
        "the newest contract's ABI",
        [
            {
                "type": "error",
                "name": "Blocked",
                "inputs": [{"name": "cell", "type": "uint8", "internalType": "uint8"}],
            }
        ],
    ),
]


class AbiShape(Shape):
    """The ABI of a contract, without its game."""

    abi: Abi


class GameShape(Shape):
    """A game, its contracts, and its players' actions."""

    slug: Slug
    title: Title
    layout: LayoutName
    start: Annotated[Json, about("the board before a match is opened", {"status": "none", "ply": 0, "players": {}})]
    address: Annotated[Address | None, about("the contract for new matches, or null if none is deployed", CONTRACT)]
    abi: NotRequired[Abi]
    abiHash: Annotated[Hash, about("the ABI's hash for `GET /abis/{hash}`")]
    firstBlock: Annotated[int | None, about("the block that created the oldest contract, or null if there is none", 2)]
    deployments: Annotated[list[DeploymentShape], about("all contracts of the game, oldest first")]
    companions: Annotated[list[CompanionShape], about("further contracts that players can choose in this game")]
    actions: Annotated[list[ActionShape], about("the players' actions")]
    presets: Annotated[
        list[int],
        about("the clocks for which the websocket's `seek` pairs players, in seconds per move; 0 for no clock", [600]),
    ]


class GamesShape(Shape):
    """All games of this server."""

    games: Annotated[list[GameShape], about("the games in display order")]


def abi_hash(abi: list[Json]) -> str:
    """Return the keccak256 hash of the ABI's JSON. Browsers and proxies can cache the ABI under
    this hash forever."""
    return f"0x{keccak(orjson.dumps(abi)).hex()}"


def game(rules: Game, deployments: list[Deployment], libraries: Mapping[str, Json], *, abi: bool) -> GameShape:
    """Return a game with its deployments, oldest first. New matches open in the newest deployment.
    `libraries` contains the manifest's libraries by name. If `abi` is true, include the ABI; its
    hash is always included."""
    newest = deployments[-1] if deployments else None
    entries = newest.abi if newest else []
    made: GameShape = {
        "slug": rules.slug,
        "title": rules.title,
        "layout": rules.layout,
        "start": rules.start,
        "address": newest.address if newest else None,
        "abiHash": abi_hash(entries),
        "firstBlock": min((one.height for one in deployments), default=None),
        "deployments": [_deployment(one) for one in deployments],
        "companions": [_companion(libraries[name]) for name in rules.companions if name in libraries],
        "actions": [_action(one) for one in rules.actions],
        "presets": presets(rules),
    }
    if abi:
        made["abi"] = entries
    return made


def presets(rules: Game) -> list[int]:
    """Return the times per move, in seconds, that a player can choose when looking for an opponent,
    the longest last. If the game has no clock, the only choice is 0."""
    clocks = [one for action in rules.actions if action.opens for one in action.inputs if one.kind == "clock"]
    if not clocks:
        return [0]
    return [seconds for seconds in PRESETS if clocks[0].minimum <= seconds <= clocks[0].maximum]


def _deployment(found: Deployment) -> DeploymentShape:
    made: DeploymentShape = {"address": found.address, "firstBlock": found.height, "firstMatch": found.first_match}
    if found.end_match is not None:
        made["endMatch"] = found.end_match
    return made


def _companion(found: Json) -> CompanionShape:
    return {"name": found["contract"], "address": found["address"], "codeHash": found["code_hash"]}


def _action(action: Action) -> ActionShape:
    return {
        "name": action.name,
        "signature": action.signature,
        "opens": action.opens,
        "label": action.label,
        "inputs": [_input(one) for one in action.inputs],
        "gas": {
            "base": action.gas,
            "each": action.gas_each,
            "of": action.gas_of,
            "usual": action.usual_gas,
            "words": action.usual_words,
        },
        "pays": cast(PaysShape, asdict(action.deposit)) if action.deposit else None,
        "secret": action.secret,
    }


def _input(found: Input) -> InputShape:
    options = [{"value": value, "label": label} for value, label in found.options]
    return cast(InputShape, {**asdict(found), "options": options})
