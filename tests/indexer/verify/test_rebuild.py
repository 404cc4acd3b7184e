"""Tests that an index that is rebuilt from receipts has the same rows as the follower's index, no
matter what the chain does in the meantime."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from indexer.games import GAMES
from indexer.store.store import Store
from indexer.verify.rebuild import FreshIndex
from tests.support.chain import DeployedChain, rows


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(f"sqlite:///{tmp_path / 'anew.db'}", GAMES)) as it:
        yield it


async def begun(played: DeployedChain, store: Store) -> FreshIndex:
    store.set_chain(await played.node.chain(), played.deployments)
    fresh_index = FreshIndex(played.node, store, played.deployments)
    await fresh_index.read_to((await played.node.head()).height)
    return fresh_index


async def test_it_has_the_rows_that_the_follower_makes(played: DeployedChain, store: Store) -> None:
    fresh_index = await begun(played, store)
    assert rows(store) == await played.fresh_rows()
    await played.turn(2, 2, 4)
    await fresh_index.read_to((await played.node.head()).height)
    assert rows(store) == await played.fresh_rows()


async def test_it_goes_back_to_a_height_and_on(played: DeployedChain, store: Store) -> None:
    fresh_index = await begun(played, store)
    whole, top = rows(store), fresh_index.height
    await fresh_index.read_to(top - 4)
    assert max(height for height, *_ in rows(store)["block"]) == fresh_index.height == top - 4
    await fresh_index.read_to(top)
    assert rows(store) == whole


@pytest.mark.parametrize("kept", [256, 3])
async def test_it_leaves_what_the_chain_has_left(
    played: DeployedChain, store: Store, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that the rebuilt index drops blocks that a reorg removes. If the reorg is deeper than
    the index's memory of blocks, everything is read again."""
    monkeypatch.setattr("indexer.verify.rebuild.REMEMBERED_BLOCKS", kept)
    fresh_index = await begun(played, store)
    await played.node.request("anvil_reorg", (5, []))
    await played.mine(2)
    await fresh_index.read_to((await played.node.head()).height)
    assert rows(store) == await played.fresh_rows()


async def test_one_match_alone_has_its_rows_and_no_others(played: DeployedChain, store: Store) -> None:
    await played.play(3, "create", 7, 7, False)
    await played.play(4, "register", 3)
    store.set_chain(await played.node.chain(), played.deployments)
    await FreshIndex(played.node, store, played.deployments, ("touche-coule", 3)).read_to(
        (await played.node.head()).height
    )
    found, whole = rows(store), await played.fresh_rows()
    events = [row for row in whole["event"] if row[3] == 3]
    assert found["event"] == events
    assert found["block"] == [row for row in whole["block"] if row[0] in {height for height, *_ in events}]
    assert found['"match"'] == [row for row in whole['"match"'] if row[1] == 3]
