"""Checks which actions the rules allow to a stranger. These must be exactly the actions that the
game reports as overdue or due. Actions that have arguments other than the match, or that give the
caller a seat, don't count."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from contracts import artifacts
from indexer.gamekit.game import Game
from indexer.model import Json
from indexer.rules.call import Call, CallBlock, IllegalMove, Rule

STRANGER = "0x" + 40 * "9"


def check_overdue(game: Game, board: Json, now: int) -> None:
    allowed = {name for name in _actions(game.contract) if _is_allowed(game, board, name, now)}
    assert allowed == {game.overdue(board, now), game.due(board)} - {None}, (board, now)


@cache
def _actions(contract: str) -> frozenset[str]:
    """Return the names of those functions of the contract that change the state and take only the
    match as an argument."""
    return frozenset(
        entry["name"]
        for entry in artifacts.load(contract).abi
        if entry["type"] == "function"
        and entry["stateMutability"] not in ("view", "pure")
        and [one["name"] for one in entry["inputs"]] == ["matchId"]
    )


def _is_allowed(game: Game, board: Json, action: str, now: int) -> bool:
    rules: Rule = import_module(f"indexer.rules.{game.module}").events
    try:
        emitted = rules(board, Call(STRANGER, action, block=CallBlock(10**6, now)))
    except IllegalMove:
        return False
    return "PlayerJoined" not in [name for name, _ in emitted]
