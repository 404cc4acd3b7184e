"""Tests the two generators of Conquest maps, in Python and in JavaScript. Both must generate the
maps in the test vectors, and the same map for any seed. Also tests the encoding of maps as
graphs."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest
from eth_utils.crypto import keccak

from indexer.gamekit.contract_view import bits
from indexer.games import conquest_map
from indexer.games.conquest_graph import (
    MAX_BODIES,
    MAX_LANDS,
    BadGraph,
    Graph,
    decode_graph,
    encode_graph,
    is_connected,
    lands_by_sea,
)
from indexer.games.conquest_map import CELLS, WATER, BadSeed, generate_map, is_map_of_seed

TOP = Path(__file__).parents[3]
MAPS = json.loads((TOP / "tests/fixtures/vectors/conquest.json").read_text())["maps"]
NODE = shutil.which("node") or "node"
SCRIPT = """
import { readFileSync } from "node:fs";
const page = process.argv[1] + "/frontend-static";
const games = page + "/games/conquest";
const { hexlify } = await import(page + "/lib/ethereum/bytes.js");
const { generate, UnplayableSeed } = await import(games + "/map/generator.js");
const { decodeGraph, encodeGraph } = await import(games + "/map/graph.js");
const found = JSON.parse(readFileSync(0, "utf8")).map(([seed, grain]) => {
  try {
    const { cells, graph } = generate(seed, grain);
    return { cells: hexlify(cells), graph, again: encodeGraph(decodeGraph(graph)) };
  } catch (error) {
    if (!(error instanceof UnplayableSeed)) throw error;
    return { fault: error.fault };
  }
});
console.log(JSON.stringify(found));
"""


def in_the_page(seeds: list[tuple[str, int]]) -> list[dict]:
    """Generate a map from each seed with the JavaScript generator, in a single process. Return the
    maps."""
    command = [NODE, "--input-type=module", "-e", SCRIPT, str(TOP)]
    run = subprocess.run(command, input=json.dumps(seeds), capture_output=True, text=True, timeout=200, check=True)
    return json.loads(run.stdout)


def random_seeds(count: int, random: Random) -> list[tuple[str, int]]:
    grains = (50, 76, 148, 48, 200)
    return [
        ("0x" + random.randbytes(32).hex(), grains[number % 6] if number % 6 < 5 else random.randint(48, 200))
        for number in range(count)
    ]


def compare(seeds: list[tuple[str, int]]) -> None:
    for (seed, grain), page in zip(seeds, in_the_page(seeds), strict=True):
        ours = generate_map(seed, grain)
        assert (page["cells"], page["graph"]) == ("0x" + ours.cells.hex(), "0x" + ours.graph.hex()), (seed, grain)
        assert page["again"] == page["graph"]


@pytest.mark.parametrize("expected", MAPS, ids=lambda one: f"{one['lands']} lands")
def test_a_vectors_map_is_made_byte_for_byte(expected: dict) -> None:
    found = generate_map(expected["seed"], expected["grain"])
    assert "0x" + found.graph.hex() == expected["graph"]
    assert "0x" + keccak(found.graph).hex() == expected["graph keccak256"]
    assert "0x" + keccak(found.cells).hex() == expected["cells keccak256"]
    assert [found.graph[0], found.graph[1]] == [expected["lands"], expected["seas"]]


def test_the_page_makes_the_vectors_maps_and_the_same_of_any_seed() -> None:
    vectors = [(one["seed"], one["grain"]) for one in MAPS]
    found = in_the_page(vectors)
    assert [one["graph"] for one in found] == [one["graph"] for one in MAPS]
    assert ["0x" + keccak(hexstr=one["cells"]).hex() for one in found] == [one["cells keccak256"] for one in MAPS]
    compare(random_seeds(60, Random(16)))


@pytest.mark.soak
def test_five_hundred_seeds_give_the_same_in_both_languages() -> None:
    compare(random_seeds(500, Random(500)))


def test_a_map_is_made_once_and_known_the_next_time() -> None:
    seeds = random_seeds(10, Random("known"))
    before = conquest_map._generate_map.cache_info()
    for seed, grain in 2 * seeds:
        is_map_of_seed(seed, grain, "")
    after = conquest_map._generate_map.cache_info()
    assert (after.misses - before.misses, after.hits - before.hits) == (10, 10)


def test_cells_and_graph_agree() -> None:
    for expected in MAPS:
        found = generate_map(expected["seed"], expected["grain"])
        graph = decode_graph(found.graph)
        borders: dict[int, set[int]] = {}
        for cell, value in enumerate(found.cells):
            for near in conquest_map.NEIGHBOURS[cell]:
                if found.cells[near] != value:
                    borders.setdefault(value, set()).add(found.cells[near])
        for land, near in enumerate(graph.neighbours):
            assert {one for one in borders[land] if one < WATER} == set(bits(near))
        for body, shore in enumerate(graph.bodies):
            assert borders[WATER + body] == set(bits(shore))
        assert len(found.cells) == CELLS
        assert graph.lands <= MAX_LANDS
        assert len(graph.bodies) <= MAX_BODIES
        assert set(graph.types) <= {1, 2, 3, 4, 5}
        assert max(graph.soldiers) <= 100


@pytest.mark.parametrize(("most", "reason"), [("MAX_LANDS", "lands"), ("MAX_BODIES", "water bodies")])
def test_a_map_with_too_much_of_something_is_rejected_each_time(
    most: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that the generator rejects a map that exceeds a limit. No known seed gives a map that
    is too large, so the test lowers the limits."""
    monkeypatch.setattr(conquest_map, most, 0)
    seed = Random(most).randbytes(32).hex()
    for _ in range(2):
        with pytest.raises(BadSeed, match=rf"has \d+ {reason}, but at most 0 are allowed"):
            generate_map(seed, 60)
        assert not is_map_of_seed(seed, 60, "0x")
        # In the second round, the limits are normal again, but the cache has the first result.
        monkeypatch.undo()


def test_the_page_rejects_a_map_with_too_many_lands() -> None:
    """Tests a seed that gives too many lands if the grain (the mean number of cells per land) is
    20. The contract would not accept a grain of 20."""
    assert in_the_page([("0x" + "07" * 32, 20)]) == [{"fault": "lands"}]


def test_an_island_is_found() -> None:
    """Tests graphs that are made by hand, because no seed gives a map with an island. On a
    generated map, each body of water connects all lands on its shore."""
    assert is_connected(Graph((0b10, 0b01, 0), (0b110,), (1, 4, 5), 0, (0, 0, 0)))
    assert not is_connected(Graph((0b10, 0b01, 0), (0b011,), (1, 4, 5), 0, (0, 0, 0)))


@pytest.mark.parametrize(("seed", "grain"), [("0x" + "00" * 32, 47), ("0x" + "00" * 32, 201), ("0x00", 60)])
def test_a_seed_or_grain_that_is_none_is_rejected(seed: str, grain: int) -> None:
    with pytest.raises(BadSeed, match=r"32 bytes|48 to 200"):
        generate_map(seed, grain)


def test_a_graph_belongs_to_its_seed_alone() -> None:
    first, second = MAPS[:2]
    assert is_map_of_seed(first["seed"], first["grain"], first["graph"])
    assert is_map_of_seed(first["seed"], first["grain"], first["graph"].upper().replace("0X", "0x"))
    assert not is_map_of_seed(first["seed"], first["grain"], second["graph"])
    assert not is_map_of_seed(second["seed"], first["grain"], first["graph"])
    changed = first["graph"][:-1] + ("0" if first["graph"][-1] != "0" else "1")
    assert not is_map_of_seed(first["seed"], first["grain"], changed)


def test_a_graph_reads_as_it_was_written() -> None:
    for expected in MAPS:
        assert "0x" + encode_graph(decode_graph(expected["graph"])).hex() == expected["graph"]
    three = Graph((0b10, 0b01, 0), (0b110,), (1, 4, 5), 0b100, (0, 7, 97))
    assert decode_graph(encode_graph(three)) == three
    assert lands_by_sea(three) == (0, 0b100, 0b010)


@pytest.mark.parametrize("data", [b"", b"\1", b"\1\1", bytes(2), bytes(2 + 12 * 4 + 1)])
def test_bytes_of_another_length_are_no_graph(data: bytes) -> None:
    if data == bytes(2):
        data += bytes(12 * 4 + 2)
    with pytest.raises(BadGraph, match="can't encode a graph"):
        decode_graph(data)
