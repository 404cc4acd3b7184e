"""Tests of commands whose database, node or manifest doesn't fit the other data. The command must
print one sentence that says what to do next, and overwrite nothing."""

from __future__ import annotations

import contextlib
import hashlib
import http.server
import json
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from chainboard.chain.anvil import Anvil
from chainboard.chain.connect import chain_of
from chainboard.chain.deployment import deploy_contracts
from chainboard.settings import Settings
from indexer.games import GAMES
from indexer.model import Chain
from indexer.store.store import Store
from tests.support.server import run

OTHER = Chain(31337, "0x" + 64 * "7")


def digest(folder: Path) -> dict[str, str]:
    """Return the hash of each database and manifest in the folder. A rejected command must not
    change these files."""
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.name in ("index.db", "deployment.json")
    }


def refused(data: Path, *arguments: str) -> str:
    """Run a command that must fail, and return its message. Check that the command prints no
    traceback and changes no database or manifest."""
    before = digest(data)
    answer = run(*arguments, "--data", str(data))
    assert answer.returncode == 1, (answer.stdout, answer.stderr)
    assert "Traceback" not in answer.stderr
    assert "unforeseen" not in answer.stderr
    assert digest(data) == before
    assert not (data / "aside").exists()
    (message,) = [line for line in answer.stderr.splitlines() if line.startswith("chainboard: ")]
    return message


@contextlib.asynccontextmanager
async def chain(folder: Path):  # type: ignore[no-untyped-def]
    """Yield the node of a chain with the contracts, and their deployments. The manifest is in the
    subfolder `data`."""
    anvil = await Anvil.start(folder / "chain")
    try:
        settings = Settings(folder / "data", rpc=(anvil.node.url,), dev=True)
        settings.data.mkdir()
        yield anvil.node, await deploy_contracts(settings, anvil.node)
    finally:
        await anvil.stop()


async def test_a_database_of_another_chain_is_refused_on_a_chain_that_is_none_of_ours(tmp_path: Path) -> None:
    async with chain(tmp_path) as (node, deployments):
        data = tmp_path / "data"
        with contextlib.closing(Store(f"sqlite:///{data / 'index.db'}", GAMES)) as store:
            store.set_chain(OTHER, deployments)
        message = refused(data, "index", "--once", "--rpc", node.url)
        assert OTHER.genesis in message
        assert (await chain_of(node)).genesis in message
        assert "Choose a different --data folder" in message


async def test_a_manifest_that_does_not_fit_the_chain_is_refused(tmp_path: Path) -> None:
    async with chain(tmp_path) as (node, _deployments):
        data = tmp_path / "data"
        manifest = json.loads((data / "deployment.json").read_text())
        for one in manifest["games"]:
            one |= {"address": "0x" + 40 * "5", "block_hash": "0x" + 64 * "5"}
        (data / "deployment.json").write_text(json.dumps(manifest))
        message = refused(data, "index", "--once", "--rpc", node.url)
        assert "Battleship is not at 0x5555555555555555555555555555555555555555" in message
        assert "--data" in message


@pytest.mark.parametrize("missing", ["genesis", "sessions", "games"])
async def test_a_manifest_that_lacks_something_is_refused(tmp_path: Path, missing: str) -> None:
    async with chain(tmp_path) as (node, _deployments):
        file = tmp_path / "data" / "deployment.json"
        manifest = json.loads(file.read_text())
        del manifest[missing]
        file.write_text(json.dumps(manifest))
        message = refused(tmp_path / "data", "up", "--dev", "--rpc", node.url)
        assert f"lacks '{missing}'" in message
        assert "chainboard reset" in message


async def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    async with chain(tmp_path) as (node, _deployments):
        file = tmp_path / "data" / "index.db"
        Store(f"sqlite:///{file}", GAMES).close()
        with contextlib.closing(sqlite3.connect(file)) as raw:
            raw.execute("UPDATE alembic_version SET version_num = '9999'")
            raw.commit()
        for command in (["index", "--once"], ["up", "--dev"]):
            assert "another version" in refused(tmp_path / "data", *command, "--rpc", node.url)


async def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    async with chain(tmp_path) as (node, _deployments):
        with contextlib.closing(sqlite3.connect(tmp_path / "data" / "index.db")) as raw:
            raw.execute("CREATE TABLE recipes (name)")
            raw.commit()
        assert "--database" in refused(tmp_path / "data", "index", "--once", "--rpc", node.url)


class NotANode(http.server.BaseHTTPRequestHandler):
    """An HTTP server that isn't an Ethereum node. A test gives its address to a command as the
    address of a node."""

    body: bytes = b"<html>Hello</html>"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(200)
        self.send_header("content-length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(params=[b"<html>Hello</html>", b'{"jsonrpc":"2.0","id":1,"result":"5.4.1"}', b"[]", b"7", b""])
def wrong_url(request: pytest.FixtureRequest) -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("This", (NotANode,), {"body": request.param}))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_an_address_where_no_node_is_is_told(wrong_url: str, tmp_path: Path) -> None:
    message = refused(tmp_path, "up", "--rpc", wrong_url, "--dev")
    assert wrong_url in message
    assert "node" in message
