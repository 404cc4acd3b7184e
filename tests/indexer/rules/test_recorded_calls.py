"""For each recorded call, the rules return the events that the contract emitted."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from itertools import groupby
from pathlib import Path

import orjson
import pytest

from indexer.gamekit.game import fold
from indexer.games import GAMES
from indexer.model import Event, Json
from indexer.rules.call import Call, CallBlock, IllegalMove, Rule

FOLDER = Path(__file__).parents[2] / "fixtures/transcripts"
FILES = sorted(FOLDER.glob("*/*.json"))
ANSWERS = {"0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC": 7}
"""The answer of the recorded captain."""
ONCE = {"create", "invite", "accept", "join", "move", "turn", "makeMove", "passMove", "reveal"}
"""The actions that can't be repeated at any later position with the same arguments."""


def rules_of(slug: str) -> Rule:
    found: Rule = import_module(f"indexer.rules.{slug.replace('-', '_')}").events
    return found


def recorded(file: Path) -> Iterator[tuple[Json, Call, list[Event]]]:
    """Yield the board before each call, the call, and the contract's events. Skip the call that
    opens this match as a rematch. That call belongs to the earlier match, and the rules return the
    earlier match's event."""
    kept = orjson.loads(file.read_bytes())
    game, board = GAMES[kept["game"]], GAMES[kept["game"]].start
    told = (
        Event(game.slug, kept["match"], e["seq"], e["name"], e["args"], e["height"], "", e["time"], "", 0)
        for e in kept["events"]
    )
    for made, (_, group) in zip(kept["calls"], groupby(told, lambda event: event.height), strict=True):
        events = list(group)
        arguments = dict(made["arguments"])
        if arguments.pop("matchId", kept["match"]) == kept["match"]:
            yield board, call_of(made, kept["match"], arguments, events), events
        board = fold(game, board, events)


def call_of(made: Json, match: int, arguments: Json, events: list[Event]) -> Call:
    """Return the call with the block hashes that it needs: the previous block's hash, and the hash
    that a draw reports."""
    hashes = {made["height"] - 1: made["parent"]}
    hashes |= {e.args["entropyBlock"]: e.args["seed"] for e in events if e.args.get("entropyBlock")}
    following = next((event.args["rematch"] for event in events if "rematch" in event.args), 0)
    block = CallBlock(
        made["height"],
        made["time"],
        int(made["randao"], 16),
        lambda height: bytes.fromhex(hashes[height][2:]),
        ANSWERS.get,
    )
    return Call(made["account"], made["action"], arguments, match, following, block)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_recorded_call_gives_the_events_that_the_contract_emitted(file: Path) -> None:
    events_of = rules_of(file.parent.name)
    for board, call, events in recorded(file):
        assert events_of(board, call) == [(event.name, event.args) for event in events], call


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_recorded_call_is_rejected_on_every_later_board(file: Path) -> None:
    """No position occurs twice, so a move that is repeated later is stale or out of time. Only
    other actions can be repeated, and a player who has left can join again."""
    events_of = rules_of(file.parent.name)
    steps = [step for step in recorded(file) if step[1].action in ONCE]
    for number, (_, call, _) in enumerate(steps):
        for board, _, _ in steps[number + 1 :]:
            if call.action == "join" and call.account not in board["players"]:
                continue
            with pytest.raises(IllegalMove):
                events_of(board, call)


@pytest.mark.parametrize("slug", sorted({file.parent.name for file in FILES}))
def test_recorded_calls_have_every_action(slug: str) -> None:
    """If an action were missing, its rule could be wrong without a failing test. Only `cancel` can
    be missing, because it emits the same events as declining."""
    named = {call.action for file in FILES if file.parent.name == slug for _, call, _ in recorded(file)}
    assert {action.name for action in GAMES[slug].actions} - named <= {"cancel"}
