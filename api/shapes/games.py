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
"""The times per move, in seconds, that a player can choose in the search for an opponent. The
longest time is for casual games."""

Title = Annotated[str, about("the game's name in texts for players", "Chess")]
LayoutName = Annotated[str, about("the name of the layout in which the page draws the game's boards", "grid")]


class OptionShape(Shape):
    """A value that the player can choose for an input."""

    value: Annotated[int, about("the number to send as the argument", 1)]
    label: Annotated[str, about("the option's name in texts for players", "Knight")]


class InputShape(Shape):
    """An argument of an action that the player enters."""

    name: Annotated[str, about("the argument's name in the ABI", "to")]
    label: Annotated[str, about("the input's name in texts for players", "To")]
    kind: Annotated[
        str,
        about(
            "the kind of value: int, bool, choice, address, opponent (an address), token (an address), "
            "clock (seconds), amount (of ether or tokens, as decimal text such as 0.5), or text",
            "int",
        ),
    ]
    minimum: Annotated[int, about("the smallest value of an int or a clock; 0 for other kinds", 0)]
    maximum: Annotated[
        int,
        about(
            "the largest value of an int or a clock, or the maximum length of a text in bytes of UTF-8; "
            "0 for other kinds",
            63,
        ),
    ]
    default: Annotated[Any, about("the initial value; null if there is none", None)]
    options: Annotated[
        list[OptionShape], about("the values from which the player chooses; empty unless `kind` is choice", [])
    ]
    token: Annotated[
        str,
        about("for an amount of tokens, the name of the input that selects the token; otherwise empty", ""),
    ]


class GasShape(Shape):
    """A gas limit that always suffices: `base + each * n`. Here, `n` is the number of items in the
    board field that `of` names."""

    base: Annotated[int, about("the part of the gas limit that is the same on every board", 200_000)]
    each: Annotated[
        int,
        about(
            "the additional gas for each item in the field that `of` names; 0 if the limit is the same on every board",
            0,
        ),
    ]
    of: Annotated[
        str, about("the name of a board field that contains the items, or their number; empty if `each` is 0", "")
    ]
    usual: Annotated[int, about("the average gas that a call uses in a match; 0 if it has not been measured", 36_000)]
    words: Annotated[
        int,
        about(
            "the usual length of the arguments in words of 32 bytes; 0 if the length follows from the arguments' types",
            0,
        ),
    ]


class PaysShape(Shape):
    """The deposit for a call. Each field names an input of the action. If the action has no input
    with this name, the field names a board field."""

    amount: Annotated[str, about("the name of the input or board field that holds the amount", "stake")]
    token: Annotated[
        str,
        about(
            "the name of the input or board field that holds the token's address; if the address is absent or "
            "zero, the deposit is in ether",
            "token",
        ),
    ]


class ActionShape(Shape):
    """A function of the contract that players call."""

    name: Annotated[str, about("the function's name in the ABI", "move")]
    signature: Annotated[
        str, about("the function's name with the types of its arguments", "move(uint48,uint32,uint8,uint8)")
    ]
    opens: Annotated[bool, about("true if the action opens a match; false if it needs an existing match", False)]
    label: Annotated[str, about("the action's name in texts for players", "Move")]
    inputs: Annotated[
        list[InputShape],
        about("the arguments that the player enters; clients take the other arguments from the match and its board"),
    ]
    gas: Annotated[GasShape, about("a gas limit that always suffices")]
    pays: Annotated[PaysShape | None, about("the deposit that the call requires; null if it requires none", None)]
    secret: Annotated[
        bool,
        about("true if the arguments must stay secret until the call is sent, so no node may simulate the call", False),
    ]


class DeploymentShape(Shape):
    """A contract that holds the matches `firstMatch <= id < endMatch`."""

    address: Contract
    firstBlock: Annotated[int, about("the height of the block that created the contract", 2)]
    firstMatch: Annotated[int, about("the number of the contract's first match", 1)]
    endMatch: NotRequired[
        Annotated[int, about("the number of the next contract's first match; absent if this contract is the newest")]
    ]


class CompanionShape(Shape):
    """A further contract of a game, which players can choose in an action."""

    name: Annotated[str, about("the contract's name in the source code", "Grandmaster")]
    address: Contract
    codeHash: Annotated[Hash, about("the Keccak-256 hash of the contract's code, as 0x hex")]


Abi = Annotated[
    list[dict[str, Any]],
    about(
        "the contract's ABI",
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
    start: Annotated[Json, about("the board before a match's first event", {"status": "none", "ply": 0, "players": {}})]
    address: Annotated[
        Address | None,
        about("the address of the newest contract, which new matches use; null if none is deployed", CONTRACT),
    ]
    abi: NotRequired[Annotated[Abi, about("the newest contract's ABI; absent with `abi=false`")]]
    abiHash: Annotated[Hash, about("the hash of the newest contract's ABI, for `GET /abis/{hash}`")]
    firstBlock: Annotated[
        int | None, about("the height of the block that created the oldest contract; null if none is deployed", 2)
    ]
    deployments: Annotated[list[DeploymentShape], about("all deployed contracts of the game, oldest first")]
    companions: Annotated[
        list[CompanionShape], about("the game's other contracts, which players can choose in an action")
    ]
    actions: Annotated[list[ActionShape], about("the contract's functions that players call")]
    presets: Annotated[
        list[int],
        about(
            "the times per move, in seconds, that players can choose in the websocket's `seek`; 0 means no clock", [600]
        ),
    ]


class GamesShape(Shape):
    """All games of this server."""

    games: Annotated[list[GameShape], about("the games, in the order in which the page shows them")]


def abi_hash(abi: list[Json]) -> str:
    """Return the keccak256 hash of the ABI as JSON. A different ABI has a different hash, so
    browsers and proxies can cache the ABI under its hash forever."""
    return f"0x{keccak(orjson.dumps(abi)).hex()}"


def game(rules: Game, deployments: list[Deployment], libraries: Mapping[str, Json], *, abi: bool) -> GameShape:
    """Return a game with its deployments, oldest first. New matches are opened in the newest
    deployment. `libraries` maps names to the manifest's libraries. The ABI is included only if
    `abi` is true, but its hash always is."""
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
    """Return the times per move, in seconds, that a player can choose in the search for an
    opponent, the longest last. If the game has no clock, the only choice is 0."""
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
