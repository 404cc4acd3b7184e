"""Tests that the Python rules return the same events as the contract for each recorded call."""

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
"""The cell at which each recorded captain fires. The key is the captain's address."""
ONCE = {"create", "invite", "accept", "join", "move", "turn", "makeMove", "passMove", "reveal"}
"""The actions that can't be repeated: with the same arguments, they are illegal in every later
position."""


def rules_of(slug: str) -> Rule:
    found: Rule = import_module(f"indexer.rules.{slug.replace('-', '_')}").events
    return found


def recorded(file: Path) -> Iterator[tuple[Json, Call, list[Event]]]:
    """Yield each call with the board before it and the events that the contract emitted. Skip a
    call that opened this match as a rematch, because it was a call on the previous match."""
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
    """Return the recorded call with the block hashes that the rules need: the hash of the previous
    block, and the hash that a random draw uses as its seed."""
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
    """Tests that the rules reject a call that is made twice, because no position occurs twice. The
    exceptions are actions that aren't in `ONCE`, and `join` by a player who has left."""
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
    """Tests that the recordings contain each action. Otherwise, an error in the rule for a missing
    action would go unnoticed. Only `cancel` may be missing, because it has the same events as
    `decline`."""
    named = {call.action for file in FILES if file.parent.name == slug for _, call, _ in recorded(file)}
    assert {action.name for action in GAMES[slug].actions} - named <= {"cancel"}
