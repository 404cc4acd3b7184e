"""Tests of `chainboard deploy`. The genesis block, the first block and the code identify a
deployment. If a contract has changed, `deploy` deploys the new version and keeps the old one."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from operator import not_
from pathlib import Path
from typing import Any

import pytest
from eth_utils.crypto import keccak

from chainboard.chain.anvil import Anvil, binary
from chainboard.chain.connect import chain_of
from chainboard.chain.deploying import DeploymentSender
from chainboard.chain.deployment import deploy_contracts, libraries_of, read_manifest
from chainboard.chain.signer_keys import signer
from chainboard.errors import UserError
from chainboard.indexing.database import NoProgress
from chainboard.indexing.supervisor import Supervisor
from chainboard.settings import Settings
from chaos.faults.byzantine import NodeRequest, WrongAnswer
from chaos.faults.counts import FaultCounts
from chaos.faults.jsonrpc import Calls
from chaos.faults.proxy import FaultProxy
from chaos.process.ports import reserved_port
from contracts import artifacts, deploy
from contracts.deploy import CANCUN_PROBE
from indexer.follow.follower import Follower
from indexer.games import GAMES
from indexer.model import Json
from indexer.node.client import Node, NodeUnavailable
from indexer.store.store import Store
from tests.support.chain import DeployedChain, deployed_chain
from tests.support.waiting import wait_for_async
from transactions.journal import Journal

ANSWER_SECONDS = 2.0


@pytest.fixture
async def chain(tmp_path: Path) -> AsyncIterator[DeployedChain]:
    async with deployed_chain(tmp_path) as it:
        yield it


NEWER = "of a newer version"
IPFS_HASH = "646970667358221220"
"""The hex digits that come before the 32 bytes of the metadata hash in a contract's code."""


def change_contract(contract: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change the code of a contract and its metadata hash, as if the compiler had read different
    sources."""
    load = artifacts.load
    found = load(contract)
    code = re.sub(f"{IPFS_HASH}[0-9a-f]{{64}}", IPFS_HASH + "11" * 32, found.bytecode)
    assert code != found.bytecode
    changed = replace(found, source_key=NEWER, bytecode=code, runtime="0x00")
    monkeypatch.setattr("contracts.compile.build", lambda: [])
    monkeypatch.setattr(artifacts, "load", lambda name: changed if name == contract else load(name))


async def remove_contract(node: Node, address: str) -> None:
    """Remove a contract's code from the chain, as if nobody had ever deployed the contract."""
    await node.request("anvil_setCode", (address, "0x"))
    await node.request("anvil_setNonce", (address, "0x0"))


async def test_sources_that_only_moved_are_not_deployed_again(chain: DeployedChain) -> None:
    manifest = json.loads(Settings(chain.folder).manifest.read_text())
    before = [manifest["sessions"]["source_key"], *(one["source_key"] for one in manifest["games"])]
    for placed in (manifest["sessions"], *manifest["games"]):
        placed["source_key"] = "of another folder"
    Settings(chain.folder).manifest.write_text(json.dumps(manifest))
    head = await chain.node.head()
    assert await deploy_contracts(Settings(chain.folder), chain.node) == chain.deployments
    assert await chain.node.head() == head
    manifest = json.loads(Settings(chain.folder).manifest.read_text())
    assert [manifest["sessions"]["source_key"], *(one["source_key"] for one in manifest["games"])] == before


async def test_captains_are_deployed_with_the_code_of_their_artifacts(chain: DeployedChain) -> None:
    """Tests the deployment of captains, which are contracts that decide for a ship. The command
    deploys each captain only once, with the code of its artifact, and nobody controls the captain
    afterwards."""
    captains = {
        name: libraries_of(read_manifest(Settings(chain.folder)))[name] for name in GAMES["touche-coule"].companions
    }
    assert set(captains) == {"AimCaptain", "SweepCaptain"}
    for name, captain in captains.items():
        code = await chain.node.request("eth_getCode", (captain["address"], "latest"))
        assert artifacts.load(name).is_library(captain["address"], code)
        assert captain["code_hash"] == "0x" + keccak(hexstr=code).hex()
    await remove_contract(chain.node, captains["AimCaptain"]["address"])
    await deploy_contracts(Settings(chain.folder), chain.node)
    again = libraries_of(read_manifest(Settings(chain.folder)))
    assert again["AimCaptain"]["address"] == captains["AimCaptain"]["address"]
    assert again["AimCaptain"]["height"] > captains["AimCaptain"]["height"]
    assert again["SweepCaptain"] == captains["SweepCaptain"]


async def test_existing_contracts_are_not_deployed_again(chain: DeployedChain) -> None:
    head = await chain.node.head()
    assert await deploy_contracts(Settings(chain.folder), chain.node) == chain.deployments
    assert await chain.node.head() == head


async def test_changed_contract_is_deployed_next_to_the_old_one(
    chain: DeployedChain, monkeypatch: pytest.MonkeyPatch
) -> None:
    await chain.play(1, "create", 5, 5, False)
    change_contract(chain.game.contract, monkeypatch)
    found = await deploy_contracts(Settings(chain.folder), chain.node)
    assert len(found) == len(chain.deployments) + 1  # the changed contract is the only new contract
    old, new = (one for one in found if one.game == chain.game.game)
    assert (old.first_match, old.end_match, new.first_match, new.end_match) == (1, 3, 3, None)
    # The old contract can no longer open this match, because the match's number is now in the new
    # contract's range.
    await chain.play(1, "create", 6, 6, False)
    later = DeployedChain(chain.node, [new], chain.accounts, chain.folder)
    await later.play(2, "create", 9, 9, False)
    with contextlib.closing(Store(f"sqlite:///{chain.folder / 'index.db'}", GAMES)) as store:
        store.set_chain(await chain.node.chain(), [old, new])
        follower = Follower(chain.node, store, [old, new])
        while (await follower.sync()).more:
            pass
        with store.read() as snapshot:
            sizes = {one.match: one.board["width"] for one in snapshot.summaries()}
    assert sizes == {1: 12, 2: 5, 3: 9}


async def test_empty_manifest_finds_existing_contracts(chain: DeployedChain, tmp_path: Path) -> None:
    """Tests that a second deployment with an empty manifest finds the existing contracts, because a
    contract's address follows from its code. The second deployment costs nothing, and also finds
    the blocks that created the contracts."""
    head = await chain.node.head()
    assert await deploy_contracts(Settings(tmp_path, rpc=(chain.node.url,)), chain.node) == chain.deployments
    assert await chain.node.head() == head


class LinkedContracts:
    """Deploys Conquest, whose contract links libraries, to a test chain."""

    def __init__(self, chain: DeployedChain) -> None:
        self._settings = Settings(chain.folder)
        self.node, self.manifest = chain.node, None
        self._planner = deploy.DeploymentPlanner(chain.node.request)

    async def deploy(self) -> Json:
        """Deploy Conquest, and return Conquest's newest entry in the manifest."""
        plan = await self._planner.plan([deploy.ContractSpec("conquest", "Conquest")], self.manifest)
        with contextlib.closing(Journal(self._settings.journal)) as journal:
            account = await signer("DEPLOYER", self.node, self._settings)
            sender = DeploymentSender(self.node.request, account, journal)
            await sender.send(plan)
            for one in plan.incomplete:
                height = await sender.height(one["address"])
                assert height is not None
                await self._planner.complete(one, height)
        self.manifest = plan.manifest
        return dict(self.manifest["games"][-1])

    async def code(self, address: str) -> str:
        return str(await self.node.request("eth_getCode", (address, "latest")))


async def test_libraries_are_deployed_once_and_noted(chain: DeployedChain) -> None:
    linked = LinkedContracts(chain)
    placed, again = await linked.deploy(), await linked.deploy()
    assert linked.manifest is not None
    noted = {one["contract"]: one["address"] for one in linked.manifest["libraries"]}
    assert noted == placed["libraries"]
    assert again == placed
    assert len(linked.manifest["libraries"]) == len(noted) == len(artifacts.load("Conquest").libraries)
    code = await linked.code(placed["address"])
    for name, address in noted.items():
        assert artifacts.load(name).is_library(address, await linked.code(address))
        assert not artifacts.load("Sessions").is_library(address, await linked.code(address))
        assert address.removeprefix("0x").lower() in code


async def test_a_changed_library_brings_a_new_contract(chain: DeployedChain, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a changed library causes a new contract. The old contract must continue to use the
    old library."""
    linked = LinkedContracts(chain)
    before = await linked.deploy()
    assert linked.manifest is not None
    for one in (*linked.manifest["libraries"], *linked.manifest["games"]):
        one["source_key"] = "of an older version"
    change_contract("ConquestDraws", monkeypatch)
    after = await linked.deploy()
    assert after["address"] != before["address"]
    assert {name for name in after["libraries"] if after["libraries"][name] != before["libraries"][name]} == {
        "ConquestDraws"
    }
    assert before["libraries"]["ConquestDraws"] in [one["address"] for one in linked.manifest["libraries"]]
    assert await linked.deploy() == after


async def test_missing_library_is_deployed_again_for_its_contract(chain: DeployedChain) -> None:
    linked = LinkedContracts(chain)
    before = await linked.deploy()
    address = before["libraries"]["ConquestStrikes"]
    await remove_contract(chain.node, address)
    assert await linked.deploy() == before
    assert artifacts.load("ConquestStrikes").is_library(address, await linked.code(address))


@pytest.fixture
def shanghai(tmp_path: Path) -> Iterator[str]:
    """Yield the URL of a node whose chain follows the rules of Shanghai, the hard fork before
    Cancun."""
    command = [str(binary()), "--silent", "--hardfork", "shanghai", "--cache-path", str(tmp_path)]
    with reserved_port() as port, subprocess.Popen([*command, "--port", str(port)]) as process:
        yield f"http://127.0.0.1:{port}"
        process.kill()


async def test_a_chain_older_than_cancun_is_refused_in_a_sentence(tmp_path: Path, shanghai: str) -> None:
    async with contextlib.aclosing(Node(shanghai)) as node:
        await _answers(node)
        with pytest.raises(UserError, match="older than Cancun"):
            await deploy_contracts(Settings(tmp_path, rpc=shanghai, dev=True), node)


async def _answers(node: Node) -> None:
    async def refusal() -> UserError | None:
        try:
            await chain_of(node)
        except UserError as error:
            return error
        return None

    await wait_for_async(refusal, not_, "the node")


class UnresponsiveNode(Node):
    """A node client whose first two `eth_call` requests fail, as if the node didn't respond."""

    refused = 0

    async def request(self, method: str, params: Sequence[Any] = ()) -> Any:
        if method == "eth_call" and self.refused < 2:
            self.refused += 1
            raise NodeUnavailable(self.url, "503")
        return await super().request(method, params)


async def test_a_node_that_does_not_answer_is_not_taken_for_an_old_chain(chain: DeployedChain) -> None:
    async with contextlib.aclosing(UnresponsiveNode(chain.node.url)) as node:
        assert await deploy_contracts(Settings(chain.folder), node) == chain.deployments
        assert node.refused == 2


class FlakyNode(Node):
    """A node client that fails to send every fifth transaction."""

    tries = sent = 0

    async def request(self, method: str, params: Sequence[Any] = ()) -> Any:
        if method == "eth_sendRawTransaction":
            self.tries += 1
            if self.tries % 5 == 0:
                raise NodeUnavailable(self.url, "503")
            self.sent += 1
        return await super().request(method, params)


async def test_retried_deployment_continues_where_it_failed(tmp_path: Path) -> None:
    anvil = await Anvil.start(tmp_path / "chain")
    settings = Settings(tmp_path, rpc=(anvil.node.url,), dev=True)
    try:
        async with contextlib.aclosing(FlakyNode(anvil.node.url)) as node:
            assert len(await deploy_contracts(settings, node)) == len(GAMES)
            manifest = json.loads(settings.manifest.read_text())
            assert node.sent == 1 + len(manifest["libraries"]) + len(manifest["games"])
            assert node.tries > node.sent + 1
    finally:
        await anvil.stop()


class ProbeFault:
    """A fault in the node's answer to the probe with which a deployment recognizes an old EVM. The
    fault ends after `times` probes. At each of these probes, it calls `trouble`, which delays the
    answer or raises an error."""

    kind = "probe"

    def __init__(self, trouble: Callable[[], Awaitable[None]], times: int) -> None:
        self.trouble, self.times, self.hits = trouble, times, 0

    @property
    def is_over(self) -> bool:
        return self.hits == self.times

    async def alter(self, calls: Calls, _answers: list[Json], _request: NodeRequest) -> bool:
        if any(CANCUN_PROBE in str(call) for call in calls.calls):
            self.hits += 1
            await self.trouble()
        return False


async def late_answer() -> None:
    await asyncio.sleep(2 * ANSWER_SECONDS)


async def cut_connection() -> None:
    raise ConnectionError("the line was cut")


@asynccontextmanager
async def node_behind(chain: DeployedChain, wrong_answer: WrongAnswer) -> AsyncIterator[Node]:
    """Yield a client that reaches the chain's node through a proxy. The proxy changes the node's
    answers with `wrong_answer`."""
    proxy = FaultProxy(FaultCounts())
    await proxy.start()
    proxy.point_at(chain.node.url)
    proxy.answer_wrongly(wrong_answer)
    try:
        async with contextlib.aclosing(Node(proxy.url, seconds=ANSWER_SECONDS)) as node:
            yield node
    finally:
        await proxy.stop()


@pytest.mark.parametrize(
    ("trouble", "words"),
    [(late_answer, f"no answer came within {ANSWER_SECONDS:g} "), (cut_connection, "is unavailable")],
)
async def test_late_or_lost_node_is_reported_during_the_probe(
    chain: DeployedChain, tmp_path: Path, trouble: Callable[[], Awaitable[None]], words: str
) -> None:
    """Tests a deployment whose node is late or lost. The chain isn't a development chain, so
    the deployment must report the problem at once instead of retrying."""
    # The fault affects two probes, because the client retries a request once if an idle connection
    # turns out to be lost.
    lie = ProbeFault(trouble, 2)
    async with node_behind(chain, lie) as node:
        with pytest.raises(UserError, match=words) as told:
            await deploy_contracts(Settings(tmp_path, rpc=(node.url,)), node)
    assert lie.hits > 0
    assert "Cancun" not in str(told.value)


async def test_a_node_that_is_late_while_it_is_probed_is_asked_again_on_a_development_chain(
    chain: DeployedChain,
) -> None:
    async with node_behind(chain, ProbeFault(late_answer, 2)) as node:
        assert await deploy_contracts(Settings(chain.folder, rpc=(node.url,), dev=True), node) == chain.deployments


async def test_a_node_that_does_not_answer_for_long_is_given_up_but_not_the_index(
    chain: DeployedChain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chainboard.indexing.database.PATIENCE_SECONDS", 0)
    async with contextlib.aclosing(Node("http://127.0.0.1:9")) as nowhere:
        with contextlib.closing(Store(f"sqlite:///{tmp_path / 'index.db'}", GAMES)) as store:
            store.set_chain(await chain.node.chain(), chain.deployments)
            settings = Settings(tmp_path, rpc=(nowhere.url,), dev=True)
            assert Supervisor(settings, nowhere, store, chain.deployments).is_empty
            await Supervisor(settings, chain.node, store, chain.deployments).catch_up()
            supervisor = Supervisor(settings, nowhere, store, chain.deployments)
            with pytest.raises(NoProgress, match="does not answer"):
                await supervisor.catch_up()
            # The store has data, so `up` serves the store without the node.
            assert not supervisor.is_empty


async def test_the_manifest_of_another_chain_is_kept(chain: DeployedChain, tmp_path: Path) -> None:
    """Tests a deployment into a folder that contains the manifest of a different chain. The command
    must move that manifest to a subfolder instead of overwriting it."""
    (tmp_path / "other").mkdir()
    async with deployed_chain(tmp_path / "other", beside=chain) as other:
        assert await other.node.chain() != await chain.node.chain()
        before = Settings(chain.folder).manifest.read_text()
        deployed = await deploy_contracts(Settings(chain.folder), other.node)
        assert {one.identity for one in deployed}.isdisjoint(one.identity for one in chain.deployments)
        [kept] = (chain.folder / "aside").glob("*/deployment.json")
        assert kept.read_text() == before
        await deploy_contracts(Settings(chain.folder), other.node)
        assert list((chain.folder / "aside").glob("*/deployment.json")) == [kept]
