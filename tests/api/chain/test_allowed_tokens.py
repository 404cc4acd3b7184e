"""Tests that the gateway allows calls only to tokens that are staked in matches or listed by the
operator."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import closing
from typing import Any

import pytest
import pytest_asyncio
from eth_account import Account
from eth_utils.address import to_checksum_address

from contracts.abi import encode_call
from contracts.artifacts import Artifact
from indexer.follow.follower import Follower
from indexer.games import GAMES
from indexer.model import Json
from indexer.store.store import Store
from tests.api.playground import ApiServer, Playground, served
from tests.support.chain import DeployedChain, deployed_chain, mined_receipt
from tests.support.compiled import TOKENS, compiled
from tests.support.waiting import wait_for_async

pytestmark = pytest.mark.asyncio(loop_scope="module")

PLAYER = Account.from_key("0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d")
STAKE = 10**18
NOBODY = "0x" + 40 * "0"


def opened(game: str, token: str) -> tuple[str, tuple[Any, ...]]:
    """Return the call that opens a match with a stake in the token."""
    if game == "battleship":
        return "invite", (NOBODY, b"\1" * 32, 3600, token, STAKE)
    return "create", (NOBODY, 1, 0, token, STAKE, STAKE // 60, 3600, 0)


def token_contract() -> Artifact:
    return compiled(TOKENS / "PlainToken.sol")


class TokenChain:
    """A chain with three tokens. A later match stakes the first token, the operator lists the
    second, and nobody uses the third."""

    def __init__(self, slug: str, chain: DeployedChain, store: Store, used: str, named: str, unused: str) -> None:
        self.slug, self.chain, self.store = slug, chain, store
        self.used, self.named, self.unused = used, named, unused
        self.server: ApiServer

    async def rpc(self, method: str, *params: Any) -> Json:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}
        found: Json = (await self.server.http.post("/api/rpc", json=body)).json()
        return found

    async def balance(self, token: str) -> Json:
        data = encode_call(token_contract().abi, "balanceOf", (PLAYER.address,))
        return await self.rpc("eth_call", {"to": token, "data": data}, "latest")

    async def approve(self, token: str) -> Json:
        """Send a signed token approval for a stake."""
        data = encode_call(token_contract().abi, "approve", (self.game.address, STAKE))
        nonce = int(await self.chain.node.request("eth_getTransactionCount", (PLAYER.address, "pending")), 16)
        price = {"maxFeePerGas": 10**10, "maxPriorityFeePerGas": 10**9, "chainId": 31337, "gas": 100_000}
        signed = PLAYER.sign_transaction({"nonce": nonce, "to": token, "data": data, "value": 0, **price})
        return await self.rpc("eth_sendRawTransaction", "0x" + bytes(signed.raw_transaction).hex())

    @property
    def game(self) -> Any:
        return next(one for one in self.chain.deployments if one.game == self.slug)

    async def stake(self) -> None:
        """Open a match with a stake in the token, and wait until the match is indexed."""
        data = encode_call(self.game.abi, *opened(self.slug, self.used))
        sender = self.chain.accounts[1]
        approval = encode_call(token_contract().abi, "approve", (self.game.address, STAKE))
        await transact(self.chain, sender, self.used, encode_call(token_contract().abi, "mint", (sender, STAKE)))
        await transact(self.chain, sender, self.used, approval)
        await transact(self.chain, sender, self.game.address, data)
        await self.catch_up()

    async def catch_up(self) -> None:
        follower = Follower(self.chain.node, self.store, self.chain.deployments)
        while (await follower.sync()).more:
            pass


async def transact(chain: DeployedChain, sender: str, to: str | None, data: str) -> Json:
    call = {"from": sender, "data": data, "gas": hex(3_000_000)} | ({"to": to} if to else {})
    hash = await chain.node.request("eth_sendTransaction", (call,))
    receipt = await mined_receipt(chain.node, hash)
    assert receipt["status"] == "0x1"
    return dict(receipt)


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["battleship", "deblockle"])
async def token_chain(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[TokenChain]:
    folder = tmp_path_factory.mktemp("tokens")
    async with deployed_chain(folder) as chain:
        made = [await transact(chain, chain.accounts[0], None, token_contract().bytecode) for _ in range(3)]
        with closing(Store(f"sqlite:///{folder / 'index.db'}", GAMES)) as store:
            store.set_chain(await chain.node.chain(), chain.deployments)
            it = TokenChain(request.param, chain, store, *(to_checksum_address(one["contractAddress"]) for one in made))
            await it.catch_up()
            parts: Json = {"games": GAMES, "node": chain.node, "store": store, "tokens": [it.named]}
            async with served(Playground.for_store(store), folder / "page", **parts) as it.server:
                yield it


async def test_before_a_match_uses_a_token_it_is_a_foreign_contract(token_chain: TokenChain) -> None:
    for answer in (await token_chain.balance(token_chain.used), await token_chain.approve(token_chain.used)):
        assert answer["error"]["code"] == -32003
        assert "nor a token that a match uses" in answer["error"]["message"]


async def test_from_the_match_on_it_can_be_asked_and_approved(token_chain: TokenChain) -> None:
    await token_chain.stake()
    # wait, because the gateway caches the rejection of a token for a moment
    answer = await wait_for_async(
        lambda: token_chain.balance(token_chain.used), lambda answer: "error" not in answer, "a balance of the token"
    )
    assert int(answer["result"], 16) == 0
    assert "result" in await token_chain.approve(token_chain.used)


async def test_a_named_token_can_be_used_before_any_match(token_chain: TokenChain) -> None:
    assert int((await token_chain.balance(token_chain.named))["result"], 16) == 0
    assert "result" in await token_chain.approve(token_chain.named)


async def test_others_stay_foreign_and_no_tokens_logs_are_given(token_chain: TokenChain) -> None:
    for address in (
        token_chain.unused,
        token_chain.chain.accounts[1],
    ):  # the events also contain players' addresses, but a player is not a token
        assert (await token_chain.balance(address))["error"]["code"] == -32003
    for token in (token_chain.used, token_chain.named):
        answer = await token_chain.rpc("eth_getLogs", {"address": token, "fromBlock": "0x0"})
        assert answer["error"]["code"] == -32003
    logs = (await token_chain.rpc("eth_getLogs", {"fromBlock": "0x0"}))["result"]
    assert {log["address"] for log in logs} <= {one.address.lower() for one in token_chain.chain.deployments}
