"""Games, their contracts, and what players can do."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any, NotRequired, cast

import orjson
from eth_utils.crypto import keccak

from api.shapes.fields import CONTRACT, Address, Contract, Hash, Shape, Slug, about
from indexer.gamekit.game import Action, Game, Input
from indexer.model import Deployment, Json

PRESETS = 180, 600, 3600
"""Seconds for a move for which players are paired; the longest one is casual."""

Title = Annotated[str, about("what to call it before a player", "Chess")]
LayoutName = Annotated[str, about("how the page draws its boards", "grid")]


class OptionShape(Shape):
    """A value that can be chosen."""

    value: Annotated[int, about("for the contract", 1)]
    label: Annotated[str, about("what to call it before a player", "Knight")]


class InputShape(Shape):
    """An argument that the player gives an action."""

    name: Annotated[str, about("its name in the ABI", "to")]
    label: Annotated[str, about("what to call it before a player", "To")]
    kind: Annotated[
        str, about("int, bool, choice, address, opponent, token, clock (seconds), amount (decimal) or text", "int")
    ]
    minimum: Annotated[int, about("the least that is allowed, of an int or a clock", 0)]
    maximum: Annotated[int, about("the most that is allowed; of a text in bytes of UTF-8", 63)]
    default: Annotated[Any, about("what to begin with; null: nothing", None)]
    options: Annotated[list[OptionShape], about("what is allowed, of a choice; of others empty", [])]
    token: Annotated[str, about("the input that says which token an amount is of; empty: ether", "")]


class GasShape(Shape):
    """A gas limit that always suffices: `base + each * board[of]`."""

    base: Annotated[int, about("gas in any case", 200_000)]
    each: Annotated[int, about("gas for each of what the board counts; 0: none", 0)]
    of: Annotated[str, about("the board's field that counts; empty: none", "")]
    usual: Annotated[int, about("gas that it takes in the mean of a match; 0: not measured", 36_000)]
    words: Annotated[int, about("words of call data for its arguments where those are long; 0: by their types", 0)]


class PaysShape(Shape):
    """What a call deposits: the names of the input, else of the board's field, with the amount and with the token."""

    amount: Annotated[str, about("where the amount stands", "stake")]
    token: Annotated[str, about("where the token stands; the zero address, or nothing there: ether", "token")]


class ActionShape(Shape):
    """A function of the contract that players call."""

    name: Annotated[str, about("its name in the ABI", "move")]
    signature: Annotated[str, about("its name with the types of its arguments", "move(uint48,uint32,uint8,uint8)")]
    opens: Annotated[bool, about("whether it opens a match; else it plays in one", False)]
    label: Annotated[str, about("what to call it before a player", "Move")]
    inputs: Annotated[list[InputShape], about("what the player is asked for; all else follows from the position")]
    gas: Annotated[GasShape, about("a gas limit that always suffices")]
    pays: Annotated[PaysShape | None, about("what it deposits; null: nothing", None)]
    secret: Annotated[bool, about("its arguments are secret until they are sent: no node is asked about it", False)]


class DeploymentShape(Shape):
    """A contract that holds the matches `firstMatch <= id < endMatch`."""

    address: Contract
    firstBlock: Annotated[int, about("the block that it came in", 2)]
    firstMatch: Annotated[int, about("its first match", 1)]
    endMatch: NotRequired[Annotated[int, about("the first match of the next contract; absent: this is the newest")]]


class CompanionShape(Shape):
    """A contract that players can name in an action."""

    name: Annotated[str, about("its name in the sources", "Grandmaster")]
    address: Contract
    codeHash: Annotated[Hash, about("keccak256 of its code")]


Abi = Annotated[
    list[dict[str, Any]],
    about(
        "that contract's ABI",
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
    """An ABI alone."""

    abi: Abi


class GameShape(Shape):
    """A game, its contracts, and what players can do."""

    slug: Slug
    title: Title
    layout: LayoutName
    start: Annotated[Json, about("the board before a match is opened", {"status": "none", "ply": 0, "players": {}})]
    address: Annotated[Address | None, about("the contract where new matches open; null: none is deployed", CONTRACT)]
    abi: NotRequired[Abi]
    abiHash: Annotated[Hash, about("what `GET /abis/{hash}` has that ABI by")]
    firstBlock: Annotated[int | None, about("the block that its oldest contract came in; null: none is deployed", 2)]
    deployments: Annotated[list[DeploymentShape], about("all its contracts, oldest first")]
    companions: Annotated[list[CompanionShape], about("contracts beside it that its players can name")]
    actions: Annotated[list[ActionShape], about("what players can do")]
    presets: Annotated[
        list[int],
        about(
            "seconds for a move for which the websocket's `seek` pairs players, the longest last; 0: no clock", [600]
        ),
    ]


class GamesShape(Shape):
    """All games of this server."""

    games: Annotated[list[GameShape], about("in the order in which they are shown")]


def abi_hash(abi: list[Json]) -> str:
    """keccak256 of its JSON, by which browsers and proxies keep it for good."""
    return f"0x{keccak(orjson.dumps(abi)).hex()}"


def game(rules: Game, deployments: list[Deployment], libraries: Mapping[str, Json], *, abi: bool) -> GameShape:
    """A game of the registry with its deployments, oldest first; the newest one is where new matches open. `libraries`
    by their names, as the manifest has them; `abi`: with it, not with its hash alone."""
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
    """The seconds for a move for which its players are paired, the longest last; 0 where it has no clock."""
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
