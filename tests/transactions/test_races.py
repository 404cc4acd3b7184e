"""Tests that the transaction manager works correctly even if something happens between two of its
requests. The model node causes such events at the worst moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contracts.rpc_errors import NoResponse
from tests.transactions.model_node import Account, ModelNode, ModelTransaction, hex_of
from transactions.journal import Journal
from transactions.manager import TransactionManager
from transactions.model import Tx

TO = "0x" + "22" * 20


class InterruptedNode(ModelNode):
    """A node that carries out an action when a method is called for the n-th time. It then answers
    the call or, if `silent`, cuts the connection."""

    def __init__(self, method: str, nth: int, action: Callable[[ModelNode], None], silent: bool, **rules: Any) -> None:
        super().__init__(rules)
        self.method, self.left, self.action, self.silent = method, nth, action, silent

    async def request(self, method: str, params: Any) -> Any:
        if method == self.method:
            self.left -= 1
            if self.left == 0:
                self.action(self)
                if self.silent:
                    raise NoResponse("cut")
        return await super().request(method, params)


def manager(node: ModelNode, folder: Path) -> TransactionManager:
    account: Any = Account()
    return TransactionManager(node.request, account, Journal(folder / "journal.db"), lambda _seconds: asyncio.sleep(0))


async def test_bytes_that_arrive_between_the_look_for_them_and_the_count(tmp_path: Path) -> None:
    """Tests a transaction that arrives late and then increases the account's transaction count. If
    the manager signed this transaction again with a new nonce, it would take effect twice."""
    node = InterruptedNode("eth_getTransactionCount", 2, lambda node: node.accept(ModelTransaction(0, "a", 22)), False)
    node.faults = {"send 1": "before"}
    tx = await manager(node, tmp_path).submit(TO, hex_of("a"))
    assert (node.chain(), tx.state) == (["0:a"], "sent")


async def test_the_chain_is_shorter_than_what_was_signed(tmp_path: Path) -> None:
    """After a revert, the account's next nonce is lower than the nonces that the manager has
    signed. A transaction with its old nonce would wait until somebody fills the gap. Tests that the
    transaction gets a new nonce."""
    node = InterruptedNode("eth_sendRawTransaction", 3, lambda node: node.revert_blocks(2, into_pool=False), True)
    sender = manager(node, tmp_path)
    for data in ("a", "b"):
        await sender.submit(TO, hex_of(data))
    await sender.check()
    tx = await sender.submit(TO, hex_of("c"))
    assert (node.chain(), node.pool, tx.nonce) == (["0:c"], {}, 0)


async def test_the_chain_begins_anew_while_one_is_sent(tmp_path: Path) -> None:
    """Tests a chain that is replaced while the manager sends a transaction. This transaction and
    the waiting transactions were for the old chain, so the manager must not send them to the new
    chain."""
    node = InterruptedNode("eth_sendRawTransaction", 1, lambda node: node.reset_chain(), True, count=30)
    sender = manager(node, tmp_path)
    some = await asyncio.gather(*(sender.submit(TO, hex_of(data)) for data in ("a", "b")))
    assert [(tx.state, tx.reason) for tx in some] == [("refused", "the node is on another chain now")] * 2
    assert (node.chain(), node.pool) == ([], {})
    assert (await sender.submit(TO, hex_of("c"))).nonce == 0


async def test_what_the_node_still_has_counts_where_its_count_leaves_it_out(tmp_path: Path) -> None:
    node = ModelNode({"automine": False, "pending": False})
    sender = manager(node, tmp_path)
    for data in ("a", "b", "c"):
        await sender.submit(TO, hex_of(data))
    assert (sorted(node.pool), node.sends) == ([0, 1, 2], 3)


async def test_a_key_is_sent_once(tmp_path: Path) -> None:
    node = ModelNode({})
    sender = manager(node, tmp_path)
    first, again = await asyncio.gather(*(sender.submit(TO, hex_of("a"), key="move 1") for _ in range(2)))
    assert first == again
    assert (await sender.submit(TO, hex_of("a"), key="move 2")).id != first.id
    assert node.chain() == ["0:a", "1:a"]


async def test_a_key_that_was_refused_is_tried_anew(tmp_path: Path) -> None:
    node = ModelNode({"faults": {"send 1": "insufficient funds for gas * price + value"}})
    sender = manager(node, tmp_path)
    refused = await sender.submit(TO, hex_of("a"), key="move 1")
    assert (refused.state, refused.nonce) == ("refused", None)
    tx = await sender.submit(TO, hex_of("a"), key="move 1")
    assert (tx.state, node.chain()) == ("sent", ["0:a"])


async def taken_back(folder: Path) -> tuple[ModelNode, TransactionManager, Tx]:
    """Return a node, a manager, and a transaction with a key. A reorg has removed the block with
    the transaction."""
    node = ModelNode({})
    sender = manager(node, folder)
    tx = await sender.submit(TO, hex_of("a"), key="move 1")
    await sender.check()
    node.revert_blocks(1, into_pool=False)
    await sender.check()
    return node, sender, tx


async def test_a_key_whose_block_is_gone_is_offered_again_with_the_same_bytes(tmp_path: Path) -> None:
    node, sender, tx = await taken_back(tmp_path)
    assert (await sender.get(tx)).state == "retracted"
    node.base = 9  # if the manager signed the transaction again, its fee and its hash would change
    again = await sender.submit(TO, hex_of("a"), key="move 1")
    assert (again.id, again.hash, again.state) == (tx.id, tx.hash, "sent")
    assert node.chain() == ["0:a"]


async def test_a_key_whose_nonce_another_has_is_signed_anew(tmp_path: Path) -> None:
    node, sender, tx = await taken_back(tmp_path)
    node.accept(ModelTransaction(0, "other", 100))
    again = await sender.submit(TO, hex_of("a"), key="move 1")
    assert again.id != tx.id
    assert node.chain() == ["0:other", "1:a"]


async def test_the_limit_of_a_stuck_one_is_raised(tmp_path: Path) -> None:
    node = ModelNode({"automine": False})
    sender = manager(node, tmp_path)
    tx = await sender.submit(TO, hex_of("a"))
    node.base = 200
    for _ in range(3):
        node.mine(2)
        await sender.check()
    assert (await sender.get(tx)).stuck
    assert node.pool[0].fee == 5 * 22
    await sender.allow(tx, 500)
    await sender.check()
    assert node.pool[0].fee == 402
    node.mine(1)
    assert (await sender.settled(tx)).state == "mined"


async def test_a_key_that_came_back_meanwhile_is_not_sent_again(tmp_path: Path) -> None:
    """After a reorg, a transaction with a key is mined again. Tests that the manager doesn't send
    it a second time under a new nonce."""
    node = ModelNode({})
    sender = manager(node, tmp_path)
    tx = await sender.submit(TO, hex_of("a"), key="move 1")
    await sender.check()
    raw = node.mined[0]
    node.revert_blocks(1, into_pool=False)
    await sender.check()
    node.accept(raw)
    again = await sender.submit(TO, hex_of("a"), key="move 1")
    assert (again.id, again.state, node.chain()) == (tx.id, "mined", ["0:a"])


async def test_a_gap_that_another_fills_first_costs_nothing(tmp_path: Path) -> None:
    """Tests a gap in the nonces that another program fills first. The manager sends the empty
    transfer only if the gap's nonce is still free."""
    node = ModelNode({"automine": False, "pending": False})
    sender = manager(node, tmp_path)
    node.accept(ModelTransaction(0, "other", 1_000_000))
    tx = await sender.submit(TO, hex_of("a"))
    assert tx.nonce == 1
    node.blocks += [[], []]  # these blocks are full of other accounts' transactions
    await sender.check()
    node.mine(1)
    assert (await sender.settled(tx)).state == "mined"
    assert node.chain() == ["0:other", "1:a"]


async def test_one_of_a_chain_that_is_gone_is_not_waited_for(tmp_path: Path) -> None:
    node = ModelNode({"automine": False})
    sender = manager(node, tmp_path)
    tx = await sender.submit(TO, hex_of("a"))
    node.reset_chain()
    assert (await sender.settled(tx)).state == "sent"


@pytest.mark.parametrize("wrong", [{"to": "0x12"}, {"data": "0x1"}, {"data": "zz"}, {"value": -1}])
async def test_what_can_not_be_signed_is_told_at_once_and_stops_nothing(tmp_path: Path, wrong: dict[str, Any]) -> None:
    node = ModelNode({})
    sender = manager(node, tmp_path)
    with pytest.raises(ValueError, match=r"."):
        await sender.submit(**{"to": TO, **wrong})
    await sender.submit(TO, hex_of("a"))
    assert node.chain() == ["0:a"]


async def test_what_a_killed_program_left_unsent_can_be_cancelled(tmp_path: Path) -> None:
    node = ModelNode({"faults": {"send 1": "crash-before"}})
    killed = manager(node, tmp_path)
    jobs = [asyncio.create_task(killed.submit(TO, hex_of(data))) for data in ("a", "b")]
    await node.dead.wait()
    for job in jobs:
        job.cancel()
    await asyncio.gather(*jobs, return_exceptions=True)
    after = manager(node, tmp_path)
    _left, waiting = await after.unsettled()
    assert (await after.cancel(waiting)).state == "refused"
    await after.check()
    assert node.chain() == ["0:a"]


async def test_a_node_that_calls_its_newest_block_final_is_not_believed(tmp_path: Path) -> None:
    """Hardhat marks its newest block as final but can still revert it. Tests that the manager waits
    for more blocks before it treats a transaction as final."""
    node = ModelNode({"depth": 0})
    sender = manager(node, tmp_path)
    tx = await sender.submit(TO, hex_of("a"))
    states = []
    for blocks in (0, 63, 1):
        node.mine(blocks)
        await sender.check()
        states.append((await sender.get(tx)).state)
    assert states == ["mined", "mined", "final"]


async def test_a_block_that_comes_between_the_head_and_a_receipt_may_be_taken_back(tmp_path: Path) -> None:
    """A block arrives after the manager has read the head and before it reads the receipt. Tests
    that the manager doesn't treat a transaction in this block as final, because the block can still
    be reverted."""
    node = InterruptedNode("eth_getTransactionReceipt", 1, lambda node: node.mine(1), False, automine=False)
    node.mine(3)
    sender = manager(node, tmp_path)
    tx = await sender.submit(TO, hex_of("a"))
    await sender.check()
    assert (await sender.get(tx)).state == "mined"
    node.blocks.pop()
    node.blocks.append([ModelTransaction(0, "other", 10**6)])
    for blocks in (1, 80, 1):
        node.mine(blocks)
        await sender.check()
    assert (await sender.get(tx)).state == "retracted"


async def test_an_original_that_a_reorg_brings_in_place_of_its_cancel_counts(tmp_path: Path) -> None:
    node = ModelNode({"automine": False})
    sender = manager(node, tmp_path)
    tx = await sender.submit(TO, hex_of("a"))
    original = next(iter(node.pool.values()))
    await sender.cancel(tx)
    node.mine(1)
    await sender.check()
    assert (await sender.get(tx)).state == "cancelled"
    node.revert_blocks(1, into_pool=False)
    node.pool.clear()
    node.accept(original)
    node.mine(1)
    await sender.check()
    assert (await sender.get(tx)).state == "mined"
    node.mine(80)
    await sender.check()
    assert (await sender.get(tx)).state == "final"
