"""Tests that the gateway passes JSON-RPC requests on to a real Anvil node with the real
contracts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from eth_account import Account
from eth_utils.crypto import keccak

from api.chain.rpc_proxy import ClientLimits
from chainboard.indexing.database import catch_up
from contracts.abi import encode_call
from indexer.follow.follower import Follower
from indexer.games import GAMES
from indexer.model import Json
from indexer.node.client import Node, NodeError
from indexer.store.store import Store
from tests.api.playground import ApiServer, Playground, served
from tests.support.chain import DeployedChain, deployed_chain
from tests.support.waiting import wait_for_async

pytestmark = pytest.mark.asyncio(loop_scope="module")

KEY = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"
PLAYER = Account.from_key(KEY)
STRANGER = "0x" + "77" * 20
BATCH_GAS = 2**25


def code_hash_call(address: str) -> str:
    """Return bytecode (PUSH20, EXTCODEHASH, MSTORE, RETURN) that returns 64 bytes. The last 32
    bytes are the code hash of an address."""
    return f"0x73{address[2:]}3f60205260406000f3"


class RpcWallet:
    """A wallet that sends requests through the gateway and checks the answers."""

    def __init__(self, server: ApiServer, chain: DeployedChain) -> None:
        self.server, self.chain = server, chain

    async def post(self, body: Any, status: int = 200) -> Any:
        answer = await self.server.http.post("/api/rpc", json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    async def ask(self, method: str, *params: Any) -> Json:
        found: Json = await self.post({"jsonrpc": "2.0", "id": 7, "method": method, "params": list(params)})
        assert (found["jsonrpc"], found["id"]) == ("2.0", 7)
        return found

    async def result(self, method: str, *params: Any) -> Any:
        found = await self.ask(method, *params)
        assert "error" not in found, found
        return found["result"]

    async def refused(self, method: str, *params: Any) -> tuple[int, str]:
        error = (await self.ask(method, *params))["error"]
        return error["code"], error["message"]

    def call(self, name: str, *arguments: Any) -> Json:
        return {"to": self.chain.game.address, "data": encode_call(self.chain.game.abi, name, arguments)}

    async def signed(self, **more: Any) -> str:
        nonce = int(await self.chain.node.request("eth_getTransactionCount", (PLAYER.address, "latest")), 16)
        price = {"maxFeePerGas": 10**10, "maxPriorityFeePerGas": 10**9}
        transaction = {"nonce": nonce, "gas": 10**6, "value": 0, "chainId": 31337, **price, **more}
        return "0x" + bytes(PLAYER.sign_transaction(transaction).raw_transaction).hex()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def wallet(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[RpcWallet]:
    folder = tmp_path_factory.mktemp("rpc")
    async with deployed_chain(folder) as chain:
        with closing(Store(f"sqlite:///{folder / 'index.db'}", GAMES)) as store:
            store.set_chain(await chain.node.chain(), chain.deployments)
            await catch_up(Follower(chain.node, store, chain.deployments))
            page = folder / "page"
            async with served(Playground.for_store(store), page, games=GAMES, node=chain.node, store=store) as server:
                yield RpcWallet(server, chain)


async def test_reads(wallet: RpcWallet) -> None:
    address = wallet.chain.game.address
    assert await wallet.result("eth_chainId") == "0x7a69"
    assert await wallet.result("net_version") == "31337"
    head = await wallet.result("eth_blockNumber")
    block = await wallet.result("eth_getBlockByNumber", head, False)
    assert await wallet.result("eth_getBlockByHash", block["hash"], False) == block
    assert (await wallet.result("eth_getBlockByNumber", "latest"))["hash"] == block["hash"]
    transaction = block["transactions"][0]
    assert (await wallet.result("eth_getTransactionReceipt", transaction))["blockHash"] == block["hash"]
    assert (await wallet.result("eth_getTransactionByHash", transaction))["hash"] == transaction
    assert int(await wallet.result("eth_getBalance", PLAYER.address, "latest"), 16) > 0
    assert await wallet.result("eth_getTransactionCount", PLAYER.address, "pending") == "0x0"
    assert len(await wallet.result("eth_getCode", address, "latest")) > 1000
    codes = {address: await wallet.result("eth_getCode", address, "latest"), PLAYER.address: "0x"}
    for asked, code in codes.items():
        word = await wallet.result("eth_call", {"data": code_hash_call(asked)}, "latest")
        assert word == f"0x{'0' * 64}{keccak(hexstr=code).hex()}"
    assert int(await wallet.result("eth_gasPrice"), 16) > 0
    assert int(await wallet.result("eth_maxPriorityFeePerGas"), 16) >= 0
    assert "baseFeePerGas" in await wallet.result("eth_feeHistory", "0x4", "latest", [25, 75.5])
    logs = await wallet.result("eth_getLogs", {"fromBlock": "0x0", "toBlock": "latest"})
    assert logs
    assert {log["address"] for log in logs} <= {one.address.lower() for one in wallet.chain.deployments}
    one = await wallet.result("eth_getLogs", {"blockHash": block["hash"], "address": address, "topics": [None]})
    assert one == [log for log in logs if log["blockHash"] == block["hash"]]


async def test_a_call_a_refusal_by_the_contract_and_an_estimate(wallet: RpcWallet) -> None:
    assert int(await wallet.result("eth_call", wallet.call("seqOf", 1), "latest"), 16) > 0
    error = (await wallet.ask("eth_call", wallet.call("seqOf", 99), "latest"))["error"]
    assert error["code"] == 3
    assert error["data"].startswith("0x")  # the page turns this custom error into a sentence
    assert int(error["data"][10:], 16) == 99
    call = {**wallet.call("register", 1), "from": PLAYER.address}
    # ethers and web3.py also send a block tag
    for params in ([call], [call, "latest"], [call, "pending"]):
        assert int(await wallet.result("eth_estimateGas", *params), 16) > 21_000
    assert int(await wallet.result("eth_estimateGas", {"from": PLAYER.address, "to": STRANGER, "value": "0x1"}), 16)


async def test_a_providers_words_come_without_its_address_and_its_key(
    wallet: RpcWallet, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "9aa3d95b3bc440fa88ea12eaa4456161"

    async def refused(*_asked: object) -> None:
        raise NodeError(-32000, f"https://a.example/v3/{key} refuses \x1b[J" + " x" * 5000, {"see": key})

    monkeypatch.setattr(wallet.chain.node, "request", refused)
    error = (await wallet.ask("eth_gasPrice"))["error"]
    assert error["message"].startswith("… refuses \N{REPLACEMENT CHARACTER}[J")
    assert len(error["message"]) <= 200
    assert "data" not in error


@pytest.mark.parametrize(
    "method",
    [
        "eth_accounts",
        "eth_sendTransaction",
        "anvil_mine",
        "evm_revert",
        "debug_traceCall",
        "eth_newFilter",
        "",
        "x" * 99,
    ],
)
async def test_other_methods_do_not_exist(wallet: RpcWallet, method: str) -> None:
    assert (await wallet.refused(method))[0] == -32601


async def test_bad_parameters_are_told_in_a_sentence(wallet: RpcWallet) -> None:
    call = wallet.call("seqOf", 1)
    override = {call["to"]: {"code": "0x"}}
    code = code_hash_call(call["to"])
    bad: list[tuple[str, list[Any], int, str]] = [
        ("eth_call", [call], -32602, "exactly two"),
        ("eth_call", [call, "latest", override], -32602, "exactly two"),
        ("eth_estimateGas", [call, "latest", override], -32602, "exactly two"),
        ("eth_call", [call, "newest"], -32602, "block"),
        ("eth_call", [call, {"blockHash": 1}], -32602, "block"),
        ("eth_call", [{**call, "to": STRANGER}, "latest"], -32003, "neither one of our contracts"),
        ("eth_call", [{"data": call["data"]}, "latest"], -32602, "can't be created"),
        ("eth_call", [{"data": f"{code}00"}, "latest"], -32602, "can't be created"),
        (
            "eth_call",
            [{"data": code[:20], "input": f"0x{code[20:]}"}, "latest"],
            -32602,
            "the fields data and input mean the same",
        ),
        ("eth_call", [{"to": STRANGER, "data": code}, "latest"], -32003, "neither one of our contracts"),
        ("eth_estimateGas", [{"data": code}], -32602, "can't be created"),
        ("eth_call", [{**call, "gas": hex(2**24 + 1)}, "latest"], -32602, "16777216"),
        ("eth_call", [{**call, "authorizationList": []}, "latest"], -32602, "authorizationList"),
        ("eth_call", [{**call, "type": "0x4"}, "latest"], -32602, "type"),
        ("eth_estimateGas", [{**call, "type": "0x3"}], -32602, "type"),
        ("eth_call", [{**call, "blobVersionedHashes": []}, "latest"], -32602, "blobVersionedHashes"),
        ("eth_call", [call, "latest", {}, {"number": "0x1"}], -32602, "exactly two"),
        ("eth_call", ["0x", "latest"], -32602, "object"),
        ("eth_estimateGas", [{**call, "to": STRANGER}], -32003, "neither one of our contracts"),
        ("eth_getBalance", ["0x12", "latest"], -32602, "address"),
        ("eth_getBlockByNumber", ["0x01", False], -32602, "block"),
        ("eth_getBlockByNumber", ["latest", "yes"], -32602, "true or false"),
        ("eth_getBlockByHash", ["latest", True], -32602, "hash"),
        ("eth_getTransactionReceipt", [], -32602, "hash"),
        ("eth_chainId", [1], -32602, "no parameters"),
        ("eth_feeHistory", ["0x10000", "latest", []], -32602, "1024"),
        ("eth_feeHistory", [4, "latest", ["x"]], -32602, "numbers"),
        ("eth_getLogs", [{"address": STRANGER}], -32003, "not one of our contracts"),
        ("eth_getLogs", [{"fromBlock": "0x0", "toBlock": "0xffffff", "x": 1}], -32602, "x"),
        ("eth_getLogs", [{"topics": [1]}], -32602, "topics"),
        ("eth_getLogs", [{"topics": [None] * 5}], -32602, "topics"),
        ("eth_getLogs", [{"blockHash": "0x" + "1" * 64, "fromBlock": "0x0"}], -32602, "either"),
        ("eth_sendRawTransaction", ["rubbish"], -32602, "0x hex"),
        ("eth_sendRawTransaction", ["0x02c0"], -32602, "RLP"),
    ]
    for method, params, code, words in bad:
        found = await wallet.refused(method, *params)
        assert found[0] == code, (method, params, found)
        assert words in found[1], (method, params, found)


async def test_a_signed_move_goes_through_and_others_do_not(wallet: RpcWallet) -> None:
    register = wallet.call("register", 1)
    hash = await wallet.result("eth_sendRawTransaction", await wallet.signed(**register))
    receipt = await wait_for_async(lambda: wallet.result("eth_getTransactionReceipt", hash), bool, "the receipt")
    assert receipt["status"] == "0x1"
    assert await wallet.result("eth_sendRawTransaction", await wallet.signed(to=STRANGER, value=1, gas=21_000))
    for change, words in (
        ({**register, "chainId": 1}, "chain 1"),
        ({**register, "to": STRANGER}, "neither one of our contracts"),
        ({"data": "0x6001"}, "can't be created"),
    ):
        code, message = await wallet.refused("eth_sendRawTransaction", await wallet.signed(**change))
        assert (code, words in message) == (-32003, True)
    code, message = await wallet.refused("eth_sendRawTransaction", await wallet.signed(**register, nonce=0))
    assert "nonce too low" in message  # the gateway passes on the node's own error message


async def test_nobody_delegates_an_account_or_calls_one_that_is_delegated(wallet: RpcWallet) -> None:
    """Tests that code in a player's account (EIP-7702) doesn't let anyone call other contracts
    through the gateway. The account may still get plain transfers."""
    register, owner = wallet.call("register", 1), Account.create()
    delegation = owner.sign_authorization({"chainId": 31337, "address": register["to"], "nonce": 0})
    raw = await wallet.signed(**register, authorizationList=[delegation])
    assert await wallet.refused("eth_sendRawTransaction", raw) == (
        -32602,
        "Transactions of type 4 are not accepted; use type 0, 1 or 2.",
    )
    assert await wallet.result("eth_getCode", owner.address, "latest") == "0x"
    await wallet.chain.node.request("anvil_setCode", (owner.address, f"0xef0100{register['to'][2:]}"))
    call = {**register, "to": owner.address}
    for method, params in (
        ("eth_call", [call, "latest"]),
        ("eth_estimateGas", [call]),
        ("eth_sendRawTransaction", [await wallet.signed(**call)]),
    ):
        assert "neither one of our contracts" in (await wallet.refused(method, *params))[1]


async def test_of_two_equal_keys_the_node_gets_the_one_that_was_checked(wallet: RpcWallet) -> None:
    """Tests that nobody can hide a method or a recipient behind a second key of the same name."""
    ours, call = wallet.chain.game.address, '"params": [{%s, "data": "0x12345678"}, "latest"]'
    first, second = f'"to": "{ours}"', f'"to": "{STRANGER}"'
    for body, code in (
        ('{"id": 1, "method": "eth_chainId", "method": "anvil_nodeInfo", "params": []}', -32601),
        ('{"id": 1, "method": "eth_call", %s}' % (call % f"{first}, {second}"), -32003),
        ('{"id": 1, "method": "eth_call", %s}' % (call % f"{second}, {first}"), 3),
    ):
        answer = await wallet.server.http.post("/api/rpc", content=body, headers={"content-type": "application/json"})
        assert answer.json()["error"]["code"] == code, body


async def test_batches(wallet: RpcWallet) -> None:
    def request(mark: Any, method: str, *params: Any) -> Json:
        return {"jsonrpc": "2.0", "id": mark, "method": method, "params": list(params)}

    answers = await wallet.post([request(1, "eth_chainId"), request("b", "nope"), 5, request(None, "net_version")])
    assert [one["id"] for one in answers] == [1, "b", None, None]
    assert [one.get("error", {}).get("code") for one in answers] == [None, -32601, -32600, None]
    assert len(await wallet.post([request(n, "eth_chainId") for n in range(20)])) == 20
    assert (await wallet.post([request(n, "eth_chainId") for n in range(21)]))["error"]["code"] == -32005
    assert (await wallet.post([]))["error"]["code"] == -32600
    call = wallet.call("seqOf", 1)
    dear = [request(n, "eth_call", {**call, "gas": hex(2**24)}, "latest") for n in range(3)]
    assert len(await wallet.post(dear[:2])) == 2
    error = (await wallet.post(dear))["error"]
    assert (error["code"], str(BATCH_GAS) in error["message"]) == (-32005, True)
    cheap = await wallet.post([request(n, "eth_call", call, "latest") for n in range(20)])
    assert all(one["result"] == cheap[0]["result"] for one in cheap)
    notified = await wallet.server.http.post("/api/rpc", json={"jsonrpc": "2.0", "method": "eth_chainId"})
    assert (notified.status_code, notified.content) == (204, b"")


@pytest.mark.parametrize("body", [5, "x", {}, {"id": 1}, {"id": 1, "method": 7}, {"id": {}, "method": "x"}])
async def test_what_is_no_request(wallet: RpcWallet, body: Any) -> None:
    assert (await wallet.post(body))["error"]["code"] == -32600


async def test_malformed_json_is_a_problem_that_json_rpc_reads_too(wallet: RpcWallet) -> None:
    kind = {"content-type": "application/json"}
    answer = await wallet.server.http.post("/api/rpc", content=b'{"id":', headers=kind)
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")
    found = answer.json()
    assert (found["status"], found["error"]["code"], found["id"]) == (400, -32700, None)


async def test_bodies_are_never_logged(wallet: RpcWallet, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    raw = await wallet.signed(to=STRANGER, data="0xdeadbeef")
    await wallet.refused("eth_sendRawTransaction", raw)
    ours = [record for record in caplog.records if record.name.startswith("chainboard")]
    assert not any(raw[4:40] in record.getMessage() for record in ours)


async def test_the_contracts_of_a_chain_that_began_anew_can_be_called_at_once(
    wallet: RpcWallet, tmp_path: Path
) -> None:
    node, deployments = wallet.chain.node, wallet.chain.deployments
    create = wallet.call("create", 5, 5, False)
    call = {"jsonrpc": "2.0", "id": 1, "method": "eth_call", "params": [create, "latest"]}
    raw = await wallet.signed(**create, nonce=1000)
    send = {"jsonrpc": "2.0", "id": 2, "method": "eth_sendRawTransaction", "params": [raw]}
    with closing(Store(f"sqlite:///{tmp_path / 'index.db'}", GAMES)) as store:
        store.set_chain(await node.chain(), [])
        async with served(Playground.for_store(store), tmp_path, games=GAMES, node=node, store=store) as server:
            answers = (await server.http.post("/api/rpc", json=[call, send])).json()
            assert ["neither one of our contracts" in one["error"]["message"] for one in answers] == [True, True]
            store.reset_to(await node.chain(), deployments, None)
            answers = (await server.http.post("/api/rpc", json=[call, send])).json()
            assert "error" not in answers[0]
            assert "next nonce" in answers[1]["error"]["message"]


async def test_one_address_has_a_rate_and_a_number_in_flight(wallet: RpcWallet, tmp_path: Path) -> None:
    chain = wallet.chain
    with closing(Playground(tmp_path)) as play:
        allowed = {"node": chain.node, "client_limits": ClientLimits(calls=5, seconds=60, in_flight=32)}
        async with served(play, tmp_path, **allowed) as server:
            batch = [{"jsonrpc": "2.0", "id": n, "method": "eth_chainId"} for n in range(5)]
            assert (await server.http.post("/api/rpc", json=batch)).status_code == 200
            answer = await server.http.post("/api/rpc", json=batch[0])
            assert (answer.status_code, answer.headers["retry-after"]) == (429, "1")
            assert answer.json()["error"]["code"] == -32005
            assert "too many calls (limit: 5 in 60 seconds)" in answer.json()["detail"]
        allowed = {"node": chain.node, "client_limits": ClientLimits(in_flight=1)}
        async with served(play, tmp_path, **allowed) as server:
            batch = [{"jsonrpc": "2.0", "id": n, "method": "eth_blockNumber"} for n in range(20)]
            answers = await asyncio.gather(*(server.http.post("/api/rpc", json=batch) for _ in range(8)))
            codes = [one.status_code for one in answers]
            assert 200 in codes
            assert 429 in codes
            assert (await server.http.post("/api/rpc", json=batch[0])).status_code == 200


async def test_transactions_have_a_rate_of_their_own(wallet: RpcWallet, tmp_path: Path) -> None:
    """Tests that the gateway limits the rate of transactions. Honest players can send all their
    transactions at once. Rejected transactions count towards the limit as well."""
    assert (ClientLimits().transactions, ClientLimits().transaction_seconds) == (100, 20)
    raw = await wallet.signed(to=STRANGER, value=1, gas=21_000)
    asked = {"jsonrpc": "2.0", "id": 1, "method": "eth_sendRawTransaction", "params": [raw]}
    with closing(Playground(tmp_path)) as play:
        allowed = {"node": wallet.chain.node, "client_limits": ClientLimits(transactions=3, transaction_seconds=60)}
        async with served(play, tmp_path, **allowed) as server:
            answers = [(await server.http.post("/api/rpc", json=asked)).json() for _ in range(4)]
            error = answers[3]["error"]
            assert "result" in answers[0]
            assert (error["code"], "too many transactions (limit: 3 in 60" in error["message"]) == (-32005, True)
            reading = {"jsonrpc": "2.0", "id": 1, "method": "eth_chainId", "params": []}
            assert "result" in (await server.http.post("/api/rpc", json=reading)).json()


async def test_a_nonce_that_can_not_be_mined_soon_is_refused(wallet: RpcWallet) -> None:
    following = int(await wallet.result("eth_getTransactionCount", PLAYER.address, "pending"), 16)
    for nonce in (following + 65, 2**64 - 1):
        code, message = await wallet.refused("eth_sendRawTransaction", await wallet.signed(to=STRANGER, nonce=nonce))
        assert (code, f"next nonce ({following}), but it is {nonce}." in message) == (-32005, True)


async def test_a_lost_node_is_a_sentence_without_its_address(tmp_path: Path) -> None:
    node = Node("http://127.0.0.1:9/secret-key")
    with closing(Playground(tmp_path)) as play:
        for lost in (node, None):
            async with served(play, tmp_path, node=lost) as server:
                asked = {"jsonrpc": "2.0", "id": 1, "method": "eth_blockNumber", "params": []}
                answer = await server.http.post("/api/rpc", json=asked)
                assert answer.status_code == 200
                assert answer.json()["error"]["code"] == -32002
                assert "node" in answer.json()["error"]["message"]
                assert "secret" not in answer.text
    await node.aclose()
