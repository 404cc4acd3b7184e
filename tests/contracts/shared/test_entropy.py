"""Tests that players can't get a second random draw by reverting a call or by waiting.

- Given a running Touché Coulé match whose last turn was in block L (the anchor), on a chain with
  the history contract of EIP-2935
  - When a player tries to play a turn in block L + 1
    - The contract should reject the turn, because the block that decides does not exist yet
  - When anybody plays the turn in a block from L + 2 to L + 8192
    - The contract should draw the same volley from the hash of block L + 1
  - When a player plays the turn in block L + 8193
    - The contract should draw a different volley from the hash of block L + 8192
  - When a ship changes position before the turn
    - The block of that change should become the anchor, and the volley should change
  - When the node is restarted from its saved state before the turn
    - The contract should still draw the same volley
  - When the gas limit is too low for the history contract's answer
    - The turn should fail, and the contract should never draw from a different block
- Given a chain without the history contract, or a chain whose history began after block L
  - When a player plays a turn
    - The contract should draw from the hash of block L + 1. After every 256 blocks, it should draw
      from the hash of a new block
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from contracts.artifacts import Artifact
from tests.contracts.support import bytecode, eip2935
from tests.contracts.support.anvil import AnvilNode
from tests.contracts.support.contract import Contract, ContractReceipt, Reverted, deploy_game
from tests.contracts.support.matches.touche_coule import ToucheCouleTable, shots
from tests.contracts.support.node import Node

pytestmark = pytest.mark.anvil  # only Anvil has a history of real block hashes
CONTRACT = "ToucheCoule"
GAS_STEP = 100
"""The difference between two gas limits that the test tries. It is less than the 2,250 gas that the
history contract's answer costs (one cold slot and a few instructions)."""


@pytest.fixture
def table(game: Contract) -> ToucheCouleTable:
    return _begun(game)


@pytest.fixture
def long(artifact: Artifact) -> Iterator[ToucheCouleTable]:
    """A match on a chain that can mine thousands of blocks in a moment. The chain lacks the history
    contract until a test deploys it."""
    anvil = AnvilNode(10, "--hardfork", "cancun", "--prune-history")
    try:
        yield _begun(deploy_game(anvil, artifact)[1])
    finally:
        anvil.close()


def _begun(game: Contract) -> ToucheCouleTable:
    table = ToucheCouleTable(game, 64, 64, 2, 2)
    table.start()
    table.turns(4)
    return table


def _tried(table: ToucheCouleTable, wait: int, play: Callable[[], ContractReceipt]) -> ContractReceipt:
    """Mine `wait` more blocks and call `play`. Revert the call and the blocks, and return the
    receipt of the call."""
    with _undone(table.node):
        table.node.mine(wait)
        return play()


@contextmanager
def _undone(node: Node) -> Iterator[None]:
    before = node.rpc("evm_snapshot")
    yield
    node.rpc("evm_revert", before)
    node.rpc("anvil_dropAllTransactions")  # otherwise, Anvil might mine the reverted transactions again


def _turn(table: ToucheCouleTable, player: int = 0) -> Callable[[], ContractReceipt]:
    return lambda: table.send(player, "turn", table.view.ply)


def _drawn(receipt: ContractReceipt) -> tuple[int, str]:
    """Return the number of the deciding block, and the seed that its hash gives."""
    (played,) = receipt.named("TurnPlayed")
    return played["entropyBlock"], played["seed"]


def _hash(table: ToucheCouleTable, number: int) -> Any:
    return table.node.rpc("eth_getBlockByNumber", hex(number), False)["hash"]


def test_the_block_that_decides_must_be_there(table: ToucheCouleTable) -> None:
    anchor = table.view.anchor
    assert anchor == table.node.height
    for call in (("turn", table.view.ply), ("changePosition",)):
        with pytest.raises(Reverted) as caught:
            table.call(0, *call)
        assert caught.value == Reverted("TooSoon", anchor + 1, anchor + 2)


def test_who_sends_itself_256_blocks_gets_the_same_volley(table: ToucheCouleTable) -> None:
    """Tests that mining 256 blocks doesn't change the volley. If the contract used only BLOCKHASH,
    a cheater could avoid a bad volley by sending itself 256 transactions. That takes only seconds
    if each transaction has its own block."""
    anchor = table.view.anchor
    table.node.mine()
    foreseen = _tried(table, 0, _turn(table))
    assert foreseen.height == anchor + 2
    assert _drawn(foreseen) == (anchor + 1, _hash(table, anchor + 1))
    for wait in (1, 255, 256, 257, 600):
        again = _tried(table, wait, _turn(table, player=1))
        assert again.height == anchor + 2 + wait
        assert _drawn(again) == _drawn(foreseen)
        assert shots(again) == shots(foreseen)


def test_a_new_position_is_fixed_as_well(table: ToucheCouleTable) -> None:
    table.node.mine()
    first, later = (_tried(table, wait, lambda: table.send(0, "changePosition")) for wait in (0, 300))
    assert first.named("Moved") == later.named("Moved")


def test_after_8191_blocks_another_block_decides(long: ToucheCouleTable) -> None:
    eip2935.install(long.node)
    first = long.view.anchor + 1
    long.node.mine()
    eip2935.record(long.node, first)
    foreseen = _tried(long, 0, _turn(long))
    long.node.mine(eip2935.WINDOW - 1)
    last = _tried(long, 0, _turn(long))
    assert last.height == first + eip2935.WINDOW
    assert _drawn(last) == _drawn(foreseen) == (first, _hash(long, first))
    assert shots(last) == shots(foreseen)

    long.node.mine()
    eip2935.record(long.node, first + eip2935.WINDOW)
    for wait in (0, eip2935.WINDOW - 1):
        later = _tried(long, wait, _turn(long))
        assert _drawn(later) == (first + eip2935.WINDOW, _hash(long, first + eip2935.WINDOW))
        assert shots(later) != shots(foreseen)


def _draws_by_blockhash(table: ToucheCouleTable) -> None:
    """Check that the random draw changes after every 256 blocks, and that the contract finds a
    block hash at any time."""
    first = table.view.anchor + 1
    table.node.mine()
    drawn = {}
    for waited, spans in ((0, 0), (255, 0), (256, 1), (511, 1), (512, 2), (8_190, 31), (8_192, 32)):
        table.node.mine(first + waited - table.node.height)
        receipt = _tried(table, 0, _turn(table))
        number, seed = _drawn(receipt)
        assert number == first + 256 * spans
        assert receipt.height - 256 <= number < receipt.height
        assert int(seed, 16) != 0
        assert drawn.setdefault(number, seed) == seed
    assert len(set(drawn.values())) == len(drawn)


def test_without_a_history_another_block_decides_after_256(long: ToucheCouleTable) -> None:
    _draws_by_blockhash(long)


def test_a_history_that_nobody_writes_changes_nothing(long: ToucheCouleTable) -> None:
    """Anybody can deploy the history contract on a chain without EIP-2935, but nobody writes block
    hashes to it. Tests that an empty history contract changes nothing."""
    eip2935.install(long.node)
    _draws_by_blockhash(long)


LOST = {
    "none": "0x",
    "reverts": bytecode.REVERTS,
    "answers zero": bytecode.answers(0),
    "64 bytes": bytecode.answers(5, 64),
}


@pytest.mark.parametrize("code", LOST.values(), ids=LOST.keys())
def test_a_history_that_is_lost_freezes_no_match(table: ToucheCouleTable, code: str) -> None:
    with _undone(table.node):
        eip2935.install(table.node, code)
        first = table.view.anchor + 1
        table.node.mine(300)
        number, seed = _drawn(table.send(0, "turn", table.view.ply))
        assert (number, seed) == (first + 256, _hash(table, first + 256))


def test_a_history_that_begins_later_counts_from_its_second_span_on(long: ToucheCouleTable) -> None:
    """A hard fork can deploy the history contract during a match. Tests that this gives nobody a
    second draw, because each span of 256 blocks keeps its deciding block."""
    first = long.view.anchor + 1
    long.node.mine(300)
    eip2935.install(long.node)
    for number in range(first + 200, long.node.height):
        eip2935.record(long.node, number)
    assert _drawn(_tried(long, 0, _turn(long)))[0] == first + 256
    eip2935.record(long.node, long.node.height)
    assert _drawn(_tried(long, 1, _turn(long)))[0] == first + 256
    long.node.mine(eip2935.WINDOW - 300)
    eip2935.record(long.node, first + eip2935.WINDOW - 1)
    assert _drawn(_tried(long, 0, _turn(long)))[0] == first + 256 * 31
    long.node.mine()
    eip2935.record(long.node, first + eip2935.WINDOW)
    assert _drawn(_tried(long, 0, _turn(long)))[0] == first + eip2935.WINDOW
    assert _drawn(_tried(long, 300, _turn(long)))[0] == first + eip2935.WINDOW


def test_a_restart_from_saved_state_changes_no_volley(table: ToucheCouleTable, tmp_path: Path) -> None:
    """After a restart of Anvil, BLOCKHASH returns different hashes for older blocks. Tests that the
    volley stays the same. Otherwise, a player could choose between two volleys."""
    table.node.mine(100)
    foreseen = [_tried(table, wait, _turn(table)) for wait in (0, 300)]
    state = tmp_path / "state.json"
    state.write_bytes(gzip.decompress(bytes.fromhex(table.node.rpc("anvil_dumpState", False)[2:])))
    again = AnvilNode(10, "--load-state", str(state))
    try:
        for wait, before in zip((0, 300), foreseen, strict=True):
            with _undone(again):
                again.mine(wait)
                data = table.game.data("turn", table.match, table.view.ply)
                after = table.game.receipt(again.send(again.accounts[0], table.game.address, data))
                assert _drawn(after) == _drawn(before)
                assert shots(after) == shots(before)
    finally:
        again.close()


def test_little_gas_never_draws_from_another_block(table: ToucheCouleTable) -> None:
    """Tests rising gas limits, the first of which are too low for the call. If the contract used
    BLOCKHASH when the limit is low, a later block would decide the draw after 256 blocks."""
    first, data = table.view.anchor + 1, table.game.data("turn", table.match, table.view.ply)
    table.node.mine(300)
    call = {"from": table.accounts[0], "to": table.game.address, "data": data}
    enough = int(table.node.rpc("eth_estimateGas", call, "pending"), 16)
    steps = range(25_000, enough + 2 * GAS_STEP, GAS_STEP)
    answers = table.node.raw_batch([("eth_call", {**call, "gas": hex(gas)}, "pending") for gas in steps])
    carried_out = [gas for gas, answer in zip(steps, answers, strict=True) if "result" in answer]
    assert carried_out, "the scan never reached enough gas"
    for gas in (carried_out[0], carried_out[-1]):
        with _undone(table.node):
            assert _drawn(table.send(0, "turn", table.view.ply, gas=gas))[0] == first


def test_a_change_of_position_draws_the_volley_anew(table: ToucheCouleTable) -> None:
    table.node.mine()
    foreseen = _tried(table, 0, _turn(table))
    moved = table.send(0, "changePosition")
    assert table.view.anchor == moved.height
    with pytest.raises(Reverted) as caught:
        table.call(1, "turn", table.view.ply)
    assert caught.value == Reverted("TooSoon", moved.height + 1, moved.height + 2)
    redrawn = table.turn(1)
    (played,) = redrawn.named("TurnPlayed")
    assert played["entropyBlock"] == moved.height + 1
    assert shots(redrawn)[3] != shots(foreseen)[3]


def test_a_ship_is_placed_by_the_block_before(game: Contract) -> None:
    """Tests that a ship's cell depends on the block before its registration. Players can therefore
    influence the cell by choosing when to register."""
    table = ToucheCouleTable(game, 64, 64)
    cells = set()
    for wait in range(6):
        receipt = _tried(table, wait, lambda: table.register(0))
        (placed,) = receipt.named("Registered")
        cells.add((placed["x"], placed["y"]))
    assert len(cells) >= 5
