"""Tests that the computer players are ready when the server prints the page's URL. A request for a
computer player that arrives earlier must wait until then."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from bots.service.messages import RequestRejected
from chainboard import opponents
from chainboard.opponents import OpponentsProcess
from chainboard.settings import Settings
from chaos.process.forkserver import start_piped
from tests.support.http import local
from tests.support.server import up_deployed
from tests.support.waiting import PATIENCE_SECONDS, wait_for


def read_started(file: Path) -> dict[str, Any] | None:
    """Return the content of a JSON file. Return None if the file is missing, or if a program has
    written only part of it."""
    try:
        found: dict[str, Any] = json.loads(file.read_text())
    except (FileNotFoundError, ValueError):
        return None
    return found


def test_computer_players_are_ready_when_the_address_is_printed(tmp_path: Path) -> None:
    with up_deployed(tmp_path / "data", "--opponents", "4") as server:
        found = server.get("/api/opponents")
        assert {one["game"] for one in found["opponents"]} >= {"tic-tac-toe", "battleship"}
        assert found["why"] == ""


def test_early_requests_wait_for_computer_players(tmp_path: Path) -> None:
    """Tests requests for computer players that arrive before the computer players are ready. A
    visitor can load the page that early. The requests must wait until the computer players are
    ready."""
    with up_deployed(tmp_path / "data"):
        pass
    process = start_piped(("up", "--data", str(tmp_path / "data"), "--port", "0", "--opponents", "4"))
    try:
        file = tmp_path / "data" / "running.json"
        page = wait_for(lambda: read_started(file), bool, "the address")["page"]  # type: ignore[index]
        found = local.get(page + "api/opponents", timeout=PATIENCE_SECONDS).json()
        assert found["opponents"]
        assert found["why"] == ""
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE_SECONDS)
        process.stdout.close()


async def test_waiting_for_computer_players_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opponents, "ARRIVAL_SECONDS", 0.01)
    service = OpponentsProcess(Settings(tmp_path))
    assert not await service.wait_until_ready()
    with pytest.raises(RequestRejected, match="opponents-away"):
        await service.request("tic-tac-toe/1", "careful")
