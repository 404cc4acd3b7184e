"""Tests of computer players in whole matches. The tests use a real `up` process and its process of
computer players. The visitor uses only the gateway."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from bots.service.gateway import GatewayError
from indexer.gamekit.lifecycle import NOBODY
from tests.support.server import Server, up_deployed
from tests.support.waiting import wait_for_async
from tests.system.opponents.visitor import Visitor, computer_account, visitor


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bots") / "data"


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Server]:
    with up_deployed(data, "--opponents", "3") as it:
        yield it


async def wait_for_opponents(guest: Visitor, count: int = 9) -> list[str]:
    """Wait until the gateway lists all computer players. Return their accounts."""

    async def accounts() -> list[str]:
        found = (await guest.gateway.get("/opponents"))["opponents"]
        return [account["address"] for one in found for account in one["accounts"]]

    return await wait_for_async(accounts, lambda found: len(found) >= count, "all opponents")


def assert_secret(data: Path, name: str, public: str) -> None:
    """Check that a private file of its own contains the fleet, and that no other file in the data
    folder contains it."""
    (file,) = (data / "secrets").rglob(name)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (secret,) = orjson.loads(file.read_bytes()).values()
    assert secret["nonce"][2:] not in public
    for other in data.rglob("*"):
        if other.is_file() and other != file:
            content = other.read_bytes()
            for hidden in (bytes.fromhex(secret["nonce"][2:]), secret["nonce"][2:].encode(), secret["ships"].encode()):
                assert hidden not in content, other


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("tic-tac-toe", "perfect"),
        pytest.param("battleship", "hunter", marks=pytest.mark.soak),
        pytest.param("deblockle", "thinker", marks=pytest.mark.soak),
    ],
)
async def test_invited_computer_player_plays_to_the_end(
    server: Server, data: Path, tmp_path: Path, game: str, name: str
) -> None:
    async with visitor(server.url, tmp_path) as guest:
        accounts = await wait_for_opponents(guest)
        computer = computer_account(data, game, name)
        assert computer in accounts
        board = await guest.play(await guest.invite(game, computer))
        assert board["status"] == "finished"
        assert board.get("winner") != guest.address or game == "battleship"
        assert board["reason"] in ("won", "draw")


async def test_computer_player_declines_a_stake(server: Server, tmp_path: Path) -> None:
    async with visitor(server.url, tmp_path) as guest:
        await wait_for_opponents(guest)
        match = await guest.invite("deblockle", NOBODY, stake=6_000, rate=100)
        with pytest.raises(GatewayError, match="careful doesn’t accept this stake"):
            await guest.gateway.post("/opponents", {"match": match, "name": "careful"})


async def test_a_fleet_is_on_the_disk_for_its_user_alone_and_nowhere_else(
    server: Server, data: Path, tmp_path: Path
) -> None:
    async with visitor(server.url, tmp_path) as guest:
        await wait_for_opponents(guest)
        computer = computer_account(data, "battleship", "reckoner")
        match = await guest.invite("battleship", computer)
        board = await guest.play(match, moves=3)
        public = str(board) + str(await guest.gateway.get(f"/matches/{match}/events"))
        file = f"{match.replace('/', '-')}-{computer.lower()}.json"
        assert_secret(data, file, public)
        await guest.act(match, "surrender", message="")


async def test_opponents_are_asked_for_free_seats_until_none_is_left(server: Server, tmp_path: Path) -> None:
    async with visitor(server.url, tmp_path) as guest:
        await wait_for_opponents(guest)
        found = (await guest.gateway.get("/opponents"))["opponents"]
        sailors = [account["address"] for one in found if one["game"] == "touche-coule" for account in one["accounts"]]
        taken = [
            (await guest.gateway.post("/opponents", {"match": "touche-coule/1", "name": "lookout"}))["account"]
            for _ in range(3)
        ]
        assert sorted(taken) == sorted(sailors)
        with pytest.raises(GatewayError, match="All of"):
            await guest.gateway.post("/opponents", {"match": "touche-coule/1", "name": "lookout"})
        # Stop after two ships and the first turn. Later turns could sink the guest's ships, and the
        # computer players would then stop, too.
        board = await guest.play("touche-coule/1", moves=3)
        assert {player: len(one["ships"]) for player, one in board["players"].items()} == dict.fromkeys(
            [*taken, guest.address], 2
        )


async def test_full_computer_players_report_it_and_accept_waiting_matches_later(tmp_path: Path) -> None:
    with up_deployed(tmp_path / "data", "--opponents", "1") as server:
        async with visitor(server.url, tmp_path) as guest:
            await wait_for_opponents(guest)
            careful, perfect = (
                computer_account(tmp_path / "data", "tic-tac-toe", name) for name in ("careful", "perfect")
            )
            first = await guest.invite("tic-tac-toe", careful)
            await guest.play(first, moves=1)
            waiting = await guest.invite("tic-tac-toe", perfect)
            with pytest.raises(GatewayError, match="limit: 1"):
                await guest.gateway.post("/opponents", {"match": "touche-coule/1", "name": "lookout"})
            assert (await guest.board(waiting))["status"] == "open"
            await wait_for_async(
                lambda: guest.gateway.get("/opponents"), lambda told: "limit: 1" in told["why"], "no free place"
            )
            await guest.act(first, "resign")
            assert (await guest.play(waiting))["status"] == "finished"
