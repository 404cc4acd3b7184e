"""Tests of `chainboard verify` while `chainboard up` is running, and afterwards."""

from __future__ import annotations

from pathlib import Path

from tests.support.command_line import CommandResult, chainboard
from tests.support.players import play, rpc_call, wait_for_json
from tests.support.server import node_url, run, up


def test_beside_a_running_up_and_after_it(tmp_path: Path) -> None:
    """Tests `verify` twice. The first run happens while `up` writes new blocks, so `verify` can't
    repair the database. The second run reads the saved chain, which no longer has its past
    states."""
    with up(tmp_path) as server:
        url = node_url(tmp_path)
        for player in (1, 2):
            play(server, url, player, "register", 1)
        rpc_call(url, "anvil_setIntervalMining", 1)
        rpc_call(url, "anvil_mine", hex(20))
        said = run("verify", "--data", str(tmp_path))
        fits = CommandResult(said.returncode, said.stdout, said.stderr).verified_counts
        assert (int(fits["events"]) > 4, fits["pruned"]) == (True, "0")
        said = run("verify", "--repair", "--data", str(tmp_path))
        assert (said.returncode, said.stdout) == (1, "")
        assert "another Chainboard process is writing to the database" in said.stderr
        wait_for_json(server, "/api/health", lambda it: it["state"] == "ok")
    state = (tmp_path / "chain" / "state.json.gz").read_bytes()
    later = chainboard("verify", "--data", tmp_path).verified_counts
    assert int(later["pruned"]) >= 3
    assert int(later["at"]) >= 1
    assert (tmp_path / "chain" / "state.json.gz").read_bytes() == state
