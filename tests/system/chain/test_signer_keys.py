"""Tests of the keys for the deployer and the faucet of a development chain. The keys are random,
and stored in the data folder in files that only the current user can read."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path

import pytest
from eth_account import Account
from eth_account.signers.local import LocalAccount

from chainboard.chain.dev_keys import load_or_create
from chainboard.data_folder import write_json
from chainboard.settings import Settings
from tests.support.http import local
from tests.support.players import rpc_call, wait_for_json
from tests.support.server import node_url, run, up
from transactions.journal import Journal
from transactions.model import TxRequest

ROLES = ("DEPLOYER", "FAUCET")
PUBLIC = "test test test test test test test test test test test junk"
OLD_FAUCET = "m/44'/60'/0'/0/101"
FIRST_MATCH = "/api/matches/touche-coule/1"


def accounts(data: Path) -> list[str]:
    folder = Settings(data).keys
    return [json.loads((folder / f"{role.lower()}.json").read_text("utf-8"))["address"] for role in ROLES]


def old_faucet() -> LocalAccount:
    """Return the account from which the faucet paid in earlier versions. The account's key was
    public."""
    Account.enable_unaudited_hdwallet_features()
    account: LocalAccount = Account.from_mnemonic(PUBLIC, account_path=OLD_FAUCET)
    return account


def test_keys_are_random_private_and_used(tmp_path: Path) -> None:
    with up(tmp_path / "one") as server, up(tmp_path / "two"):
        assert not set(accounts(tmp_path / "one")) & set(accounts(tmp_path / "two"))
        url = node_url(tmp_path / "one")
        deployer, faucet = accounts(tmp_path / "one")
        poor = Account.create().address
        sent = local.post(f"{server.url}/api/faucet", json={"address": poor}).json()["tx"]
        assert rpc_call(url, "eth_getTransactionByHash", sent)["from"] == faucet.lower()
        first = rpc_call(url, "eth_getBlockByNumber", "0x1", True)["transactions"][0]
        assert first["from"] == deployer.lower()
        assert rpc_call(url, "eth_getBalance", old_faucet().address, "latest") == "0x0"
        keys = tmp_path / "one" / "keys"
        assert stat.S_IMODE(keys.stat().st_mode) == 0o700
        for file in keys.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            key = json.loads(file.read_text("utf-8"))["privateKey"]
            assert key not in "".join(server.output)


def test_keys_stay_over_a_restart_and_a_reset(tmp_path: Path) -> None:
    with up(tmp_path):
        before, manifest = accounts(tmp_path), json.loads((tmp_path / "deployment.json").read_text("utf-8"))
    with up(tmp_path):
        assert accounts(tmp_path) == before
    assert run("reset", "--data", str(tmp_path)).returncode == 0
    with up(tmp_path):
        assert accounts(tmp_path) == before
        after = json.loads((tmp_path / "deployment.json").read_text("utf-8"))
    assert [one["address"] for one in after["games"]] == [one["address"] for one in manifest["games"]]


def test_folder_of_an_earlier_version_continues_with_its_old_keys(tmp_path: Path) -> None:
    """Tests a data folder from an earlier version. A different deployer deployed the folder's
    contracts, and its journal has transactions from the old faucet. The server must continue to use
    these accounts."""
    with up(tmp_path) as server:
        genesis, manifest = server.get("/api/health")["genesis"], (tmp_path / "deployment.json").read_bytes()
    for file in (tmp_path / "keys").iterdir():
        file.unlink()
    journal = Journal(tmp_path / "transactions.db")
    journal.add(TxRequest(f"31337:{genesis}", old_faucet().address, "0x" + "12" * 20, "0x", 5, 21_000, None, "", 0))
    journal.close()
    with up(tmp_path) as server:
        assert (tmp_path / "deployment.json").read_bytes() == manifest
        wait_for_json(server, FIRST_MATCH, lambda it: it["board"]["status"] == "open")
        poor = Account.create().address
        sent = local.post(f"{server.url}/api/faucet", json={"address": poor}).json()
        assert int(sent["sent"]) == 10**18
        until_mined(node_url(tmp_path), sent["tx"])


def until_mined(url: str, tx: str) -> None:
    while rpc_call(url, "eth_getTransactionReceipt", tx) is None:
        pass


@pytest.mark.parametrize("spoilt", ["", "{", "[]", "{}", '{"privateKey": 5}', '{"privateKey": "0x1234abcd"}', "\0\xff"])
def test_a_spoilt_key_file_is_told_in_a_sentence_without_the_key(tmp_path: Path, spoilt: str) -> None:
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "deployer.json").write_text(spoilt, "latin-1")
    answer = run("deploy", "--data", str(tmp_path))
    assert answer.returncode == 1
    assert "deployer.json contains no private key. Move the file away" in answer.stderr
    assert "Traceback" not in answer.stderr
    assert "1234abcd" not in answer.stderr


def test_a_key_that_can_not_be_kept_is_told(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("in the way")
    answer = run("deploy", "--data", str(tmp_path))
    assert answer.returncode == 1
    assert re.search(r"can't (read|write) the key file .*deployer\.json", answer.stderr)
    assert "Traceback" not in answer.stderr


def test_a_private_file_is_private_from_its_first_byte_whatever_was_there(tmp_path: Path) -> None:
    """Tests that only the current user can ever read a private file. In the test, the file
    replaces a file that all users can read, and its temporary path is already a symbolic link."""
    victim, path = tmp_path / "victim.txt", tmp_path / "running.json"
    victim.write_text("precious")
    (tmp_path / "running.json.new").symlink_to(victim)
    path.write_text("{}")
    path.chmod(0o644)
    write_json(path, {"node": "http://127.0.0.1:1"}, private=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert json.loads(path.read_text("utf-8")) == {"node": "http://127.0.0.1:1"}
    assert victim.read_text() == "precious"


def test_two_folders_never_have_one_key(tmp_path: Path) -> None:
    assert len({load_or_create(tmp_path / str(number), "FAUCET").key for number in range(20)}) == 20
