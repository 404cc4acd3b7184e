"""Tests of computer players in matches for more than two players. An invited computer player takes
the seat that is reserved for it. A computer player takes an open seat only at a visitor's request.

The tests use a real `up` process and its process of computer players. The visitor uses only the
gateway."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bots import conquest
from bots.service.gateway import GatewayError
from indexer.gamekit.lifecycle import NOBODY
from indexer.model import Json
from tests.support.server import Server, up_deployed
from tests.support.waiting import wait_for_async
from tests.system.opponents.visitor import Visitor, computer_account, visitor

GAME = "conquest"
SEED = bytes([7] * 32)
FOR_SIX, FOR_FEW = 60, 148
"""The average numbers of cells per land: on a map for six players, and on a map for fewer
players."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bots") / "data"


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Server]:
    with up_deployed(data, "--opponents", "6") as it:
        yield it


async def wait_for_accounts(guest: Visitor) -> dict[str, list[str]]:
    """Wait until the gateway lists all computer players. Map each player's name to the list
    of the player's accounts."""

    async def names() -> dict[str, list[str]]:
        found = (await guest.gateway.get("/opponents"))["opponents"]
        return {one["name"]: [each["address"] for each in one["accounts"]] for one in found if one["game"] == GAME}

    most = len(conquest.OPPONENTS.strengths)
    return await wait_for_async(names, lambda found: len(found) == most, "all opponents")


async def open_match(guest: Visitor, accounts: list[str], grain: int = FOR_FEW) -> str:
    return await guest.invite(GAME, NOBODY, **conquest.opened(accounts, SEED, grain).arguments)


async def wait_until_started(guest: Visitor, match: str) -> Json:
    """Wait until all seats are taken. Return the board."""
    return await wait_for_async(lambda: guest.board(match), lambda board: board["status"] != "open", "all seats taken")


async def test_all_who_are_invited_come_and_play(server: Server, data: Path, tmp_path: Path) -> None:
    async with visitor(server.url, tmp_path) as guest:
        await wait_for_accounts(guest)
        accounts = [computer_account(data, GAME, name) for name in conquest.OPPONENTS.strengths]
        match = await open_match(guest, accounts, FOR_SIX)
        board = await wait_until_started(guest, match)
        assert {account: one["seat"] for account, one in board["players"].items()} == {
            account: seat for seat, account in enumerate([guest.address, *accounts])
        }
        board = await guest.play(match, moves=1)
        board = await guest.play(match, moves=8)
        assert board["status"] == "finished" or board["ply"] > 12, "the computer players must also play"


@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 6])
async def test_they_play_to_the_end(server: Server, tmp_path: Path, seats: int) -> None:
    """Tests that computer players play with a visitor who gives random commands. The test ends when
    the match is over, or when the visitor has given 200 commands."""
    async with visitor(server.url, tmp_path) as guest:
        names = await wait_for_accounts(guest)
        accounts = [account for one in zip(*names.values(), strict=True) for account in one][-seats + 1 :]
        board = await guest.play(await open_match(guest, accounts, FOR_SIX), moves=200)
        assert board["status"] == "finished" or board["ply"] > 400
        assert board["status"] == "playing" or board["winner"] in (*accounts, guest.address)


async def test_any_free_seats_are_filled_by_one_strength(server: Server, tmp_path: Path) -> None:
    async with visitor(server.url, tmp_path) as guest:
        names = await wait_for_accounts(guest)
        match = await open_match(guest, [NOBODY] * 5, FOR_SIX)
        taken = [(await guest.gateway.post("/opponents", {"match": match, "name": "dumb"}))["account"] for _ in "12345"]
        assert sorted(taken) == sorted(names["dumb"])
        board = await wait_until_started(guest, match)
        assert {*board["players"]} == {guest.address, *taken}
        with pytest.raises(GatewayError, match="can join only while a match is open"):
            await guest.gateway.post("/opponents", {"match": match, "name": "dumb"})
        await guest.play(match, moves=1)


async def test_one_computer_player_is_invited_and_one_is_requested(server: Server, data: Path, tmp_path: Path) -> None:
    """Tests that a computer player takes an open seat only at a visitor's request. No computer
    player may take a seat that is reserved for somebody else."""
    async with visitor(server.url, tmp_path) as guest:
        names = await wait_for_accounts(guest)
        stranger = "0x" + "5" * 40
        match = await open_match(guest, [computer_account(data, GAME, "heuristic"), NOBODY, stranger])
        board = await wait_for_async(lambda: guest.board(match), lambda it: len(it["players"]) != 1, "a second player")
        assert board["players"][computer_account(data, GAME, "heuristic")]["seat"] == 1
        asked = await guest.gateway.post("/opponents", {"match": match, "name": "heuristic"})
        assert asked["account"] in names["heuristic"][1:]
        board = await wait_for_async(lambda: guest.board(match), lambda it: len(it["players"]) != 2, "a third player")
        assert (board["players"][asked["account"]]["seat"], board["opponent"]) == (2, stranger)
        with pytest.raises(GatewayError, match="is reserved for 0x5555"):
            await guest.gateway.post("/opponents", {"match": match, "name": "minmax"})


async def test_nobody_comes_to_a_foreign_map(server: Server, data: Path, tmp_path: Path) -> None:
    async with visitor(server.url, tmp_path) as guest:
        await wait_for_accounts(guest)
        own = conquest.opened([computer_account(data, GAME, "minmax"), NOBODY], SEED)
        match = await guest.invite(GAME, NOBODY, **{**own.arguments, "seed": "0x" + "11" * 32})
        with pytest.raises(GatewayError, match="dumb can’t take the seat: it has no move to make in this match"):
            await guest.gateway.post("/opponents", {"match": match, "name": "dumb"})
        later = await open_match(guest, [computer_account(data, GAME, name) for name in ("minmax", "dumb")])
        # Each computer player sees the earlier match before the later match. A computer player that
        # has joined the later match has therefore decided not to join the earlier match.
        await wait_until_started(guest, later)
        assert [*(await guest.board(match))["players"]] == [guest.address]


async def test_a_match_that_its_visitor_has_left_is_ended(server: Server, data: Path, tmp_path: Path) -> None:
    async with visitor(server.url, tmp_path) as guest:
        await wait_for_accounts(guest)
        accounts = [computer_account(data, GAME, name) for name in ("minmax", "dumb")]
        match = await open_match(guest, accounts)
        board = await wait_until_started(guest, match)

        async def conceded() -> bool:
            board = await guest.board(match)
            concession = conquest.OPPONENTS.conceded(board, 0) if board["seats"]["0"]["alive"] else None
            if concession is not None:
                await guest.act(match, concession.action, **concession.arguments)
            return not board["seats"]["0"]["alive"]

        await wait_for_async(conceded, bool, "the end of the visitor's seat")
        board = await wait_for_async(
            lambda: guest.board(match), lambda board: board["status"] != "playing", "the end of the match"
        )
        assert (board["status"], board["reason"]) == ("finished", "resigned")
        assert board["winner"] in accounts
