"""Tests that `chainboard verify FILE` confirms a correct replay, and reports where an altered
replay is wrong."""

from __future__ import annotations

import asyncio
import copy
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from indexer.fetch.receipts import BadReceipts
from indexer.gamekit.game import board_hash
from indexer.games import GAMES
from indexer.model import Json
from indexer.node.client import NodeError
from replay.errors import ReplayError
from replay.file import MAX_BYTES, check_replay
from replay.verify import named_contract
from replay.verify.verify_file import verify_replay
from tests.replay.recorded_replays import MATCHES, RecordedMatches, recorded
from tests.support.chain import deployed_chain
from tests.support.command_line import CommandResult, chainboard

Path_ = tuple[str | int, ...]


@pytest.fixture(scope="module")
def it(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecordedMatches]:
    with recorded(tmp_path_factory.mktemp("proof")) as found:
        yield found


def verify(it: RecordedMatches, file: Path) -> CommandResult:
    return chainboard("verify", file, "--rpc", it.url, "--data", file.parent / "nothing-is-here")


def differences_of(it: RecordedMatches, replay: Any) -> list[str]:
    """Return the differences between a replay and the chain. A correct replay has no
    differences."""
    try:
        return it.runner.run(verify_replay(it.chain.node, check_replay(replay, "it"))).differences
    except ReplayError as error:
        return [str(error)]


@pytest.mark.parametrize("match", MATCHES)
def test_a_true_file_is_said_to_be_true(it: RecordedMatches, match: str, tmp_path: Path) -> None:
    said = verify(it, it.file(match, tmp_path))
    last = len(it.replay(match)["events"])
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"Verified: {match}, events 1 to {last} in ")
    assert said.out.endswith(" blocks, 0 pruned\n")
    assert not (tmp_path / "nothing-is-here").exists()


# ---- replays with a single alteration


def leaf_paths(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Yield the path of each value that contains no other values."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from leaf_paths(inner, (*path, key))
    if not isinstance(value, (dict, list)) or not value:
        yield path


def at(value: Any, path: Path_) -> Any:
    for key in path:
        value = value[key]
    return value


def other_values(value: Any) -> list[Any]:
    """Return wrong values to replace this value: similar values, and values with a different
    type."""
    if isinstance(value, bool):
        return [not value, int(value)]
    if isinstance(value, int):
        return [value + 1, str(value), value + 0.5]
    if isinstance(value, str):
        last = {"0": "1"}.get(value[-1:], "0")
        return [value[:-1] + last, value + "x", None] + ([value.swapcase()] if value.lower() != value.upper() else [])
    return [{"more": 1}, 0]


def names_path(path: Path_, said: str) -> bool:
    """Return True if the sentence names the event or the member at this path."""
    if path[0] == "events" and len(path) > 1:
        return f"event {int(path[1]) + 1} " in said and (len(path) < 3 or str(path[2]) in said)
    return str(path[-1]) in said or str(path[0]) in said


ALTERED = [pytest.param(MATCHES[0], None, marks=pytest.mark.soak), (MATCHES[0], 1)]
ALTERED += [pytest.param(one, 1, marks=pytest.mark.soak) for one in MATCHES[1:]]


@pytest.mark.parametrize(("match", "values"), ALTERED)
def test_any_place_that_is_altered_is_found_and_named(it: RecordedMatches, match: str, values: int | None) -> None:
    """Tests that the command finds and names any altered value. The test replaces each value by all
    wrong values, or by one wrong value whose type varies from place to place."""
    replay = it.replay(match)
    places = list(leaf_paths(replay))
    assert len(places) > 150
    missed = []
    for number, path in enumerate(places):
        others = other_values(at(replay, path))
        for value in (others[number % len(others) :] + others)[: values or len(others)]:
            altered = copy.deepcopy(replay)
            at(altered, path[:-1])[path[-1]] = value
            said = differences_of(it, altered)
            if not said or not any(names_path(path, one) for one in said):
                missed.append((path, value, said))
    assert missed == []


def object_paths(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    if isinstance(value, dict):
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from object_paths(inner, (*path, key))


@pytest.mark.parametrize("share", [pytest.param(1, marks=pytest.mark.soak), 4])
def test_any_key_that_is_missing_or_too_many_is_found(it: RecordedMatches, share: int) -> None:
    """Tests that the command finds any missing or extra key. The test changes all objects, or one
    in four objects of each kind, including the first."""
    replay = it.replay("tic-tac-toe/1")
    missed, kinds = [], Counter[Path_]()
    for path in object_paths(replay):
        kind = tuple(step for step in path if isinstance(step, str))
        kinds[kind] += 1
        if (kinds[kind] - 1) % share:
            continue
        more = copy.deepcopy(replay)
        at(more, path)["zz"] = 1
        changed = [more]
        for key in at(replay, path):
            less = copy.deepcopy(replay)
            del at(less, path)[key]
            changed.append(less)
        missed += [(path, one) for one in changed if not differences_of(it, one)]
    assert missed == []


ORDERS: dict[str, tuple[Callable[[list[Json]], Any], str]] = {
    "one is missing": (lambda events: events.pop(4), "found event 6 where event 5 (Moved) should be"),
    "one stands twice": (
        lambda events: events.insert(5, events[4]),
        "found event 5 where event 6 (Moved) should be",
    ),
    "two are swapped": (
        lambda events: events.insert(5, events.pop(4)),
        "found event 6 where event 5 (Moved) should be",
    ),
    "one too many": (
        lambda events: events.append({**events[-1], "seq": 12}),
        "event 12 (MatchEnded) isn't on the chain: the match has 11 events there",
    ),
    "none is left": (lambda events: events.clear(), "event 1 (MatchCreated) and all later events are missing"),
    "the last one is missing": (
        lambda events: events.pop(),
        "board.status is finished, the chain's events give playing",
    ),
}


@pytest.mark.parametrize("order", ORDERS)
def test_a_list_that_is_not_the_chains_is_found(it: RecordedMatches, order: str) -> None:
    change, words = ORDERS[order]
    replay = it.replay("tic-tac-toe/1")
    change(replay["events"])
    assert words in "\n".join(differences_of(it, replay))


def test_the_line_says_which_move_is_false_and_how(it: RecordedMatches, tmp_path: Path) -> None:
    replay = it.replay("tic-tac-toe/1")
    assert replay["events"][4]["args"]["column"] == 0
    replay["events"][4]["args"]["column"] = 2
    file = tmp_path / "altered.json"
    file.write_text(json.dumps(replay))
    said = verify(it, file)
    assert (said.code, said.out) == (1, "event 5 (Moved) doesn't match the chain: args.column is 2, the chain has 0\n")
    assert (
        said.err
        == "chainboard: the replay file doesn't match the chain: the chain has a different history of tic-tac-toe/1\n"
    )


def test_another_number_on_a_match_that_is_there_is_found(it: RecordedMatches) -> None:
    said = differences_of(it, {**it.replay("tic-tac-toe/1"), "match": "tic-tac-toe/2"})
    assert said == ["match is tic-tac-toe/2, the chain has tic-tac-toe/1"]


# ---- correct replays that differ from the chain


def test_a_match_that_has_gone_on_since_is_true(it: RecordedMatches, tmp_path: Path) -> None:
    replay = it.replay("tic-tac-toe/3")
    assert [event["name"] for event in replay["events"]][-1] == "MatchStarted"
    file = it.file("tic-tac-toe/3", tmp_path)
    it.chain.game = next(one for one in it.chain.deployments if one.game == "tic-tac-toe")
    it.runner.run(it.chain.play(1, "move", 3, 0, 1, 1))
    said = verify(it, file)
    assert said.code == 0
    assert said.out.endswith("; the match has continued since: the chain has events 1 to 5\n")


class NodeWrapper:
    """A real node. A subclass can alter the node's answers to one kind of request."""

    def __init__(self, node: Any) -> None:
        self.node = node

    def __getattr__(self, name: str) -> Any:
        return getattr(self.node, name)


def test_a_node_that_leaves_something_out_is_blamed_and_not_the_file(it: RecordedMatches) -> None:
    class Short(NodeWrapper):
        """A node that omits the last log of each receipt."""

        async def receipts(self, header: Any) -> Any:
            found = await self.node.receipts(header)
            return [{**one, "logs": one["logs"][:-1]} for one in found]

    short: Any = Short(it.chain.node)
    with pytest.raises(BadReceipts, match=r"the receipts of block \d+ don't match the block's bloom filter"):
        it.runner.run(verify_replay(short, it.replay("tic-tac-toe/1")))


@pytest.mark.parametrize("place", [("deployment", "block"), ("events", 3, "block"), ("events", 10, "block")])
def test_a_block_that_never_was_is_found(it: RecordedMatches, place: Path_) -> None:
    for height in (0, 2**40, 2**53 - 1):
        replay = it.replay("tic-tac-toe/1")
        at(replay, place[:-1])[place[-1]] = height
        said = differences_of(it, replay)
        assert [one for one in said if f"block is {height}, the chain has " in one], said


def test_what_the_node_has_no_more_is_counted_as_pruned(it: RecordedMatches, tmp_path: Path) -> None:
    """Tests a node that no longer has the state of old blocks. The boards at these blocks count as
    pruned. The command compares only the board at the head."""
    file = it.file("tic-tac-toe/1", tmp_path)

    class Forgetful(NodeWrapper):
        """A node that has no states of blocks before the head."""

        async def request(self, method: str, params: Any = ()) -> Any:
            if method == "eth_getBalance" and int(params[1], 16) < head:
                raise NodeError(-32000, "missing trie node")
            return await self.node.request(method, params)

    head = it.runner.run(it.chain.node.head()).height
    forgetful: Any = Forgetful(it.chain.node)
    report = it.runner.run(verify_replay(forgetful, json.loads(file.read_text())))
    assert (report.differences, report.view_report.pruned, report.view_report.checked) == ([], 7, 1)


def test_a_contract_of_another_version_is_said_to_be_one(it: RecordedMatches, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests a contract of a different version with different events. Only a deployer of that
    contract has its ABI, so the command can read its events only from the deployer's data."""
    ours, replay = named_contract._artifact(GAMES["tic-tac-toe"]), it.replay("tic-tac-toe/1")
    without = [entry for entry in ours.abi if entry.get("name") != "Moved"]
    later = replace(ours, bytecode="0x6000", abi=without)
    monkeypatch.setattr(named_contract, "_artifact", lambda _game: later)
    with pytest.raises(ReplayError, match=r"can't read event 5 of .*contract's code differs from this program's"):
        it.runner.run(verify_replay(it.chain.node, replay))
    report = it.runner.run(verify_replay(it.chain.node, replay, known=it.chain.deployments))
    assert (report.differences, report.is_ours) == ([], False)


# ---- files that are not replays, or that belong to a different chain

BAD: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "cut": (lambda text: text[: len(text) // 2], "it is not JSON, or it is incomplete"),
    "nothing": (lambda _: b"", "it is not JSON, or it is incomplete"),
    "no text": (lambda _: b"\x89PNG\r\n\x1a\n\xff", "it is not JSON, or it is incomplete"),
    "a list": (
        lambda _: b"[]",
        'is not a replay file (it names no format): it must begin with "format": "chainboard-replay"',
    ),
    "another format": (
        lambda text: text.replace(b"chainboard-replay", b"PGN"),
        "is not a replay file (its format is PGN)",
    ),
    "a later version": (
        lambda text: text.replace(b'"version":1', b'"version":2'),
        "of version 2, but this program reads version 1",
    ),
    "a game from elsewhere": (
        lambda text: text.replace(b"tic-tac-toe", b"chess").replace(b"TicTacToe", b"Chess"),
        "there is no game chess here; the games are ",
    ),
    "no number": (
        lambda text: text.replace(b"tic-tac-toe/1", b"tic-tac-toe/one"),
        "match: A match is named <game>/<id>",
    ),
    "no events": (lambda text: text.replace(b'"events":', b'"moves":'), "events is missing"),
    "deep": (
        lambda text: text.replace(b'"args":{', b'"args":{"a":' + b"[" * 60 + b"]" * 60 + b",", 1),
        "objects and lists are nested more than 50 levels deep",
    ),
    "very deep": (lambda _: b"[" * 100_000, "it is not JSON, or it is incomplete"),
}


@pytest.mark.parametrize("bad", BAD)
def test_what_is_no_replay_file_is_told_in_a_sentence(it: RecordedMatches, bad: str, tmp_path: Path) -> None:
    spoil, words = BAD[bad]
    file = tmp_path / "bad.json"
    file.write_bytes(spoil(it.text("tic-tac-toe/1")))
    said = verify(it, file)
    assert (said.code, said.out) == (1, "")
    assert words in said.err


def test_no_file_and_one_that_is_too_large_are_told(it: RecordedMatches, tmp_path: Path) -> None:
    assert "none.json: No such file or directory" in verify(it, tmp_path / "none.json").err
    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    assert f"has {MAX_BYTES + 1:,} bytes; a replay file may have at most {MAX_BYTES:,}" in verify(it, large).err


def test_a_file_is_not_repaired(it: RecordedMatches, tmp_path: Path) -> None:
    said = chainboard("verify", it.file("tic-tac-toe/1", tmp_path), "--repair", "--rpc", it.url)
    assert said.code == 2
    assert "--repair works on the database" in " ".join(said.err.split())


def test_a_file_of_another_chain_is_told(it: RecordedMatches, tmp_path: Path) -> None:
    file = it.file("tic-tac-toe/1", tmp_path)

    async def proved() -> None:
        async with deployed_chain(tmp_path) as other:
            await verify_replay(other.node, json.loads(file.read_text()))

    with pytest.raises(ReplayError, match=r"the file is from chain .* Set --rpc to a node on the file's chain"):
        asyncio.run(proved())


def test_moves_that_a_reorg_put_into_other_blocks_are_false(tmp_path: Path) -> None:
    with recorded(tmp_path) as own:
        replay = own.replay("touche-coule/2")
        last = len(replay["events"])
        own.runner.run(own.chain.node.request("anvil_reorg", (2, [])))
        own.runner.run(own.chain.mine(2))
        said = differences_of(own, replay)
        gone = f"event {last - 1} (Fired) isn't on the chain: the match has {last - 2} events there"
        assert said == [gone]


def test_hashes_of_boards_are_those_of_the_index(it: RecordedMatches) -> None:
    for match in MATCHES:
        replay = it.replay(match)
        assert replay["boardHash"] == board_hash(replay["board"])
