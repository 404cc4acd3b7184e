"""Tests that the EVM inside the test process behaves like a real node, and reproduces recordings
from a node.

- Given the recorded games, which were played on an Anvil node
  - When the tests replay the games on the EVM inside the test process
    - The EVM should execute the same calls at the same heights and times
    - The calls should emit the same events, and the boards should be the same
    - In matches whose draws depend on the EVM's own block hashes, the calls should emit the events
      that the rules predict
- Given the same match on this EVM and on an Anvil node
  - When the tests read the same views and send the same invalid calls
    - The EVM and the node should return the same results and the same errors
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from contracts.artifacts import load
from indexer.games import GAMES
from indexer.model import Json
from tests.contracts.support.anvil import AnvilError
from tests.contracts.support.contract import deploy_game
from tests.contracts.support.in_process.evm import Evm
from tests.contracts.support.node import Node
from tests.fixtures.transcripts.record import HERE, calls, recordable_matches, transcript
from tests.indexer.rules.test_recorded_calls import recorded, rules_of

pytestmark = pytest.mark.anvil  # the test compares the EVM with Anvil
MATCHES = [(slug, name) for slug in GAMES for name in recordable_matches(slug)]
DRAWN = {("touche-coule", "fought-out"), ("touche-coule", "given-up"), ("conquest", "own-map")}
"""The recorded matches whose draws depend on real block hashes. In the other Conquest matches, the
tests plant the hashes on which draws depend."""


def played(evm: Evm, slug: str, name: str) -> Json:
    """Replay a recorded match, and return the transcript of the replay."""
    _, game = deploy_game(evm, load(GAMES[slug].contract))
    match = recordable_matches(slug)[name](game)
    logs = evm.rpc("eth_getLogs", {"address": game.address, "fromBlock": "0x0"})
    events = [event for event in game.events(logs) if event.match == match]
    return transcript(slug, match, events, calls(game, events))


@pytest.mark.parametrize(("slug", "name"), [one for one in MATCHES if one not in DRAWN])
def test_a_recorded_match_comes_out_the_same(node: Node, slug: str, name: str) -> None:
    made, kept = played(Evm(node.accounts), slug, name), orjson.loads((HERE / slug / f"{name}.json").read_bytes())
    for call in (*made["calls"], *kept["calls"]):
        del call["parent"], call["randao"]
    assert made == kept


@pytest.mark.parametrize(("slug", "name"), MATCHES)
def test_its_blocks_decide_as_the_rules_foretell(slug: str, name: str, tmp_path: Path) -> None:
    file = tmp_path / "transcript.json"
    file.write_bytes(orjson.dumps(played(Evm(131), slug, name)))
    for board, call, events in recorded(file):
        assert rules_of(slug)(board, call) == [(event.name, event.args) for event in events], call


def test_it_answers_and_refuses_as_a_node_does(node: Node) -> None:
    assert told(Evm(node.accounts)) == told(node)


def told(node: Node) -> tuple[Any, ...]:
    """Make the same calls and transactions on any node, including calls that it must reject. Return
    the results."""
    _, game = deploy_game(node, load("TicTacToe"))
    host, guest, other = node.accounts[:3]
    match = game.send(host, "create", guest, 60).events[0].match
    requests = [
        game.request("board", match),
        game.request("board", match + 1),
        game.request("accept", match, sender=guest, block="pending"),
        game.request("accept", match, sender=other, block="pending"),
        ("eth_call", {"from": host, "to": other, "value": hex(2**100)}, "latest"),
    ]
    answers = [
        answer.get("result") or (answer["error"]["code"], answer["error"].get("data", "0x"))
        for answer in node.raw_batch(requests)
    ]
    assert node.send(other, game.address, game.data("accept", match))["status"] == "0x0"
    receipt = node.send(guest, game.address, game.data("accept", match))
    kept = ("address", "topics", "data", "logIndex", "blockNumber", "blockTimestamp")
    logs = [{key: log[key] for key in kept} for log in receipt["logs"]]
    with pytest.raises(AnvilError) as caught:
        node.send(host, game.address, game.data("close", match), gas=2**24 + 1)
    return answers, receipt["status"], logs, node.height, caught.value.code, caught.value.data, game.code
