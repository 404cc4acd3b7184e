"""Tests on a real Anvil node that the faucet tops up an address only once, respects its limits and
repairs its nonces."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from eth_account import Account

from api.chain.faucet import ETHER, MINUTE_SHARE, TOTAL_SHARE, Faucet
from api.problems import Problem
from api.shapes.chain import FaucetShape
from chainboard.chain.anvil import Anvil
from indexer.node.client import Node, NodeUnavailable
from indexer.wakeup import Wakeup
from tests.api.playground import Playground, served
from tests.support.chain import mined_receipt, reset_chain
from tests.support.waiting import wait_for_async
from transactions.journal import Journal

KEY = "0x" + "22" * 32
HERE = "127.0.0.1"


@pytest.fixture
async def node(tmp_path: Path) -> AsyncIterator[Node]:
    anvil = await Anvil.start(tmp_path / "chain")
    await anvil.node.request("anvil_setBalance", (Account.from_key(KEY).address, hex(100 * ETHER)))
    yield anvil.node
    await anvil.stop()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal(tmp_path / "transactions.db")) as it:
        yield it


async def balance(node: Node, address: str) -> int:
    return int(await node.request("eth_getBalance", (address, "latest")), 16)


async def mined(node: Node, tx: str) -> None:
    receipt = await mined_receipt(node, tx)
    assert receipt["status"] == "0x1"


async def test_tops_up_to_one_ether_once_a_minute(node: Node, tmp_path: Path, journal: Journal) -> None:
    poor = Account.create().address
    await node.request("anvil_setBalance", (poor, hex(ETHER // 20)))
    with closing(Playground(tmp_path)) as play:
        async with served(play, tmp_path, node=node, development=True, faucet=Faucet(node, KEY, journal)) as server:
            answer = await server.http.post("/api/faucet", json={"address": poor.lower()})
            assert answer.status_code == 200
            found = answer.json()
            assert (found["address"], found["sent"]) == (poor, str(ETHER - ETHER // 20))
            await mined(node, found["tx"])
            assert await balance(node, poor) == ETHER
            again = (await server.http.post("/api/faucet", json={"address": poor})).json()
            assert again == {"address": poor, "sent": "0"}
            await node.request("anvil_setBalance", (poor, "0x0"))
            answer = await server.http.post("/api/faucet", json={"address": poor})
            assert (answer.status_code, answer.json()["code"]) == (429, "faucet-too-often")
            assert answer.headers["retry-after"] == "60"
            text = (await server.http.get("/api/metrics")).text
            assert 'chainboard_faucet_total{outcome="sent"} 1.0' in text


async def test_gives_again_at_once_on_a_chain_that_began_anew(node: Node, journal: Journal) -> None:
    """Tests that the faucet tops up an address again as soon as the chain has restarted. Nobody has
    to wait a minute."""
    faucet, poor = Faucet(node, KEY, journal), Account.create().address
    # without this wait, the block might be mined after the reset
    await mined(node, (await faucet.top_up(poor, HERE))["tx"])
    await reset_chain(node)
    await node.request("anvil_setBalance", (faucet.address, hex(100 * ETHER)))
    grant = await faucet.top_up(poor, HERE)
    await mined(node, grant["tx"])
    assert await balance(node, poor) == ETHER


async def test_many_at_once_each_get_theirs(node: Node, journal: Journal) -> None:
    faucet = Faucet(node, KEY, journal)
    poor = [Account.create().address for _ in range(20)]
    grants = await asyncio.gather(*(faucet.top_up(address, HERE) for address in poor))
    for grant in grants:
        await mined(node, grant["tx"])
    assert [await balance(node, address) for address in poor] == [ETHER] * 20
    assert len({grant["tx"] for grant in grants}) == 20


async def code(giving: Awaitable[FaucetShape]) -> tuple[int, str]:
    with pytest.raises(Problem) as refused:
        await giving
    return refused.value.status, refused.value.code


async def test_is_bounded_in_all(node: Node, journal: Journal) -> None:
    faucet = Faucet(node, KEY, journal, total=2 * ETHER)
    faucet._share = 2 * ETHER
    for _ in range(2):
        await faucet.top_up(Account.create().address, HERE)
    assert await code(faucet.top_up(Account.create().address, "192.0.2.1")) == (503, "faucet-empty")
    hurried = Faucet(node, KEY, journal, per_minute=1)
    await hurried.top_up(Account.create().address, HERE)
    assert await code(hurried.top_up(Account.create().address, "192.0.2.1")) == (429, "faucet-busy")


async def test_no_network_address_uses_it_up(node: Node, journal: Journal) -> None:
    """Tests that no network address can use up the faucet's limit per minute or its total. A second
    network address still gets ether."""
    faucet = Faucet(node, KEY, journal, per_minute=8)
    for _ in range(8 // MINUTE_SHARE):
        await faucet.top_up(Account.create().address, HERE)
    assert await code(faucet.top_up(Account.create().address, HERE)) == (429, "faucet-too-often")
    assert (await faucet.top_up(Account.create().address, "192.0.2.1"))["tx"]
    faucet = Faucet(node, KEY, journal, total=TOTAL_SHARE * ETHER)
    await faucet.top_up(Account.create().address, HERE)
    assert await code(faucet.top_up(Account.create().address, HERE)) == (503, "faucet-empty")
    assert (await faucet.top_up(Account.create().address, "192.0.2.1"))["tx"]


async def test_an_account_that_a_reorg_has_emptied_is_funded_again(node: Node, journal: Journal) -> None:
    key = "0x" + "34" * 32

    async def fund() -> None:
        await node.request("anvil_setBalance", (Account.from_key(key).address, hex(10 * ETHER)))

    poor = Account.create().address
    payout = await Faucet(node, key, journal, fund=fund).top_up(poor, HERE)
    await mined(node, payout["tx"])
    assert await balance(node, poor) == ETHER


async def test_what_a_reorg_took_back_is_given_again_within_the_minute(node: Node, journal: Journal) -> None:
    """Tests that the faucet tops up an address again right after a reorg has removed the transfer.
    Otherwise, the player whose turn it is would have to wait a minute."""
    await node.request("anvil_mine", (hex(3),))
    faucet, poor = Faucet(node, KEY, journal), Account.create().address
    first = await faucet.top_up(poor, HERE)
    await mined(node, first["tx"])
    await faucet._transactions.check()
    await node.request("anvil_rollback", (1,))
    await node.request("anvil_setBalance", (faucet.address, hex(100 * ETHER)))
    assert await balance(node, poor) == 0
    second = await faucet.top_up(poor, HERE)
    await mined(node, second["tx"])
    assert await balance(node, poor) == ETHER


async def test_an_empty_account_says_so(node: Node, journal: Journal) -> None:
    with pytest.raises(Problem) as refused:
        await Faucet(node, "0x" + "33" * 32, journal).top_up(Account.create().address, HERE)
    assert refused.value.code == "faucet-empty"


async def test_nonces_heal_after_a_failure_another_sender_and_a_reset(node: Node, journal: Journal) -> None:
    faucet = Faucet(node, KEY, journal)
    first, second, third = (Account.create().address for _ in range(3))
    await node.request("anvil_setBalance", (faucet.address, hex(ETHER // 2)))
    with pytest.raises(Problem):
        await faucet.top_up(first, HERE)
    await node.request("anvil_setBalance", (faucet.address, hex(100 * ETHER)))
    # the rejected request used no nonce and didn't count towards the limit per minute
    grant = await faucet.top_up(first, HERE)
    await mined(node, grant["tx"])
    await node.request("anvil_setNonce", (faucet.address, hex(9)))
    grant = await faucet.top_up(second, HERE)
    await mined(node, grant["tx"])
    await node.request("anvil_reset", ())
    await node.request("anvil_setBalance", (faucet.address, hex(100 * ETHER)))
    grant = await faucet.top_up(third, HERE)
    await mined(node, grant["tx"])


async def test_a_lost_node_is_503(journal: Journal) -> None:
    node = Node("http://127.0.0.1:9")
    with pytest.raises(Problem) as refused:
        await Faucet(node, KEY, journal).top_up(Account.create().address, HERE)
    assert (refused.value.status, refused.value.code) == (503, "node-lost")
    await node.aclose()


async def test_a_transfer_without_an_answer_is_not_made_twice(journal: Journal, node: Node) -> None:
    """The node accepts the transfer but doesn't answer the faucet. Tests that a second request in
    the meantime returns the same transaction."""
    await node.request("evm_setAutomine", (False,))
    faucet, poor = Faucet(node, KEY, journal), Account.create().address
    sends, request = 0, node.request

    async def cut(method: str, params: Sequence[Any] = ()) -> Any:
        nonlocal sends
        result = await request(method, params)
        if method == "eth_sendRawTransaction":
            sends += 1
            raise NodeUnavailable(node.url, "cut")
        return result

    struck: Any = type("Cut", (), {"request": staticmethod(cut), "chain": node.chain})()
    cutting = Faucet(struck, KEY, journal)
    grant = await cutting.top_up(poor, HERE)
    with pytest.raises(Problem) as refused:
        await cutting.top_up(poor, HERE)
    assert refused.value.code == "faucet-too-often"
    # the faucet's server has restarted
    assert (await faucet.top_up(poor, HERE))["tx"] == grant["tx"]
    await node.request("evm_mine")
    assert await balance(node, poor) == ETHER
    assert sends == 1


async def test_transfers_are_followed_to_their_blocks(journal: Journal, node: Node) -> None:
    faucet = Faucet(node, KEY, journal)
    await faucet.top_up(Account.create().address, HERE)
    following = asyncio.create_task(faucet.run(Wakeup()))
    chain = await node.chain()
    await wait_for_async(
        lambda: [tx.state for tx in journal.all(f"{chain.chain_id}:{chain.genesis}", faucet.address)],
        lambda states: states == ["mined"],
        "the transfer's block",
    )
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)
