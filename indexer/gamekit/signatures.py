"""Completes the actions of a game with signatures from the contract's ABI."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eth_utils.abi import abi_to_signature

from indexer.gamekit.game import Action, Game
from indexer.model import Json


class UnknownAction(Exception):
    """The contract has no function for an action, or the function has no argument for an input."""


def with_signatures(game: Game, abi: Sequence[Json]) -> Game:
    """Return the game with `signature` and `opens` set in its actions. Raises UnknownAction."""
    return replace(game, actions=tuple(_complete(one, _function(game, one, abi)) for one in game.actions))


def _complete(action: Action, function: Json) -> Action:
    signature = abi_to_signature(function)  # type: ignore[arg-type]
    return replace(action, signature=signature, opens="matchId" not in _arguments(function))


def _function(game: Game, action: Action, abi: Sequence[Json]) -> Json:
    """Return the ABI entry of the contract function for an action. The function must have all
    inputs of the action as arguments. Of several overloads, return the one with the fewest
    arguments."""
    functions = [one for one in abi if one["type"] == "function" and one["stateMutability"] not in ("view", "pure")]
    overloads = sorted((one for one in functions if one["name"] == action.name), key=lambda one: len(one["inputs"]))
    if not overloads:
        names = ", ".join(sorted({one["name"] for one in functions}))
        raise UnknownAction(f"{game.title}: {game.contract} has no function {action.name!r}; it has {names}")
    inputs = {one.name for one in action.inputs}
    fitting = [one for one in overloads if inputs <= set(_arguments(one))]
    if not fitting:
        known = {name for one in overloads for name in _arguments(one)}
        wrong = ", ".join(map(repr, sorted(inputs - known)))
        signatures = " or ".join(f"{action.name}({', '.join(_arguments(one))})" for one in overloads)
        if not wrong:
            raise UnknownAction(
                f"{game.title}: no overload of {action.name!r} takes all these inputs. Use {signatures}"
            )
        raise UnknownAction(
            f"{game.title}: the action {action.name!r} has no argument {wrong}. Its signature is {signatures}"
        )
    return fitting[0]


def _arguments(function: Json) -> list[str]:
    return [one["name"] for one in function["inputs"]]
