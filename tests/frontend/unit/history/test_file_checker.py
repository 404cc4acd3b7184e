"""Tests that the page finds forged replay files when it compares them with a real chain, and
accepts true files."""

from __future__ import annotations

import copy
import json
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from api.shapes.events import event as event_shape
from contracts.artifacts import load
from indexer.gamekit.game import board_hash, diff, fold
from indexer.games import GAMES
from indexer.model import Event, Json
from tests.contracts.support.anvil import AnvilNode
from tests.contracts.support.contract import Contract, deploy_game
from tests.fixtures.transcripts.record import accounts_for, recordable_matches
from tests.frontend.unit.test_modules import NODE, ROOT

Forge = Callable[[Json], Any]


@dataclass
class Played:
    """A match on a running chain, and the true replay file of this match."""

    url: str
    game: Contract
    replay: Json

    def checked(self, *files: Json, lacks: Sequence[str] = ()) -> list[Json]:
        """Return the page's result for each file. `lacks` names the fields that the node omits from
        its logs."""
        game = {"abi": load(GAMES[self.game.slug].contract).abi, "address": self.game.address, "deployments": []}
        asked = {"url": self.url, "game": game, "record": self.replay, "files": files, "lacks": lacks}
        command = [NODE, "tests/frontend/unit/history/file-checker.mjs"]
        run = subprocess.run(command, cwd=ROOT, input=json.dumps(asked), capture_output=True, text=True, timeout=120)
        assert run.returncode == 0, run.stderr
        found: list[Json] = json.loads(run.stdout)
        return found

    def forged(self, *changes: Forge) -> Json:
        replay = copy.deepcopy(self.replay)
        for change in changes:
            change(replay)
        return replay


@contextmanager
def played(slug: str, name: str) -> Iterator[Played]:
    anvil = AnvilNode(accounts_for(slug))
    try:
        _, game = deploy_game(anvil, load(GAMES[slug].contract))
        match = recordable_matches(slug)[name](game)
        logs = anvil.rpc("eth_getLogs", {"address": game.address, "fromBlock": "0x0"})
        events = [event for event in game.events(logs) if event.match == match]
        yield Played(f"http://127.0.0.1:{anvil.port}", game, replay_of(game, match, events))
    finally:
        anvil.close()


def replay_of(game: Contract, match: int, events: list[Event]) -> Json:
    """Return the fields of a replay file that the page compares with the chain."""
    rules = GAMES[game.slug]
    board, steps = rules.start, []
    for event in events:
        before, board = board, fold(rules, board, [event])
        steps.append({**event_shape(event), "patch": diff(before, board)})
    return {
        "match": f"{game.slug}/{match}",
        "game": {"slug": game.slug, "title": rules.title, "layout": rules.layout},
        "deployment": {"contract": rules.contract, "address": game.address, "block": 2, "firstMatch": 1},
        "start": rules.start,
        "events": steps,
        "board": board,
        "boardHash": board_hash(board),
    }


@pytest.fixture(scope="module")
def hops() -> Iterator[Played]:
    with played("deblockle", "near") as it:
        yield it


MATCHES = [(slug, next(iter(recordable_matches(slug)))) for slug in GAMES if recordable_matches(slug)]


@pytest.mark.parametrize(("slug", "name"), MATCHES)
def test_a_true_file_is_the_same_as_its_chain(slug: str, name: str) -> None:
    with played(slug, name) as it:
        last = len(it.replay["events"])
        assert it.checked(it.replay) == [{"state": "same", "differences": [], "count": last, "boards": True}]


def test_a_node_that_says_no_times_in_its_logs_is_asked_for_the_blocks(hops: Played) -> None:
    late = hops.forged(lambda it: it["events"][3].update(time=it["events"][3]["time"] + 1))
    true, forged = hops.checked(hops.replay, late, lacks=["blockTimestamp"])
    assert true["state"] == "same"
    assert [(one["seq"], one["path"]) for one in forged["differences"]] == [(4, "time")]


def first(replay: Json, name: str) -> Json:
    """Return the file's first event with this name."""
    return next(event for event in replay["events"] if event["name"] == name)


def address_in_args(replay: Json) -> None:
    first(replay, "PlayerJoined")["args"]["player"] = "0x" + 40 * "1"


def renumbered(replay: Json) -> None:
    for number, event in enumerate(replay["events"], 1):
        event["seq"] = number


def swapped(replay: Json) -> None:
    events = replay["events"]
    events[5], events[6] = events[6], events[5]
    renumbered(replay)


def left_out(replay: Json) -> None:
    del replay["events"][6]
    renumbered(replay)


def added(replay: Json) -> None:
    last = replay["events"][-1]
    replay["events"].append({**last, "seq": last["seq"] + 1, "logIndex": last["logIndex"] + 1, "patch": {}})


def patched_and_back(replay: Json) -> None:
    """Change the patches of two events so that the boards between them are wrong, but the last
    board stays the same."""
    replay["events"][6]["patch"]["lie"] = 1
    replay["events"][7]["patch"]["lie"] = None


def of_event(number: int, **changes: Any) -> Forge:
    return lambda replay: replay["events"][number - 1].update(changes)


AFTER_LAST = -1
FORGED: dict[str, tuple[Forge, str, int, str]] = {
    "a name and its arguments, as H2": (
        lambda it: (of_event(7, name="Hopped")(it), first(it, "Hopped")["args"].update(toX=1, toY=1)),
        "chain",
        7,
        "name",
    ),
    "an argument": (lambda it: first(it, "Rolled")["args"].update(toX=6), "chain", 7, "args.toX"),
    "an argument more": (lambda it: first(it, "Rolled")["args"].update(more=6), "chain", 7, "args.more"),
    "an address": (address_in_args, "chain", 2, "args.player"),
    "a time": (of_event(5, time=1), "chain", 5, "time"),
    "a block's number": (lambda it: it["events"][4].update(block=it["events"][4]["block"] + 1), "chain", 5, "block"),
    "a block's hash": (of_event(5, hash="0x" + 64 * "0"), "chain", 5, "hash"),
    "a transaction": (of_event(5, tx="0x" + 64 * "0"), "chain", 5, "tx"),
    "a log's place": (of_event(5, logIndex=77), "chain", 5, "logIndex"),
    "the order": (swapped, "chain", 6, "name"),
    "an event left out": (left_out, "chain", 7, "name"),
    "an event added": (added, "chain", AFTER_LAST, "name"),
    "a patch": (patched_and_back, "server", 7, "patch.lie"),
    "the start": (lambda it: it["start"].update(lie=1), "server", 0, "start.lie"),
    "the game's title": (lambda it: it["game"].update(title="Chess"), "server", 0, "game.title"),
    "the contract's code": (lambda it: it["deployment"].update(codeHash="0x"), "server", 0, "deployment.codeHash"),
}


def test_what_was_forged_is_named(hops: Played) -> None:
    last = len(hops.replay["events"])
    found = hops.checked(*(hops.forged(change) for change, *_ in FORGED.values()))
    for (what, (_, by, seq, path)), result in zip(FORGED.items(), found, strict=True):
        assert (result["state"], result["by"]) == ("differs", by), what
        number = last + 1 if seq == AFTER_LAST else seq
        assert next((one["seq"], one["path"]) for one in result["differences"]) == (number, path), what


def test_a_file_that_ends_early_is_true_and_its_rest_is_counted(hops: Played) -> None:
    def cut(replay: Json) -> None:
        del replay["events"][-3:]

    [result] = hops.checked(hops.forged(cut))
    assert (result["state"], result["count"]) == ("same", len(hops.replay["events"]))


def test_a_block_that_the_node_does_not_have_leaves_the_file_unchecked(hops: Played) -> None:
    [result] = hops.checked(hops.forged(of_event(5, block=10**6)))
    assert result == {"state": "unanswered", "why": {"key": "checked.not-there", "args": {"height": 10**6}}}


def test_boards_are_not_compared_with_a_record_that_lags() -> None:
    with played("tic-tac-toe", "host-wins") as it:
        whole, it.replay = it.replay, it.forged(lambda replay: replay["events"].pop())
        [result] = it.checked(whole)
        assert (result["state"], result["boards"]) == ("same", False)
