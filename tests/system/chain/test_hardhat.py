"""Tests of `--rpc` and `--dev` with a Hardhat node. Players must be able to use another program's
chain in the same way as the embedded chain."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.http import local
from tests.support.players import play, wait_for_json, wait_until_indexed
from tests.support.server import run, up
from tests.support.services.hardhat import hardhat


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with hardhat() as it:
        yield it


def test_a_match_is_played_on_a_hardhat_node(url: str, tmp_path: Path) -> None:
    with up(tmp_path, "--rpc", url, "--dev", is_empty=True) as server:
        # The sea is so large that two turns are unlikely to end the match.
        play(server, url, 0, "create", 64, 64, False)
        wait_until_indexed(server, url)
        for player in (1, 2, 1, 2):
            play(server, url, player, "register", 1)
        play(server, url, 1, "turn", 1, 0)
        for number in (1, 2):
            anchor = wait_for_json(server, "/api/matches/touche-coule/1", lambda f, n=number: f["board"]["ply"] == n)[
                "board"
            ]
            wait_for_json(server, "/api/health", lambda health, at=anchor["anchor"]: health["indexedHead"] > at)
            play(server, url, 2, "turn", 1, number)
        wait_for_json(server, "/api/matches/touche-coule/1", lambda found: found["board"]["ply"] == 3)
        paid = local.post(f"{server.url}/api/faucet", json={"address": "0x" + "12" * 20})
        assert paid.json()["sent"] == str(10**18)
        replay = tmp_path / "replay.json"
        replay.write_bytes(local.get(f"{server.url}/api/matches/touche-coule/1/replay").content)
    said = run("verify", str(replay), "--rpc", url)
    assert said.stdout.startswith("Verified: touche-coule/1, events 1 to "), said
    assert "blocks, all hashes recomputed from headers and receipts; " in said.stdout
    assert said.stdout.endswith(", 0 pruned\n")
