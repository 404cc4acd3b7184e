"""Tests that the contract rejects invalid Conquest maps for the same fault as the engine, which is
Conquest's rules in Python.

- create
  - When a map has some changed bits or bytes
    - The contract should accept the map, or reject it for the same fault as the engine
"""

from __future__ import annotations

from random import Random

import pytest

from contracts.artifacts import load
from indexer.rules.conquest_state.graph import map_fault
from tests.contracts.support.contract import Contract, Reverted
from tests.support.conquest.maps import random_graph, row_of_lands

CONTRACT = "Conquest"


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
