"""Tests of `chainboard adopt`, with which an operator can use another operator's deployment. The
command rejects a deployment that doesn't fit the chain."""

from __future__ import annotations

import contextlib
import functools
import http.server
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from api.shapes.manifest import ManifestShape
from chainboard.chain.deployment import deploy_contracts, known_deployments
from chainboard.commands.adopt import adopt
from chainboard.errors import UserError
from chainboard.settings import Settings
from chaos.chain.anvil_chain import AnvilChain
from chaos.provider.plan import Plan
from chaos.provider.provider import Provider
from chaos.provider.rollup import Rollup
from contracts import artifacts, create2
from indexer.follow.follower import Follower
from indexer.games import GAMES
from indexer.model import Json
from indexer.store.store import Store
from tests.support.chain import DeployedChain, deployed_chain, mined_receipt
from tests.support.http import http_server
from tests.support.server import node_url, run, started, up


@pytest.fixture
async def stranger_chain(tmp_path: Path) -> AsyncIterator[DeployedChain]:
    async with deployed_chain(tmp_path / "stranger") as it:
        yield it


def manifest_of(stranger_chain: DeployedChain) -> Path:
    return Settings(stranger_chain.folder).manifest


async def send(stranger_chain: DeployedChain, data: str, to: str | None = None) -> Json:
    """Send a transaction, check that it succeeds, and return its receipt. Without `to`, the
    transaction creates a contract with the code in `data`."""
    tx = {"from": stranger_chain.accounts[9], "data": data, "gas": hex(2**24)} | ({"to": to} if to else {})
    hash = await stranger_chain.node.request("eth_sendTransaction", (tx,))
    receipt = await mined_receipt(stranger_chain.node, hash)
    assert receipt["status"] == "0x1"
    return receipt


def serve_folder(folder: Path) -> contextlib.AbstractContextManager[str]:
    """Serve the files in this folder over HTTP. Yield the server's URL."""
    return http_server(functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder))


@pytest.mark.parametrize("by_http", [False, True])
async def test_strangers_deployment_is_adopted_and_indexed(
    stranger_chain: DeployedChain, tmp_path: Path, by_http: bool
) -> None:
    await stranger_chain.play(1, "create", 5, 5, False)
    mine = Settings(tmp_path / "mine", rpc=(stranger_chain.node.url,))
    with serve_folder(stranger_chain.folder) as url:
        await adopt(mine, f"{url}/deployment.json" if by_http else str(manifest_of(stranger_chain)))
    deployments = known_deployments(mine)
    assert deployments == stranger_chain.deployments
    with contextlib.closing(Store(f"sqlite:///{tmp_path / 'mine.db'}", GAMES)) as store:
        store.set_chain(await stranger_chain.node.chain(), deployments)
        follower = Follower(stranger_chain.node, store, deployments)
        while (await follower.sync()).more:
            pass
        with store.read() as snapshot:
            # the `deployed_chain` fixture has opened one of the two matches
            assert len(list(snapshot.summaries())) == 2
    with pytest.raises(UserError, match="already exists"):
        await adopt(mine, str(manifest_of(stranger_chain)))


@pytest.mark.timeout(240)
def test_a_gateway_tells_its_deployment_and_another_operator_follows_it(tmp_path: Path) -> None:
    """Tests that another operator can index a deployment with the commands `adopt`, `index` and
    `serve` alone. The commands get only the gateway's address and a node."""
    with up(tmp_path / "stranger") as server:
        TypeAdapter(ManifestShape).validate_python(server.get("/api/deployment"))
        node = ("--rpc", node_url(tmp_path / "stranger"))
        mine = ("--data", str(tmp_path / "mine"), *node)
        refused = run("adopt", f"{server.url}/api/games", *mine)
        assert (refused.returncode, "not a deployment manifest" in refused.stderr) == (1, True)
        adopted = run("adopt", f"{server.url}/", *mine)
        assert adopted.returncode == 0, adopted.stderr
        assert [line.split(":")[0] for line in adopted.stderr.splitlines()] == list(GAMES)
        indexed = run("index", "--once", *mine)
        assert indexed.returncode == 0, indexed.stderr
        with started("serve", "--port", "0", *mine) as own:
            for path in ("/api/deployment", "/api/games", "/api/matches"):
                assert own.get(path) == server.get(path)
        unreachable = run("adopt", "http://127.0.0.1:9", "--data", str(tmp_path / "other"), *node)
        assert unreachable.returncode == 1
        assert "http://127.0.0.1:9/api/deployment returned no deployment" in unreachable.stderr


async def test_unknown_older_version_is_skipped(
    stranger_chain: DeployedChain, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests a manifest with two versions of a game, of which the older has unknown code. `adopt`
    must skip the older version and adopt the newer version."""
    first = stranger_chain.game
    code = await stranger_chain.node.request("eth_getCode", (first.address, "latest"))
    await stranger_chain.node.request("anvil_setCode", (first.address, code + "00"))
    with pytest.raises(UserError, match=r"the code of .* differs from"):
        await adopt(Settings(tmp_path / "mine", rpc=(stranger_chain.node.url,)), str(manifest_of(stranger_chain)))
    manifest = json.loads(manifest_of(stranger_chain).read_text())
    [version] = [one for one in manifest["games"] if one["game"] == first.game]
    creation = artifacts.load(first.contract).creation((manifest["sessions"]["address"], 3), {})
    receipt = await send(stranger_chain, create2.call_data(creation), create2.DEPLOYER)
    address = create2.address_of(creation)
    manifest["games"].append(
        {**version, "address": address, "height": int(receipt["blockNumber"], 16), "first_match": 3}
    )
    version["end_match"] = 3
    (tmp_path / "newer.json").write_text(json.dumps(manifest))
    mine = Settings(tmp_path / "mine", rpc=(stranger_chain.node.url,))
    await adopt(mine, str(tmp_path / "newer.json"))
    [kept] = [one for one in known_deployments(mine) if one.game == first.game]
    assert (kept.address, kept.first_match) == (address, 3)
    skipped = f"Left out matches 1 to 2 of {first.game}: the code of {first.contract} at {first.address} differs"
    assert skipped in capsys.readouterr().err


def with_other_chain(manifest: Json) -> None:
    manifest["genesis"] = "0x" + "11" * 32


def with_other_block(manifest: Json) -> None:
    manifest["games"][1]["height"] += 1


def with_other_code(manifest: Json) -> None:
    manifest["games"][0]["address"] = manifest["libraries"][0]["address"]


def with_missing_contract(manifest: Json) -> None:
    manifest["games"][0]["address"] = "0x" + "22" * 20


def with_unknown_game(manifest: Json) -> None:
    manifest["games"][0]["game"] = "chess"


def with_other_sessions(manifest: Json) -> None:
    manifest["games"][0]["sessions"] = "0x" + "22" * 20


def without_contracts(manifest: Json) -> None:
    manifest.clear()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (with_other_chain, "Set --rpc to a node on the deployment's chain"),
        (with_other_block, "was created in block"),
        (with_other_code, r"the code of .* differs from"),
        (with_missing_contract, "is not on the node's chain"),
        (with_unknown_game, "doesn't have: chess"),
        (with_other_sessions, "calls contracts that are not in the manifest"),
        (without_contracts, "not a deployment manifest"),
    ],
)
async def test_manifest_that_does_not_fit_the_chain_is_rejected(
    stranger_chain: DeployedChain, tmp_path: Path, change: Callable[[Json], None], words: str
) -> None:
    manifest = json.loads(manifest_of(stranger_chain).read_text())
    change(manifest)
    (tmp_path / "false.json").write_text(json.dumps(manifest))
    mine = Settings(tmp_path / "mine", rpc=(stranger_chain.node.url,))
    with pytest.raises(UserError, match=words):
        await adopt(mine, str(tmp_path / "false.json"))
    assert not mine.manifest.exists()


async def test_pruned_state_is_told_where_the_block_does_not_prove_it(tmp_path: Path) -> None:
    """Tests a deployment whose old states the node has pruned. A manifest names the block that
    created each contract, and the right block proves the contract. With a wrong block, `adopt`
    needs the pruned state, so it must report that."""
    chain = AnvilChain(tmp_path / "chain")
    await chain.start()
    try:
        settings = Settings(tmp_path / "stranger", rpc=(chain.url,), dev=True)
        await deploy_contracts(settings, chain.node)
        for _ in range(40):
            await chain.mine()
        rollup = Rollup(chain, 60)
        async with rollup.running(), Provider(rollup, Plan(latency=0.0, states=8)).running() as provider:
            mine = Settings(tmp_path / "mine", rpc=(provider.url,))
            manifest = json.loads(settings.manifest.read_text())
            manifest["games"][0]["height"] += 30
            (tmp_path / "false.json").write_text(json.dumps(manifest))
            with pytest.raises(UserError, match="the node doesn't have the state of block"):
                await adopt(mine, str(tmp_path / "false.json"))
            await adopt(mine, str(settings.manifest))
        assert [one.address for one in known_deployments(mine)] == [one["address"] for one in manifest["games"]]
    finally:
        await chain.stop()
