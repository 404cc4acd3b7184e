"""Tests of the verification files for Sourcify and block explorers. Compiling these files must
produce the code of each contract on the chain."""

from __future__ import annotations

import asyncio
import http.server
import json
import os
import re
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any, ClassVar

import pytest
import solcx
from eth_utils.crypto import keccak

from chainboard.data_folder import write_json
from chainboard.settings import Settings
from contracts import compile
from indexer.model import Json
from tests.support.services.missing import skip_or_fail
from tests.system.chain.operator_site import ETHER, TOP, Site, expected_files, site

IPFS_HASH = "64697066735822"
"""The bytes, in hex, that come before the 34 bytes of the metadata hash in a contract's code: the
key "ipfs" and the length."""
DIGITS = 40


def compile_submission(file: Path) -> Json:
    """Compile a contract from the contents of a verification file, in the same way as Sourcify's
    API v2."""
    request = json.loads(file.read_text())
    assert request["compilerVersion"] == compile._version(compile.SOLC)
    unit, _, contract = request["contractIdentifier"].rpartition(":")
    assert contract == file.name.partition("-")[0]
    made = solcx.compile_standard(request["stdJsonInput"], solc_binary=compile.SOLC)["contracts"]
    return dict(made[unit][contract]["evm"]["deployedBytecode"])


def deployed_code(made: Json, entry: Json, code: str) -> str:
    """Return the compiled code with the values that deployment filled in: library addresses from
    the manifest entry, and the values of immutables from the code on the chain.

    Raises `ValueError` if an immutable has different values in different places of the code."""
    text = "0x" + made["object"]
    for libraries in made["linkReferences"].values():
        for name, spans in libraries.items():
            for span in spans:
                text = with_digits(text, span, entry["libraries"][name].removeprefix("0x").lower())
    for spans in made["immutableReferences"].values():
        [value] = {code[start(one) : start(one) + 2 * one["length"]] for one in spans}
        for span in spans:
            text = with_digits(text, span, value)
    return text


def start(span: Json) -> int:
    return 2 + 2 * int(span["start"])


def with_digits(text: str, span: Json, digits: str) -> str:
    assert len(digits) == 2 * span["length"]
    return text[: start(span)] + digits + text[start(span) + len(digits) :]


def immutable_values(made: Json, code: str) -> set[int]:
    places = [spans[0] for spans in made["immutableReferences"].values()]
    return {int(code[start(one) : start(one) + 2 * one["length"]], 16) for one in places}


async def code_on_chain(it: Site, entry: Json) -> str:
    return str(await it.chain.request("eth_getCode", entry["address"], "latest"))


@pytest.mark.parametrize(
    "contracts", [("AimCaptain", "Sessions"), pytest.param((), marks=pytest.mark.soak)], ids=["two", "all"]
)
@pytest.mark.timeout(1800)
async def test_the_files_make_the_code_on_the_chain_again(tmp_path: Path, contracts: tuple[str, ...]) -> None:
    """Tests that compiling the verification files produces the code on the chain. The two must be
    equal to the last byte, including the metadata hash, which Sourcify calls an exact match."""
    async with site(tmp_path) as it:
        await it.fund(ETHER)
        deployed = await it.deploy("--yes")
        assert "and Sourcify" in deployed.text
        entries, folder = it.entries(), Settings(tmp_path / "data").verification
        assert it.verification_files() == expected_files(entries)
        compared = [one for one in entries if not contracts or one["contract"] in contracts]
        assert len(compared) == len(contracts or entries)
        for one in compared:
            file = folder / f"{one['contract']}-{one['address']}.json"
            request = file.with_suffix(".request.json")
            assert json.loads(file.read_text()) == json.loads(request.read_text())["stdJsonInput"]
            made = await asyncio.to_thread(compile_submission, request)
            code = await code_on_chain(it, one)
            assert code == deployed_code(made, one, code), one["contract"]
            assert IPFS_HASH in code[-110:]
            if "sessions" in one:
                assert {int(one["sessions"], 16), one["first_match"]} <= immutable_values(made, code)


@pytest.mark.timeout(400)
async def test_files_that_are_missing_are_written_by_the_next_run(tmp_path: Path) -> None:
    """Tests that the next deployment writes missing verification files. It must write no file for a
    contract whose code on the chain comes from different sources."""
    async with site(tmp_path) as it:
        await it.fund(ETHER)
        assert (await it.deploy("--yes")).code == 0
        paid, folder = await it.spent(), Settings(tmp_path / "data").verification
        first, second = sorted(it.verification_files())[:2]
        content = (folder / first).read_bytes()
        (folder / first).unlink()
        again = await it.deploy()
        assert (again.code, "and Sourcify" in again.text) == (0, True), again.text
        assert (folder / first).read_bytes() == content
        assert "and Sourcify" not in (await it.deploy()).text
        contract, _, address = first.removesuffix(".json").partition("-")
        captain = next(one for one in it.entries() if one["contract"] == "AimCaptain")
        assert (contract, address) == ("AimCaptain", captain["address"])
        code = await code_on_chain(it, captain)
        at = code.index(IPFS_HASH) + len(IPFS_HASH) + 4
        other = code[:at] + "0" * DIGITS + code[at + DIGITS :]
        # Change the metadata hash, as if a comment in the sources were different.
        await it.chain.request("anvil_setCode", address, other)
        for name in (first, second):
            (folder / name).unlink()
        manifest = it.manifest()
        assert manifest is not None
        for one in manifest["libraries"]:
            if one["contract"] == contract:
                one["code_hash"] = "0x" + keccak(hexstr=other).hex()
        Settings(tmp_path / "data").manifest.write_text(json.dumps(manifest))
        assert (await it.deploy()).code == 0
        assert first not in it.verification_files()
        assert await it.spent() == paid


class Receiver(http.server.BaseHTTPRequestHandler):
    """A server that receives the requests meant for Sourcify."""

    received: ClassVar[dict[str, Json]] = {}

    def do_POST(self) -> None:
        self.received[self.path] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(202 if self.headers["Content-Type"] == "application/json" else 415)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Don't log requests."""


def test_documented_commands_submit_the_files(tmp_path: Path) -> None:
    """Tests that the documented commands submit the verification files. The requests must name the
    chain and the contract's address, and their bodies must be JSON."""
    if shutil.which("curl") is None:
        skip_or_fail("curl is not on this machine (`make test-all` as root installs it), so no files are submitted.")
    requests = {
        f"0x{number:040x}": compile.verification_request(name) for number, name in enumerate(("Ship", "Conquest"))
    }
    for address, content in requests.items():
        name = content["contractIdentifier"].rpartition(":")[2]
        write_json(Settings(tmp_path).verification / f"{name}-{address}.request.json", content)
        write_json(Settings(tmp_path).verification / f"{name}-{address}.json", content["stdJsonInput"])
    [commands] = re.findall(
        r"(?ms)^    (for file in .*?^    done)$", (TOP / "docs" / "how-to" / "use-a-public-chain.md").read_text("utf-8")
    )
    server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        values = {"CHAINBOARD_DATA": str(tmp_path), "CHAIN_ID": "8453", "NO_PROXY": "*"}
        values["SOURCIFY"] = f"http://127.0.0.1:{server.server_port}"
        subprocess.run(["bash", "-e"], input=commands, text=True, check=True, env={**os.environ, **values}, timeout=60)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert Receiver.received == {f"/v2/verify/8453/{address}": content for address, content in requests.items()}
