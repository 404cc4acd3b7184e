"""Tests of a chain that grows. Past states may use only limited disk space, and saving the chain
may use only a limited share of the time. Above a certain size, the chain switches to a mode for
large chains."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import os
import re
import signal
from collections.abc import AsyncIterator
from itertools import pairwise
from operator import not_
from pathlib import Path

import pytest

from chainboard.chain import anvil, restarts, state_files
from chainboard.chain.anvil import Anvil
from chainboard.chain.connect import open_chain
from chainboard.chain.deployment import deploy_contracts
from chainboard.chain.state_files import StateFiles
from chainboard.commands import verify
from chainboard.indexing.database import catch_up, open_store
from chainboard.settings import Settings
from indexer.follow.follower import Follower
from indexer.node.client import Node, NodeError, NodeUnavailable
from tests.support.chain import DeployedChain
from tests.support.players import mine_transaction
from tests.support.waiting import PATIENCE_SECONDS, wait_for_async
from tests.system.commands.test_up import anvils_of

HISTORY = "0x0000F90827F1C53a10cb7A02335B175320002935"
"""The address of the EIP-2935 contract, which stores the hashes of recent blocks."""
ETHER = hex(10**18)
RICH = "0x" + "77" * 20
MEMORY_STATES = 500
"""The number of past states that Anvil keeps in memory. Older states are on the disk."""


@pytest.fixture
async def chain(tmp_path: Path) -> AsyncIterator[Anvil]:
    it = await Anvil.start(tmp_path)
    try:
        yield it
    finally:
        await it.stop()


async def transfer(node: Node, value: int = 1) -> None:
    sender = (await node.request("eth_accounts"))[0]
    await asyncio.to_thread(mine_transaction, node.url, {"from": sender, "to": RICH, "value": hex(value)})


async def balance(node: Node, block: str = "latest") -> int:
    return int(await node.request("eth_getBalance", (RICH, block)), 16)


async def switch_to_large_mode(chain: Anvil, monkeypatch: pytest.MonkeyPatch) -> None:
    """Switch the chain to the mode for large chains: treat every size as large, and run the regular
    maintenance."""
    monkeypatch.setattr(anvil, "LARGE_BYTES", 0)
    await chain.save()
    await chain.maintain()
    assert chain._is_large


def raise_disk_full(*_saved: object) -> None:
    raise OSError(28, "No space left on device")


async def test_a_chain_that_grows_large_goes_on_with_all_its_blocks(
    chain: Anvil, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that the switch to the mode for large chains loses no block. Afterwards, the chain must
    have the same address, and connections must still be open."""
    node = chain.node
    await transfer(node)
    await node.request("anvil_mine", (hex(50),))
    before = [await node.block(height) for height in range(52)]
    await switch_to_large_mode(chain, monkeypatch)
    assert chain.node is node
    assert [await node.block(height) for height in range(52)] == before
    assert await balance(node) == 1
    await transfer(node)
    head = await node.head()
    assert (head.height, head.parent, await balance(node)) == (52, before[-1].hash if before[-1] else None, 2)
    kept = await node.request("eth_getStorageAt", (HISTORY, hex(head.height - 1), "latest"))
    assert kept == head.parent
    with pytest.raises(NodeError, match="BlockOutOfRange"):
        await balance(node, hex(head.height - 1))


async def test_a_large_chain_starts_as_one_again(chain: Anvil, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    genesis = await chain.node.chain()
    await transfer(chain.node)
    await switch_to_large_mode(chain, monkeypatch)
    await transfer(chain.node)
    await chain.save()
    await chain.stop()
    async with contextlib.AsyncExitStack() as stack:
        again = await Anvil.start(tmp_path)
        stack.push_async_callback(again.stop)
        assert again._is_large
        assert (await again.node.chain(), await balance(again.node)) == (genesis, 2)
        await transfer(again.node)
        assert await balance(again.node) == 3


async def test_what_waits_to_be_mined_is_not_lost(chain: Anvil, monkeypatch: pytest.MonkeyPatch) -> None:
    first = (await chain.node.request("eth_accounts"))[0]
    await chain.node.request("evm_setAutomine", (False,))
    for value in (1, 2, 4):
        await chain.node.request("eth_sendTransaction", ({"from": first, "to": RICH, "value": hex(value)},))
    await switch_to_large_mode(chain, monkeypatch)
    await wait_for_async(lambda: balance(chain.node), lambda found: found == 7, "the transfers")


async def test_transactions_sent_during_the_switch_are_not_lost(chain: Anvil, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that no transaction is lost during the switch. During the last save before the switch,
    Anvil accepts transactions but no longer mines them."""
    first = (await chain.node.request("eth_accounts"))[0]

    async def save() -> None:
        await Anvil.save(chain)
        if await chain.node.request("anvil_getAutomine"):
            # After this transaction, the chain must be saved again.
            await transfer(chain.node)
        else:
            await chain.node.request("eth_sendTransaction", ({"from": first, "to": RICH, "value": "0x4"},))

    monkeypatch.setattr(anvil, "LARGE_BYTES", 0)
    monkeypatch.setattr(chain, "save", save)
    await transfer(chain.node)
    await chain.maintain()
    assert chain._is_large
    await wait_for_async(lambda: balance(chain.node), lambda found: found == 6, "the transfers")


async def test_a_large_chain_that_was_killed_is_started_again(chain: Anvil, monkeypatch: pytest.MonkeyPatch) -> None:
    await transfer(chain.node)
    await switch_to_large_mode(chain, monkeypatch)
    for process in chain._processes:
        for one in anvils_of(process.pid):
            os.kill(one, signal.SIGKILL)
    await wait_for_async(lambda: chain.alive, not_, "the end of the chain")
    await chain.maintain()
    await transfer(chain.node)
    assert await balance(chain.node) == 2


async def test_a_large_chain_needs_no_proxy(chain: Anvil, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a large chain needs no HTTP proxy. In the mode for large chains, Anvil queries a
    second Anvil node on this machine over HTTP, and mustn't do that through the user's proxy."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    await transfer(chain.node)
    await switch_to_large_mode(chain, monkeypatch)
    await transfer(chain.node)
    assert await balance(chain.node) == 2


async def test_cancellation_during_the_switch_ends_it(chain: Anvil, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a cancellation ends the switch. The switch ignores missing answers, but it mustn't
    treat the cancellation as a missing answer."""
    begun = asyncio.Event()

    async def never() -> None:
        begun.set()
        await asyncio.Event().wait()

    await transfer(chain.node)
    await chain.save()
    monkeypatch.setattr(anvil, "LARGE_BYTES", 0)
    monkeypatch.setattr(chain, "_start_from_newest", never)
    keeping = asyncio.create_task(chain.save_regularly())
    monkeypatch.setattr(anvil, "SAVE_SECONDS", 0.01)
    async with asyncio.timeout(PATIENCE_SECONDS):
        await begun.wait()
        keeping.cancel()
        with pytest.raises(asyncio.CancelledError):
            await keeping


async def test_a_full_disk_is_freed_of_past_states(chain: Anvil, monkeypatch: pytest.MonkeyPatch) -> None:
    trimmed = []
    monkeypatch.setattr(state_files, "trim_past_states", lambda folder: trimmed.append(folder) or 0)
    monkeypatch.setattr(StateFiles, "write", raise_disk_full)
    await transfer(chain.node)
    with pytest.raises(OSError, match="No space"):
        await chain.maintain()
    assert trimmed


async def test_requests_at_the_newest_block_are_answered_while_blocks_come(
    chain: Anvil, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests requests at the newest block while blocks arrive. Chainboard's own proxy must answer
    all of them. Without the proxy, Anvil would reject about one in seven."""
    await transfer(chain.node)
    await switch_to_large_mode(chain, monkeypatch)
    sender = (await chain.node.request("eth_accounts"))[0]
    done = asyncio.Event()

    async def mine() -> int:
        blocks = 0
        async with contextlib.aclosing(chain.node.with_own_connections()) as node:
            while not done.is_set():
                await node.request("eth_sendTransaction", ({"from": sender, "to": RICH, "gas": hex(21_000)},))
                blocks += 1
        return blocks

    mining = asyncio.create_task(mine())
    try:
        answers = {await chain.node.request("eth_call", ({"to": RICH}, "latest")) for _ in range(300)}
    finally:
        done.set()
    assert (answers, await mining > 30) == ({"0x"}, True)


async def test_players_wait_during_the_switch(chain: Anvil, monkeypatch: pytest.MonkeyPatch) -> None:
    await transfer(chain.node)
    begun, start = asyncio.Event(), chain._start_from_newest
    asked: list[asyncio.Task[int]] = []

    async def started() -> None:
        """Send requests while no Anvil process is running. Then start the new Anvil process."""
        asked.extend(asyncio.create_task(balance(node)) for _ in range(20))
        begun.set()
        await start()

    monkeypatch.setattr(chain, "_start_from_newest", started)
    async with contextlib.aclosing(chain.players_node()) as node:
        asked.append(asyncio.create_task(balance(node)))
        await switch_to_large_mode(chain, monkeypatch)
        assert begun.is_set()
        assert await asyncio.gather(*asked) == 21 * [1]


async def test_players_do_not_wait_for_ever(chain: Anvil, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restarts, "WAIT_SECONDS", 0.01)
    async with contextlib.aclosing(chain.players_node()) as node:
        async with chain._restart_lock.restart():
            with pytest.raises(NodeUnavailable, match="it is restarting"):
                await balance(node)
        assert await balance(node) == 0


async def test_chain_that_cannot_switch_continues_mining(chain: Anvil, monkeypatch: pytest.MonkeyPatch) -> None:
    await transfer(chain.node)
    monkeypatch.setattr(StateFiles, "write", raise_disk_full)
    with pytest.raises(OSError, match="No space"):
        await chain._discard_past_states()
    await transfer(chain.node)
    assert await balance(chain.node) == 2


async def test_past_states_are_bounded_by_bytes(chain: Anvil, tmp_path: Path) -> None:
    """Tests that Anvil's past states use limited disk space. Anvil deletes the oldest states. A
    query for a deleted state must return an error, and never the state at a different block."""
    await transfer(chain.node)
    await chain.node.request("anvil_mine", (hex(MEMORY_STATES + 100),))
    cache = tmp_path / "cache"
    written = {path: path.stat() for path in cache.glob("*/*.json")}
    assert len(written) > 50
    whole = sum(one.st_size for one in written.values())
    assert state_files.trim_past_states(cache) == whole, "the states are far below the limit"
    assert 0 < state_files.trim_past_states(cache, whole // 2) <= whole // 2
    kept = [one.st_mtime_ns for path, one in written.items() if path.exists()]
    gone = [one.st_mtime_ns for path, one in written.items() if not path.exists()]
    assert len(kept) >= len(written) // 4
    assert max(gone) <= min(kept)
    with pytest.raises(NodeError, match="BlockOutOfRange"):
        await balance(chain.node, "0x2")
    assert await balance(chain.node, hex(MEMORY_STATES)) == 1
    await transfer(chain.node)
    assert await balance(chain.node) == 2


async def test_saves_take_a_twentieth_of_the_time_at_most(chain: Anvil, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that the chain spends at most a twentieth of the time on saves. The test controls the
    clock, and each save takes three seconds."""
    now = 1000.0

    def write(*_saved: object) -> None:
        nonlocal now
        now += 3

    monkeypatch.setattr(StateFiles, "write", write)
    monkeypatch.setattr(anvil, "monotonic", lambda: now)
    saved = []
    for _ in range(130):
        await chain.node.request("evm_mine")
        before = now
        await chain.maintain()
        if now > before:
            saved.append(now)
        now += 1
    assert len(saved) == 3
    assert min(later - earlier for earlier, later in pairwise(saved)) >= 20 * 3
    assert chain.figures.save_seconds == 3


async def test_a_chain_saved_by_an_earlier_version_is_taken_over(chain: Anvil, tmp_path: Path) -> None:
    await transfer(chain.node)
    await chain.save()
    await chain.stop()
    for name in ("state", "former"):
        text = gzip.decompress((tmp_path / "state.json.gz").read_bytes())
        assert json.loads(text)["best_block_number"] == 1
        (tmp_path / f"{name}.json").write_bytes(text)
    (tmp_path / "state.json.gz").unlink()
    again = await Anvil.start(tmp_path)
    try:
        for value in (2, 3):
            assert await balance(again.node) == value - 1
            await transfer(again.node)
            await again.save()
    finally:
        await again.stop()
    assert [path.name for path in StateFiles(tmp_path).newest_first()] == ["state.json.gz", "former.json.gz"]


async def test_base_fee_stays_low_despite_full_blocks(chain: Anvil) -> None:
    """Tests that the base fee stays low despite full blocks. Under EIP-1559, each full block raises
    the base fee by an eighth, so the regular maintenance resets the base fee."""
    await chain.node.request("anvil_setNextBlockBaseFeePerGas", (hex(500 * 10**9),))
    await transfer(chain.node)
    await chain.maintain()
    await transfer(chain.node)
    head = await chain.node.request("eth_getBlockByNumber", ("latest", False))
    assert int(head["baseFeePerGas"], 16) == anvil.BASE_FEE
    await chain.maintain()
    await transfer(chain.node)
    head = await chain.node.request("eth_getBlockByNumber", ("latest", False))
    assert int(head["baseFeePerGas"], 16) < anvil.BASE_FEE, "the fee must fall again by EIP-1559"


async def test_the_figures_tell_how_large_it_is(chain: Anvil, tmp_path: Path) -> None:
    await chain.node.request("anvil_mine", (hex(MEMORY_STATES + 20),))
    await chain.save()
    await chain.maintain()
    found, file = chain.figures, tmp_path / "state.json.gz"
    assert (found.height, found.saved_height) == (MEMORY_STATES + 20, MEMORY_STATES + 20)
    assert found.state_bytes == len(gzip.decompress(file.read_bytes()))
    assert found.saved_bytes == file.stat().st_size
    assert found.past_state_bytes == sum(path.stat().st_size for path in (tmp_path / "cache").glob("*/*.json")) > 0
    assert found.save_seconds > 0


async def test_a_large_chain_is_followed_and_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that the index follows a large chain, and that `chainboard verify` compares boards with
    the contract at the chain's head. The command must count older states as pruned."""
    monkeypatch.setattr(anvil, "LARGE_BYTES", 0)
    settings = Settings(tmp_path)
    async with open_chain(settings) as (node, it):
        assert it is not None
        deployments = await deploy_contracts(settings, node)
        await it.save()
        await it.maintain()
        async with open_store(settings, await node.chain(), deployments) as store:
            follower = Follower(node, store, deployments)
            await catch_up(follower)
            played = DeployedChain(node, deployments, await node.request("eth_accounts"), tmp_path)
            await played.play(0, "create", 12, 12, False)
            for player in (1, 2, 1, 2):
                await played.play(player, "register", 1)
            await played.play(1, "turn", 1, 0)
            await catch_up(follower)
            assert follower.health.state == "ok"
    await verify.verify(settings, None, False)
    said = capsys.readouterr().out
    assert said.startswith("Verified: ")
    assert re.search(r"views checked: [1-9]\d* at 1 blocks, [1-9]\d* pruned", said)
