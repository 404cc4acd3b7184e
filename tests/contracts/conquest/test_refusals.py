"""Tests that Conquest rejects invalid calls with the errors and values that the game's rules give.

A rejected call changes nothing.

- create
  - When the map is invalid
    - The contract should reject the call with BadMap, which names the fault and its place
  - When a setting of the match is invalid
    - The contract should reject the call with that setting's error, which contains the allowed
      range
- a command
  - When the match does not permit the command at this point
    - The contract should reject the command with an error that explains why
  - When the sender has no seat
    - The contract should reject the command with NotAPlayer before it checks anything else
  - When the command has the wrong ply or position, or it isn't the player's turn
    - The contract should check the ply, the turn and the position in this order, and reject the
      command with StaleMove, NotYourTurn or OtherPosition
- join and leave
  - When no seat is free for the account
    - The contract should reject the call with NotInvited
  - When the account already has a seat
    - The contract should reject the call with SamePlayer
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.contracts.support.conquest.storage import table_at, write_state
from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.matches.conquest import NOBODY, PLAYING, SEED, ConquestTable
from tests.support.conquest.maps import VECTORS, row_of_lands
from tests.support.conquest.rejections import BAD_MAPS, GRAPH, ISLANDS_JOINED_BY_WATER, OWNED, REJECTED
from tests.support.conquest.states import position

CONTRACT = "Conquest"
MONTH = 30 * 86_400


@pytest.fixture(scope="module")
def table(game: Contract) -> ConquestTable:
    return table_at(game, GRAPH, OWNED)


@pytest.mark.parametrize(("phase", "more", "action", "arguments", "error"), REJECTED)
def test_a_command_that_is_not_permitted(
    table: ConquestTable,
    phase: int,
    more: dict[str, Any],
    action: str,
    arguments: dict[str, Any],
    error: tuple[Any, ...],
) -> None:
    write_state(
        table, position(GRAPH, more.get("owned", OWNED), phase=phase, **{k: v for k, v in more.items() if k != "owned"})
    )
    assert table.expect_revert(table.mover, action, **table.named(), **arguments) == Reverted(*error)
    table.compare()


def terms(**more: Any) -> tuple[Any, ...]:
    found: dict[str, Any] = {"seed": bytes.fromhex(SEED[2:]), "grain": 76, "players": 2, "invited": [], "clock": 60}
    found |= {"rematchOf": 0, "graph": row_of_lands(8), **more}
    return tuple(found.values())


@pytest.mark.parametrize(("graph", "fault", "where"), BAD_MAPS)
def test_a_map_that_is_none(game: Contract, graph: bytes, fault: int, where: int) -> None:
    with pytest.raises(Reverted) as caught:
        game.call("create", *terms(graph=graph))
    assert caught.value == Reverted("BadMap", fault, where)


def test_the_sea_joins_islands(game: Contract) -> None:
    assert game.call("create", *terms(graph=ISLANDS_JOINED_BY_WATER)) == game.call("matchRange")[1]


@pytest.mark.parametrize("vector", VECTORS["maps"], ids=range(len(VECTORS["maps"])))
def test_the_maps_of_the_vectors_are_kept_as_they_are(game: Contract, vector: Any) -> None:
    graph = bytes.fromhex(vector["graph"][2:])
    table = ConquestTable(game, 2, graph)
    assert game.call("mapOf", table.match) == graph


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"players": 1}, ("BadPlayers", 1, 2, 6)),
        ({"players": 7}, ("BadPlayers", 7, 2, 6)),
        ({"invited": [NOBODY] * 2}, ("BadPlayers", 2, 0, 1)),
        ({"grain": 47}, ("BadGrain", 47, 48, 200)),
        ({"grain": 201}, ("BadGrain", 201, 48, 200)),
        ({"clock": 0}, ("BadClock", 0, 60, MONTH)),
        ({"clock": 59}, ("BadClock", 59, 60, MONTH)),
        ({"clock": MONTH + 1}, ("BadClock", MONTH + 1, 60, MONTH)),
        ({"players": 3}, ("BadMap", 2, 8)),
    ],
)
def test_terms_that_are_none(game: Contract, more: dict[str, Any], error: tuple[Any, ...]) -> None:
    with pytest.raises(Reverted) as caught:
        game.call("create", *terms(**more))
    assert caught.value == Reverted(*error)


def test_nobody_has_two_seats(game: Contract) -> None:
    host, guest = game.node.accounts[:2]
    for invited, twice in (([host], host), ([guest, guest], guest)):
        with pytest.raises(Reverted) as caught:
            game.call("create", *terms(players=3, invited=invited, graph=row_of_lands(12)), sender=host)
        assert caught.value == Reverted("SamePlayer", twice)
    table = ConquestTable(game, 3, row_of_lands(12), join=False)
    table.call(guest, "join")
    for account in (host, guest):
        assert table.expect_revert(account, "join") == Reverted("SamePlayer", account)


def test_a_seat_that_is_reserved_is_for_nobody_else(game: Contract) -> None:
    accounts = game.node.accounts
    table = ConquestTable(game, 3, row_of_lands(12), invited=[NOBODY, accounts[5]], join=False)
    table.call(accounts[1], "join")
    assert table.expect_revert(accounts[2], "join") == Reverted("NotInvited", table.match, accounts[2], accounts[5])
    assert table.expect_revert(accounts[5], "leave") == Reverted("NotAPlayer", table.match, accounts[5])
    table.call(accounts[5], "join")
    assert table.view["status"] == PLAYING


def test_who_and_when(game: Contract) -> None:
    table = table_at(game, GRAPH, OWNED)
    (host, guest), named = table.accounts, table.named()
    late, other = {**named, "ply": 1}, {**named, "trail": named["trail"] ^ 1}
    stale = Reverted("StaleMove", 0, 1)
    assert table.expect_revert(table.stranger, "surrender", **late) == Reverted(
        "NotAPlayer", table.match, table.stranger
    )
    assert table.expect_revert(guest, "surrender", **late) == stale
    assert table.expect_revert(guest, "surrender", **other) == Reverted("NotYourTurn", table.match, guest, host)
    assert table.expect_revert(host, "surrender", **late) == stale
    assert table.expect_revert(host, "surrender", **other) == Reverted(
        "OtherPosition", named["trail"], named["trail"] ^ 1
    )
    assert table.expect_revert(table.stranger, "settle") == Reverted("NothingToSettle")
    deadline = table.engine.deadline
    assert table.expect_revert(host, "claimTimeout") == Reverted("NotExpired", table.now + 1, deadline)
    table.due_time = deadline - 1
    assert table.expect_revert(host, "claimTimeout") == Reverted("NotExpired", deadline - 1, deadline)


def test_before_it_has_begun_nothing_is_commanded(game: Contract) -> None:
    table = ConquestTable(game, 2, join=False)
    for action, arguments in (("surrender", {"ply": 0, "trail": 0}), ("settle", {}), ("claimTimeout", {})):
        assert table.expect_revert(table.accounts[0], action, **arguments) == Reverted("WrongStatus", table.match, 1, 2)
