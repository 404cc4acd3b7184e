"""Tests that the random draws of a match stay the same when the node is restarted.

- Given a running Touché Coulé match on Anvil, whose BLOCKHASH returns different hashes for older
  blocks after a restart
  - When the node is restarted from its saved state before the next turn
    - The contract should still draw the same volley
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.contracts.support.anvil import AnvilNode
from tests.contracts.support.contract import Contract
from tests.contracts.support.matches.touche_coule import ToucheCouleTable, shots
from tests.contracts.support.node import Node

pytestmark = pytest.mark.anvil  # only Anvil has a history of real block hashes
CONTRACT = "ToucheCoule"


def test_a_restart_from_saved_state_changes_no_volley(game: Contract, tmp_path: Path) -> None:
    """Tests that the volley stays the same. Otherwise, a player could choose between two
    volleys."""
    table = ToucheCouleTable(game, 64, 64, 2, 2)
    table.start()
    table.turns(4)
    table.node.mine(100)
    foreseen = [_after(table.node, wait, table) for wait in (0, 300)]
    state = tmp_path / "state.json"
    state.write_bytes(gzip.decompress(bytes.fromhex(table.node.rpc("anvil_dumpState", False)[2:])))
    again = AnvilNode(10, "--load-state", str(state))
    try:
        assert [_after(again, wait, table) for wait in (0, 300)] == foreseen
    finally:
        again.close()


def _after(node: Node, wait: int, table: ToucheCouleTable) -> tuple[int, str, dict[int, int]]:
    """Mine `wait` blocks and play a turn on this node. Return the number of the deciding block, the
    seed that its hash gives, and the volley. Revert the turn and the blocks."""
    with _undone(node):
        node.mine(wait)
        data = table.game.data("turn", table.match, table.view.ply)
        receipt = table.game.receipt(node.send(node.accounts[0], table.game.address, data))
        (played,) = receipt.named("TurnPlayed")
        return played["entropyBlock"], played["seed"], shots(receipt)


@contextmanager
def _undone(node: Node) -> Iterator[None]:
    before = node.rpc("evm_snapshot")
    yield
    node.rpc("evm_revert", before)
    node.rpc("anvil_dropAllTransactions")  # otherwise, Anvil might mine the reverted transactions again
