"""Tests that a computer player makes each move exactly once, although its process is killed at any
moment, or although two processes run at once."""

from __future__ import annotations

import asyncio
import shutil
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from tests.support.server import Server, up_deployed
from tests.support.waiting import wait_for_async
from tests.system.opponents.visitor import Visitor, computer_account, run_bots, visitor

STARTED_SECONDS = 8.0
"""The maximum time, in seconds, for which a process of computer players runs before the test kills
it. This time includes the start of the process."""


async def moves_of(guest: Visitor, match: str) -> list[int]:
    """Return the plies of the moves in the match's events."""
    events = (await guest.gateway.get(f"/matches/{match}/events"))["events"]
    return [event["args"]["ply"] for event in events if event["name"] in ("Moved", "Shot")]


async def play_and_kill(server: Server, data: Path, tmp_path: Path, seed: int, names: tuple[str, str]) -> None:
    game, name = names
    random = Random(seed)
    with run_bots(data):
        await wait_for_async((data / "keys" / f"opponent-{game}-{name}-1.json").exists, bool, "the opponent's key")
    computer = computer_account(data, game, name)
    async with visitor(server.url, tmp_path, seed) as guest:
        match = await guest.invite(game, computer)
        playing = asyncio.create_task(guest.play(match, thinks=3.0 if game == "tic-tac-toe" else 0.1))
        for _ in range(2):
            with run_bots(data) as process:
                await asyncio.wait([playing], timeout=random.uniform(1.5, STARTED_SECONDS))
                process.send_signal(signal.SIGKILL)
        with run_bots(data):
            board = await playing
        plies = await moves_of(guest, match)
        assert board["status"] == "finished"
        assert board["reason"] in ("won", "draw")
        assert sorted(set(plies)) == plies, "a move was made twice"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bots") / "data"


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Server]:
    with up_deployed(data) as it:
        yield it


GAMES = [("tic-tac-toe", "perfect"), ("battleship", "hunter")]


@pytest.mark.parametrize("seed", [1])
async def test_killed_computer_player_continues(server: Server, data: Path, tmp_path: Path, seed: int) -> None:
    await play_and_kill(server, data, tmp_path, seed, GAMES[seed % 2])


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 21))
async def test_killed_at_any_moment_it_goes_on_each_time(server: Server, data: Path, tmp_path: Path, seed: int) -> None:
    await play_and_kill(server, data, tmp_path, seed, GAMES[seed % 2])


@pytest.mark.parametrize(("game", "name"), [GAMES[0], pytest.param(*GAMES[1], marks=pytest.mark.soak)])
async def test_two_on_one_account_make_each_move_once(
    server: Server, data: Path, tmp_path: Path, game: str, name: str
) -> None:
    """Tests two processes for one computer player. The second process has copies of the keys but
    not of the secret fleet, so its computer players must do nothing."""
    with ExitStack() as stack:
        stack.enter_context(run_bots(data))
        await wait_for_async((data / "keys" / f"opponent-{game}-{name}-1.json").exists, bool, "the opponent's key")
        other = tmp_path / "other"
        shutil.copytree(data / "keys", other / "keys")
        shutil.copy(data / "running.json", other)
        stack.enter_context(run_bots(other))
        async with visitor(server.url, tmp_path) as guest:
            for _ in range(2):
                match = await guest.invite(game, computer_account(data, game, name))
                board = await guest.play(match, moves=8)
                plies = await moves_of(guest, match)
                assert board["status"] == "finished" or len(plies) > 14
                assert sorted(set(plies)) == plies
                if board["status"] != "finished":
                    await guest.act(match, "surrender", message="")
