"""Tests of the proxy that injects faults in front of a real Anvil node. Each kind of fault must
change what the proxy delivers, and the proxy must count each fault."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from operator import not_
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest
import pytest_asyncio
from aiohttp import ClientConnectionError, ClientPayloadError, ClientSession, ClientWebSocketResponse, WSMsgType

from chaos.chain.anvil_chain import AnvilChain
from chaos.chain.recorded_chain import RecordedChain
from chaos.faults.byzantine import MissingLogs, StaleReplica
from chaos.faults.counts import FaultCounts
from chaos.faults.fault import HTTP, Fault
from chaos.faults.proxy import FaultProxy
from tests.support.waiting import wait_for_async
from tests.system.chaos.plays import PLAYS

pytestmark = pytest.mark.asyncio(loop_scope="module")

Json = dict[str, Any]
SUBSCRIBE = '{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}'
BATCH = [("eth_blockNumber", ()), ("eth_chainId", ())]
SILENCE = 0.6
"""The number of seconds after which a test stops listening if no message arrives."""


class ProxySite:
    """A chain with played matches, a proxy in front of the chain's node, and an HTTP session that
    sends requests to both."""

    def __init__(self, chain: AnvilChain, proxy: FaultProxy, session: ClientSession) -> None:
        self.chain, self.proxy, self.session = chain, proxy, session

    async def post(self, calls: list[tuple[str, Any]], batch: bool = True) -> tuple[int, dict[str, str], bytes]:
        body = [
            {"jsonrpc": "2.0", "id": 70 + number, "method": method, "params": list(params)}
            for number, (method, params) in enumerate(calls)
        ]
        async with self.session.post(self.proxy.url, json=body if batch else body[0]) as answer:
            return answer.status, dict(answer.headers), await answer.read()

    async def ask(self, method: str, *params: Any) -> Json:
        _status, _headers, body = await self.post([(method, params)], batch=False)
        return dict(orjson.loads(body))

    def observed(self, kind: str) -> int:
        counts = self.proxy.counts.counts().get(kind, [0, 0])
        assert counts[0] >= counts[1]
        return counts[1]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def shared_site(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ProxySite]:
    folder = tmp_path_factory.mktemp("proxy")
    async with AsyncExitStack() as stack:
        session = await stack.enter_async_context(ClientSession())
        recorded, chain, proxy = RecordedChain(folder / "base"), AnvilChain(folder), FaultProxy(FaultCounts())
        await recorded.record(PLAYS)
        await chain.start()
        stack.push_async_callback(chain.stop)
        await recorded.replay(chain, folder / "data")
        await proxy.start()
        stack.push_async_callback(proxy.stop)
        proxy.point_at(chain.url)
        yield ProxySite(chain, proxy, session)


@pytest.fixture
def site(shared_site: ProxySite) -> ProxySite:
    shared_site.proxy.stop_faults()
    shared_site.proxy.counts = FaultCounts()
    return shared_site


def fault(kind: str, variant: str, hits: int = 1) -> Fault:
    return Fault(kind, variant, hits, Random(5), long=0.4)


async def test_with_no_fault_the_answers_are_the_nodes(site: ProxySite) -> None:
    for call in [
        ("eth_getBlockByNumber", ("latest", True)),
        ("eth_getLogs", ({"fromBlock": "0x0"},)),
        ("nonsense", ()),
    ]:
        body = {"jsonrpc": "2.0", "id": 70, "method": call[0], "params": list(call[1])}
        async with site.session.post(site.chain.url, json=body) as answer:
            assert await site.ask(call[0], *call[1]) == await answer.json()
    assert site.proxy.counts.counts() == {}


async def _nothing(site: ProxySite) -> None:
    with pytest.raises(ClientConnectionError):
        await site.post(BATCH)


async def _cut(site: ProxySite) -> None:
    with pytest.raises(ClientPayloadError):
        await site.post(BATCH)


async def _numbers(site: ProxySite) -> list[int]:
    _status, _headers, body = await site.post(BATCH)
    return [one["id"] for one in orjson.loads(body)]


async def _late(site: ProxySite, least: float) -> None:
    begin = time.monotonic()
    assert sorted(await _numbers(site)) == [70, 71]
    assert time.monotonic() - begin >= least


async def _twice(site: ProxySite) -> None:
    height = await site.chain.height()
    await site.post([("evm_mine", ())])
    assert await site.chain.height() == height + 2


async def _earlier(site: ProxySite) -> None:
    site.proxy.stop_faults()
    before = await site.ask("eth_blockNumber")
    await site.chain.mine()
    site.proxy.arm(fault("duplicate", "earlier-answer"))
    assert await site.ask("eth_blockNumber") == before


async def _one_twice(site: ProxySite) -> None:
    assert sorted(await _numbers(site)) in ([70, 70, 71], [70, 71, 71])


async def _short(site: ProxySite) -> None:
    assert len(await _numbers(site)) == 1


async def _other_way_round(site: ProxySite) -> None:
    """Check that the answer to the batch is complete. Its order proves nothing about the fault,
    because Anvil also answers in varying orders."""
    assert sorted(await _numbers(site)) == [70, 71]


async def _no_json(site: ProxySite) -> None:
    status, _headers, body = await site.post(BATCH)
    assert status == 200
    with pytest.raises(orjson.JSONDecodeError):
        orjson.loads(body)


async def _status(site: ProxySite, wanted: int, retry: bool = False) -> None:
    status, headers, _body = await site.post(BATCH)
    assert status == wanted
    assert ("Retry-After" in headers) == retry


async def _closed_after(site: ProxySite) -> None:
    _status, _headers, body = await site.post(BATCH)
    assert len(orjson.loads(body)) == 2
    connections = site.session.connector
    assert connections is not None

    def still_connected() -> list[Any]:
        return [one for held in connections._conns.values() for one, _ in held if one.is_connected()]

    await wait_for_async(still_connected, not_, "the end of the connection")


EXPECTED: dict[tuple[str, str], Callable[[ProxySite], Any]] = {
    ("drop", "before"): _nothing,
    ("drop", "after"): _nothing,
    ("delay", "short"): lambda site: _late(site, 0.02),
    ("delay", "long"): lambda site: _late(site, 0.4),
    ("duplicate", "asked-twice"): _twice,
    ("duplicate", "earlier-answer"): _earlier,
    ("duplicate", "answer-twice"): _one_twice,
    ("reorder", "batch"): _other_way_round,
    ("truncate", "cut"): _cut,
    ("truncate", "short-batch"): _short,
    ("truncate", "garbled"): _no_json,
    ("429", "retry-after"): lambda site: _status(site, 429, retry=True),
    ("429", "bare"): lambda site: _status(site, 429),
    **{("5xx", code): (lambda site, code=code: _status(site, int(code))) for code in HTTP["5xx"]},
    ("close-http", "answering"): _cut,
    ("close-http", "idle"): _closed_after,
}


@pytest.mark.parametrize(("kind", "variant"), [(kind, variant) for kind, some in HTTP.items() for variant in some])
async def test_a_fault_hits_one_request_and_is_counted(site: ProxySite, kind: str, variant: str) -> None:
    site.proxy.arm(fault(kind, variant))
    await EXPECTED[kind, variant](site)
    assert site.observed(kind) == 1
    site.session.connector and site.session.connector._conns.clear()
    assert sorted(await _numbers(site)) == [70, 71]  # the fault is over, so the proxy passes on the next request
    assert site.observed(kind) == 1


async def test_a_dropped_request_was_seen_by_the_node_or_was_not(site: ProxySite) -> None:
    height = await site.chain.height()
    for variant, wanted in (("before", height), ("after", height + 1)):
        site.proxy.arm(fault("drop", variant))
        with pytest.raises(ClientConnectionError):
            await site.ask("evm_mine")
        assert await site.chain.height() == wanted


async def test_a_batch_comes_in_another_order(site: ProxySite) -> None:
    calls = [("eth_getBlockByNumber", (hex(height), False)) for height in range(12)]
    found = set()
    for seed in range(6):
        site.proxy.arm(Fault("reorder", "batch", 1, Random(seed)))
        _status, _headers, body = await site.post(calls)
        found.add(tuple(one["id"] for one in orjson.loads(body)))
    assert all(sorted(order) == list(range(70, 82)) for order in found)
    assert len(found) > 1


# ---- tests of wrong answers from the node


async def logs(site: ProxySite, **query: Any) -> list[Json]:
    answer = await site.ask("eth_getLogs", query or {"fromBlock": "0x0", "toBlock": "latest"})
    found: list[Json] = answer["result"]
    return found


@pytest.mark.parametrize("kind", ["short-logs-range", "short-logs-always"])
@pytest.mark.parametrize("omitted", ["block", "last", "hidden"])
async def test_logs_are_left_out_the_same_ones_each_time(site: ProxySite, kind: str, omitted: str) -> None:
    whole = await logs(site)
    site.proxy.answer_wrongly(MissingLogs(kind, omitted, 2, Random(1)))
    answered_logs = await logs(site)
    missing = [log for log in whole if log not in answered_logs]
    blocks = {log["blockHash"] for log in missing}
    assert [log for log in whole if log in answered_logs] == answered_logs
    assert len(blocks) == 2
    assert await logs(site) == answered_logs
    for block in blocks:
        in_block = [log for log in whole if log["blockHash"] == block]
        left = [log for log in answered_logs if log["blockHash"] == block]
        assert {"block": not left, "last": left == in_block[:-1], "hidden": len(left) == len(in_block) - 1}[omitted]
        by_hash = await logs(site, blockHash=block)
        assert by_hash == (in_block if kind == "short-logs-range" else left)
        receipts = (await site.ask("eth_getBlockReceipts", block))["result"]
        assert [log["logIndex"] for one in receipts for log in one["logs"]] == [log["logIndex"] for log in in_block]
        if omitted == "hidden":
            items = {item for log in left for item in (log["address"], *log["topics"])}
            [gone] = [log for log in in_block if log not in left]
            assert {gone["address"], *gone["topics"]} <= items
    assert site.observed(kind) >= 2


async def test_a_lagging_replica_tells_of_an_earlier_head(site: ProxySite) -> None:
    await site.chain.mine(3)
    head = await site.chain.height()
    tip = await site.chain.head()
    site.proxy.answer_wrongly(StaleReplica(head - 2, 30, 1.0, Random(1)))
    assert int((await site.ask("eth_blockNumber"))["result"], 16) == head - 2
    assert int((await site.ask("eth_getBlockByNumber", "latest", False))["result"]["number"], 16) == head - 2
    assert (await site.ask("eth_getBlockByNumber", hex(head), False))["result"] is None
    assert (await site.ask("eth_getBlockByNumber", hex(head - 2), False))["result"] is not None
    assert (await site.ask("eth_getBlockByHash", tip["hash"], False))["result"] is None
    assert "error" in await site.ask("eth_getLogs", {"blockHash": tip["hash"]})
    assert "error" in await site.ask("eth_call", {"to": "0x" + "0" * 40}, hex(head))
    assert (await site.ask("eth_getBlockReceipts", tip["hash"]))["result"] in (None, [])
    assert site.observed("stale-replica") >= 6


async def test_a_lagging_replica_lists_no_logs_beyond_its_head(site: ProxySite) -> None:
    whole = await logs(site)
    height = int(whole[len(whole) // 2]["blockNumber"], 16)
    site.proxy.answer_wrongly(StaleReplica(height, 30, 1.0, Random(1)))
    assert await logs(site) == [log for log in whole if int(log["blockNumber"], 16) <= height]
    site.proxy.stop_faults()
    site.proxy.answer_wrongly(StaleReplica(height, 0, 1.0, Random(1)))
    assert await logs(site) == whole


# ---- tests of the websocket


async def heads(socket: ClientWebSocketResponse, least: int, silence: float = SILENCE) -> list[str]:
    """Return messages from a websocket. Receive at least `least` messages, and then stop when no
    message arrives for `silence` seconds."""
    found: list[str] = []
    while True:
        try:
            message = await socket.receive(10 if len(found) < least else silence)
        except TimeoutError:
            return found
        assert message.type is WSMsgType.TEXT, message
        found.append(message.data)


async def subscribed(site: ProxySite) -> ClientWebSocketResponse:
    socket = await site.session.ws_connect(site.proxy.url)
    await socket.send_str(SUBSCRIBE)
    assert "result" in (await socket.receive()).data
    return socket


def numbers(texts: list[str]) -> list[int]:
    return [int(orjson.loads(text)["params"]["result"]["number"], 16) for text in texts]


@pytest.mark.parametrize("kind", ["drop", "duplicate", "reorder", "truncate", "delay"])
async def test_faults_hit_heads(site: ProxySite, kind: str) -> None:
    async with await subscribed(site) as socket:
        site.proxy.arm(fault(kind, "heads" if kind == "reorder" else "head"))
        height = await site.chain.height()
        first, second = height + 1, height + 2
        for _ in range(2):
            await site.chain.mine()
        found = await heads(socket, 1)
        if kind == "truncate":
            with pytest.raises(orjson.JSONDecodeError):
                orjson.loads(found.pop(0))
        wanted = {
            "drop": [second],
            "duplicate": [first, first, second],
            "reorder": [second, first],
            "truncate": [second],
            "delay": [second, first],
        }
        assert numbers(found) == wanted[kind]
    assert site.observed(kind) == 1


@pytest.mark.parametrize("variant", ["live", "fresh"])
async def test_a_half_open_websocket_swallows_heads_and_pings(site: ProxySite, variant: str) -> None:
    if variant == "fresh":
        site.proxy.arm(fault("half-open-websocket", variant))
        socket = await site.session.ws_connect(site.proxy.url)
        await socket.send_str(SUBSCRIBE)
    else:
        socket = await subscribed(site)
        site.proxy.arm(fault("half-open-websocket", variant))
    async with socket:
        await site.chain.mine()
        await socket.ping()
        assert await heads(socket, 0) == []
        assert site.observed("half-open-websocket") == 1
        # Without this call, closing the socket would wait for a close frame that never comes.
        site.proxy.drop_sockets()
    async with await subscribed(site) as other:  # the fault doesn't affect the next websocket
        await site.chain.mine()
        assert len(await heads(other, 1)) == 1


@pytest.mark.parametrize("variant", ["live", "fresh"])
async def test_a_websocket_ends_suddenly(site: ProxySite, variant: str) -> None:
    if variant == "fresh":
        site.proxy.arm(fault("close-websocket", variant))
        socket = await site.session.ws_connect(site.proxy.url)
    else:
        socket = await subscribed(site)
        site.proxy.arm(fault("close-websocket", variant))
    assert (await socket.receive(5)).type in (WSMsgType.CLOSED, WSMsgType.ERROR)
    assert site.observed("close-websocket") == 1


async def test_without_a_node_requests_fail(site: ProxySite, tmp_path: Path) -> None:  # noqa: ARG001
    site.proxy.point_at(None)
    with pytest.raises(ClientConnectionError):
        await site.ask("eth_blockNumber")
    site.proxy.point_at(site.chain.url)
    assert "result" in await site.ask("eth_blockNumber")
