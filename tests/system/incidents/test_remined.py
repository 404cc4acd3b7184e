"""Story 3 (cowprotocol/services #2069, gp-v2 PR #1400, envio #1027): a move changes its block, or
loses it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.incidents.support.harness import SLUG, IncidentStage, has_heard, served_live, until_idle, watching

OPEN = 3


async def moved(stage: IncidentStage) -> str:
    """Place a ship in an open match, and mine two more blocks. Return the transaction's hash."""
    await stage.chain.play(0, "create", 20, 20, False)
    receipt = await stage.chain.play(3, "register", OPEN)
    await stage.chain.mine(2)
    return str(receipt["transactionHash"])


def places(stage: IncidentStage, tx: str) -> list[int]:
    """Heights at which events of a transaction are stored."""
    with stage.store.read() as snapshot:
        return sorted({event.height for event in snapshot.events(SLUG, OPEN) if event.tx == tx})


@pytest.mark.parametrize("later", [1, 2])
async def test_a_move_that_is_mined_again_in_a_later_block_is_there_once(stage: IncidentStage, later: int) -> None:
    """cowprotocol #2069: the same transaction was in two blocks, a query found two rows, and
    indexing stopped."""
    tx = await moved(stage)
    await until_idle(stage.follower)
    (before,) = places(stage, tx)
    await stage.request("anvil_reorg", 3, [[await stage.raw(tx), later]])
    await until_idle(stage.follower)
    assert places(stage, tx) == [before + later]
    await stage.fits()


async def test_a_move_that_is_mined_again_in_a_block_of_the_same_height_is_there_once(stage: IncidentStage) -> None:
    """Only the block's hash differs: everything that belongs to the old block must go with it."""
    tx = await moved(stage)
    await until_idle(stage.follower)
    before, events = places(stage, tx), stage.events(OPEN)
    await stage.request("anvil_reorg", 3, [[await stage.raw(tx), 0]])
    await until_idle(stage.follower)
    assert places(stage, tx) == before
    assert stage.events(OPEN) != events
    await stage.fits()


async def test_a_move_that_never_lands_again_leaves_nothing(stage: IncidentStage) -> None:
    """gp-v2 PR #1400: no event in the new blocks revealed the reorg, and the orphan stayed."""
    tx = await moved(stage)
    await until_idle(stage.follower)
    assert places(stage, tx)
    await stage.request("anvil_reorg", 3, [])
    await until_idle(stage.follower)
    assert places(stage, tx) == []
    await stage.fits()


async def test_a_reorg_of_blocks_without_any_event_ends(stage: IncidentStage) -> None:
    """envio #1027: there was nothing to delete in the range, so the reorg was found again and
    again."""
    await stage.chain.mine(6)
    await until_idle(stage.follower)
    before = stage.events()
    await stage.request("anvil_reorg", 5, [])
    await stage.chain.mine()
    steps = await until_idle(stage.follower, 6)
    assert [step.dropped for step in steps if step.dropped] == [5]
    assert stage.events() == before
    await stage.fits()


async def test_who_watches_is_told_that_the_move_went_and_came(stage: IncidentStage, page: Path) -> None:
    """The ship disappears from the displayed board, and reappears with its transaction."""
    tx = await moved(stage)
    match = f"{SLUG}/{OPEN}"
    async with served_live(stage, page) as server, watching(server, match) as client:
        await stage.until_fitting()
        await has_heard(client, stage, match)
        raw = await stage.raw(tx)
        await stage.request("anvil_reorg", 3, [])
        await stage.until_fitting()
        await has_heard(client, stage, match)
        assert client.matches[match].board["ships"] == {}
        await stage.request("eth_sendRawTransaction", raw)
        await stage.until_fitting()
        await has_heard(client, stage, match)
        assert len(client.matches[match].board["ships"]) == 1
        assert len(places(stage, tx)) == 1
