"""Fights each battle from the test vectors on the chain, and compares the results.

- attack
  - Given the position in a vector
    - When the player launches the vector's attacks, and the random draw gives the vector's luck
      - The battle should have exactly the vector's result, to the last soldier
    - When the vector's attacks are not allowed
      - The contract should reject the attack with NotStronger and the strengths of both sides
"""

from __future__ import annotations

import pytest

from indexer.model import Json
from tests.contracts.support.conquest.storage import write_state
from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.matches.conquest import FINISHED, PLAYING, ConquestTable
from tests.support.conquest.maps import VECTORS
from tests.support.conquest.states import vector_graph, vector_pairs, vector_position

CONTRACT = "Conquest"
BATTLES = VECTORS["battles"]


@pytest.mark.parametrize("battle", BATTLES, ids=range(len(BATTLES)))
def test_a_battle_of_the_vectors(game: Contract, battle: Json) -> None:
    state, expected = vector_position(battle), battle["expected"]
    table = ConquestTable(game, graph=vector_graph(battle))
    write_state(table, state)
    powers = (expected["attack20"], expected["defence20"])
    assert game.call("powers", table.match, 0, 1) == powers
    assert game.call("connection", table.match, 0, 1) == (1 if expected["by sea"] else 2)
    pairs = "0x" + vector_pairs(battle).hex()
    if not expected["allowed"]:
        assert table.expect_revert(table.mover, "attack", **table.named(), pairs=pairs) == Reverted(
            "NotStronger", 0, *powers
        )
        return
    table.send_command("attack", pairs=pairs)
    found = table.settle(lambda chance: chance.luck(0) == battle["luck"])
    fought = next(args for name, args in found if name == "BattleResolved")
    names = ("attack20", "needed20", "damage", "conquered")
    assert {name: fought[name] for name in names} == {name: expected[name] for name in names}
    assert fought["luck"] == battle["luck"]
    lands = range(len(battle["soldiers"]))
    assert table.state.soldiers[: len(lands)] == expected["soldiers after"]
    assert [land for land in lands if table.state.owners[land] == 0] == expected["attacker owns"]
    assert [land for land in lands if table.state.owners[land] == 1] == expected["victim owns"]
    assert ("HeroDied" in dict(found)) == expected["victim hero died"]
    assert table.engine.status == (FINISHED if expected["victim out"] else PLAYING)
