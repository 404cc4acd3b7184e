"""Tests that the contract rejects invalid Conquest maps and stores valid maps.

- create
  - When a map has some changed bits or bytes
    - The contract should accept the map, or reject it for the same fault as the engine, which is
      Conquest's rules in Python
  - When the match's number takes up any number of bytes
    - The contract should find the match's map
- the contract that stores a map
  - When somebody calls the contract
    - The contract should do nothing, even if the map looks like code
- the store
  - When anybody but the game tries to store a map
    - The store should reject the call, because the address of the next map depends on the number of
      stored maps
"""

from __future__ import annotations

from random import Random

import pytest

from contracts.artifacts import load
from indexer.rules.conquest_state.graph import map_fault
from tests.contracts.support.conquest.worst import crossed
from tests.contracts.support.contract import Contract, Reverted, deploy_game
from tests.contracts.support.matches.conquest import SEED, ConquestTable
from tests.contracts.support.node import Node
from tests.support.conquest.maps import random_graph, row_of_lands

CONTRACT = "Conquest"
NEXT_MATCH = f"0x{0:064x}"
"""The storage slot that holds the next match's number (see Match.sol)."""
NUMBERS = [1, 0x7F, 0x80, 0xFF, 0x100, 0xFFFF, 0x10000, 0xFFFFFF, 0x1000000, 0xFFFFFFFF, 0x100000000, 2**40 - 1, 2**40]
"""Match numbers around the boundaries at which the RLP encoding becomes one byte longer."""


@pytest.fixture(scope="module")
def store(game: Contract) -> Contract:
    return Contract(game.node, load("ConquestMapStore"), game.call("MAPS"))


def altered(graph: bytes, random: Random) -> bytes:
    """Return a copy of a map in which one to three bits or bytes were changed, inserted or deleted.
    A map has two entries for each border, one per land. After such a change, these two entries
    often contradict each other."""
    data = bytearray(graph)
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(data))
        kind = random.random()
        if kind < 0.6:
            data[at] ^= 1 << random.randrange(8)
        elif kind < 0.8:
            data[at] = random.choice([0, 100, 101, 128, 255])
        elif kind < 0.9:
            del data[at]
        else:
            data.insert(at, random.randrange(256))
    return bytes(data)


@pytest.mark.parametrize("lands", [8, 31, 32, 33, 68, 96])
def test_it_finds_the_faults_that_the_engine_finds(game: Contract, store: Contract, lands: int) -> None:
    random, seen = Random(lands), set[int]()
    for _ in range(120):
        players = random.randint(2, min(6, lands // 4))
        graph = random_graph(random, lands)
        if random.random() < 0.3:
            graph = row_of_lands(lands)
        if random.random() < 0.9:
            graph = altered(graph, random)
        wrong = map_fault(graph, players)
        seen.add(wrong[0] if wrong else 0)
        if wrong is None:
            store.call("check", graph, players)
            continue
        with pytest.raises(Reverted) as caught:
            store.call("check", graph, players)
        assert game.decode_error(_data(game, caught.value)) == Reverted("BadMap", *wrong)
    assert seen >= {0, 1, 6}


def _data(game: Contract, error: Reverted) -> str:
    """Return the revert data of an error. The store's ABI lacks the game's errors, so a game error
    has the name "unknown", and its first value is the revert data."""
    return str(error.values[0]) if error.name == "unknown" else game.error_data(error.name, *error.values)


@pytest.mark.parametrize("lands", [8, 15, 16, 67, 90, 96])
def test_soldiers_stand_where_the_map_has_them(game: Contract, lands: int) -> None:
    graph = crossed(lands, 2, seed=lands)
    table = ConquestTable(game, 2, graph, join=False)
    assert table.view["soldiers"] == list(graph[-lands:])


def test_each_match_finds_its_map(node: Node) -> None:
    _, game = deploy_game(node, load(CONTRACT))
    maps = game.call("MAPS")
    graphs = {}
    for lands, number in enumerate(NUMBERS, 8):
        node.rpc("anvil_setStorageAt", game.address, NEXT_MATCH, f"0x{number:064x}")
        node.rpc("anvil_setNonce", maps, hex(number))
        graphs[number] = row_of_lands(lands)
        terms = (bytes.fromhex(SEED[2:]), 76, 2, [], 60, 0, graphs[number])
        assert game.send(node.accounts[0], "create", *terms).events[0].match == number
    for number, graph in graphs.items():
        assert game.call("mapOf", number) == graph


def test_matches_may_begin_with_any_number(node: Node) -> None:
    _, game = deploy_game(node, load(CONTRACT), first_match=300)
    first, second = (ConquestTable(game, 2, row_of_lands(lands), join=False) for lands in (9, 12))
    assert (first.match, second.match) == (300, 301)
    assert game.call("mapOf", 300) == row_of_lands(9)
    assert game.call("mapOf", 301) == row_of_lands(12)


@pytest.mark.anvil  # only Anvil has traces and real gas costs
def test_a_map_can_not_be_run(game: Contract) -> None:
    """The waters of this map are bytes with the value 255, which is the instruction SELFDESTRUCT.
    Tests that the map can't be executed. Otherwise, the contract with the map would destroy
    itself."""
    node, graph = game.node, crossed(96)
    assert b"\xff" * 12 in graph
    table = ConquestTable(game, 2, graph, join=False)
    address = next(
        one for one in created(game, table.receipt.raw["transactionHash"]) if code(node, one)[4:] == graph.hex()
    )
    assert code(node, address)[:4] == "0x00"
    receipt = node.send(node.accounts[0], address, "0x12345678")
    assert int(receipt["gasUsed"], 16) < 30_000
    assert code(node, address)[4:] == graph.hex()


def created(game: Contract, tx: str) -> list[str]:
    trace = game.node.rpc("debug_traceTransaction", tx, {"tracer": "callTracer"})
    (kept,) = [call for call in trace["calls"] if call["to"].lower() == game.call("MAPS").lower()]
    return [call["to"] for call in kept["calls"] if call["type"] == "CREATE"]


def code(node: Node, address: str) -> str:
    return str(node.rpc("eth_getCode", address, "latest"))


def test_nobody_but_the_game_keeps_maps(game: Contract, store: Contract) -> None:
    with pytest.raises(Reverted) as caught:
        store.send(game.node.accounts[0], "keep", row_of_lands(8), 2)
    assert caught.value == Reverted("NotTheGame")
    table = ConquestTable(game, 2, join=False)
    assert game.call("mapOf", table.match) == row_of_lands(8)
