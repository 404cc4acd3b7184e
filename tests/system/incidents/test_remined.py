"""Replays incident 3 from README.md (cowprotocol/services #2069, gp-v2 PR #1400, envio #1027):
after a reorg, a move is mined again in a different block, or is never mined again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.incidents.support.harness import (
    SLUG,
    IncidentTestbed,
    check_received,
    serve_live,
    until_idle,
    watching_client,
)

OPEN = 3


async def moved(testbed: IncidentTestbed) -> str:
    """Register a ship in an open match, and mine two more blocks. Return the hash of the ship's
    transaction."""
    await testbed.chain.play(0, "create", 20, 20, False)
    receipt = await testbed.chain.play(3, "register", OPEN)
    await testbed.chain.mine(2)
    return str(receipt["transactionHash"])


def places(testbed: IncidentTestbed, tx: str) -> list[int]:
    """Return the heights of the stored blocks that contain the transaction's events."""
    with testbed.store.read() as snapshot:
        return sorted({event.height for event in snapshot.events(SLUG, OPEN) if event.tx == tx})


@pytest.mark.parametrize("later", [1, 2])
async def test_move_mined_again_in_a_later_block_is_stored_once(testbed: IncidentTestbed, later: int) -> None:
    """Replays cowprotocol/services #2069, in which the database had one transaction in two blocks.
    A query expected one row and found two, so indexing stopped."""
    tx = await moved(testbed)
    await until_idle(testbed.follower)
    (before,) = places(testbed, tx)
    await testbed.request("anvil_reorg", 3, [[await testbed.raw_transaction(tx), later]])
    await until_idle(testbed.follower)
    assert places(testbed, tx) == [before + later]
    await testbed.check_index()


async def test_move_mined_again_at_the_same_height_is_stored_once(testbed: IncidentTestbed) -> None:
    """Tests a move that is mined again at the same height. The new block has a different hash, so
    the index must remove the rows of the old block."""
    tx = await moved(testbed)
    await until_idle(testbed.follower)
    before, events = places(testbed, tx), testbed.events(OPEN)
    await testbed.request("anvil_reorg", 3, [[await testbed.raw_transaction(tx), 0]])
    await until_idle(testbed.follower)
    assert places(testbed, tx) == before
    assert testbed.events(OPEN) != events
    await testbed.check_index()


async def test_move_that_is_never_mined_again_leaves_no_rows(testbed: IncidentTestbed) -> None:
    """Replays gp-v2 PR #1400, in which no event in the new blocks revealed the reorg. The event of
    the orphaned block therefore stayed in the index."""
    tx = await moved(testbed)
    await until_idle(testbed.follower)
    assert places(testbed, tx)
    await testbed.request("anvil_reorg", 3, [])
    await until_idle(testbed.follower)
    assert places(testbed, tx) == []
    await testbed.check_index()


async def test_a_reorg_of_blocks_without_any_event_ends(testbed: IncidentTestbed) -> None:
    """Replays envio #1027, in which the replaced blocks had no rows to delete. The program
    therefore found the same reorg again and again."""
    await testbed.chain.mine(6)
    await until_idle(testbed.follower)
    before = testbed.events()
    await testbed.request("anvil_reorg", 5, [])
    await testbed.chain.mine()
    steps = await until_idle(testbed.follower, 6)
    assert [step.dropped for step in steps if step.dropped] == [5]
    assert testbed.events() == before
    await testbed.check_index()


async def test_watcher_sees_the_move_disappear_and_return(testbed: IncidentTestbed, page: Path) -> None:
    """Tests that a reverted ship disappears from the watcher's board, and reappears when the ship's
    transaction is mined again."""
    tx = await moved(testbed)
    match = f"{SLUG}/{OPEN}"
    async with serve_live(testbed, page) as server, watching_client(server, match) as client:
        await testbed.wait_until_consistent()
        await check_received(client, testbed, match)
        raw = await testbed.raw_transaction(tx)
        await testbed.request("anvil_reorg", 3, [])
        await testbed.wait_until_consistent()
        await check_received(client, testbed, match)
        assert client.matches[match].board["ships"] == {}
        await testbed.request("eth_sendRawTransaction", raw)
        await testbed.wait_until_consistent()
        await check_received(client, testbed, match)
        assert len(client.matches[match].board["ships"]) == 1
        assert len(places(testbed, tx)) == 1
