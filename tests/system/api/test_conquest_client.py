"""Tests of Conquest's sample client. Two copies of the client play a match over HTTP alone, and
each client's board must equal the contract's board."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from eth_account import Account

from indexer.gamekit.contract_view import bits
from indexer.model import Json
from tests.support.conquest.table import ConquestTable
from tests.support.http import local
from tests.support.players import rpc_call
from tests.support.server import up_deployed

FOLDER = Path(__file__).parents[3] / "docs" / "games" / "conquest"
LINES, NONE = 150, 255
KEYS = ["0x" + f"{number:064x}" for number in (0xC0FFEE, 0xC0FFEF)]
ETHER = 10**18
LARGEST = 200
"""The average number of cells per land. A map with this average has about 16 lands."""
SECONDS = 250
FEW = 12
"""The number of commands after which the short version of the test ends its match."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ConquestTable]:
    with up_deployed(tmp_path) as server:
        yield ConquestTable(server, tmp_path)


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Load the sample client as a module. The client imports its rules engine from its own
    folder."""
    monkeypatch.syspath_prepend(str(FOLDER))
    yield importlib.import_module("client")
    for name in ("client", "engine"):
        sys.modules.pop(name, None)


def test_it_is_short() -> None:
    assert len((FOLDER / "client.py").read_text("utf-8").splitlines()) <= LINES


def compared(game: Any) -> Json:
    """Return those fields of the client's state that the contract's view also returns."""
    return {
        **{"ply": game.ply, "trail": game.trail, "mover": game.mover, "phase": game.phase, "draw": game.draw},
        **{"alive": game.alive, "capitals": game.capitals, "heroes": game.heroes, "hadHero": game.had_hero},
        **{"stored": game.stored, "soldiers": game.soldiers, "ports": bits(game.ports), "used": sorted(game.used)},
        "owned": [game.lands(seat) for seat in range(game.seats)],
        "items": {land: (item.fat, item.turns) for land, item in game.items.items()},
    }


def of_contract(view: Json) -> Json:
    names = ("ply", "trail", "mover", "phase", "draw", "alive", "capitals", "heroes", "hadHero", "stored", "soldiers")
    return {
        **{name: view[name] for name in names},
        "ports": bits(int(view["ports"])),
        "used": [bit + 1 for bit in bits(view["used"])],
        "owned": [bits(int(lands)) for lands in view["owned"]],
        "items": {one["land"]: (one["fat"], one["turns"]) for one in view["items"]},
    }


def seated(table: ConquestTable, keys: Sequence[str]) -> None:
    """Give the first seats to the accounts with these keys."""
    accounts = [Account.from_key(key).address for key in keys]
    for account in accounts:
        rpc_call(table.node, "anvil_setBalance", account, hex(100 * ETHER))
        rpc_call(table.node, "anvil_impersonateAccount", account)
    table.accounts[: len(keys)] = accounts


@pytest.mark.parametrize(
    "most", [pytest.param(None, id="whole", marks=pytest.mark.soak), pytest.param(FEW, id="begun")]
)
def test_two_clients_play(table: ConquestTable, client: Any, most: int | None) -> None:
    """Tests that two clients can play a match, and that the client's board equals the contract's
    board before each transaction."""
    seated(table, KEYS)
    match = table.begun(grain=LARGEST)
    seen: set[int] = set()

    class Compared(client.Client):  # type: ignore[misc]
        def _send(self, call: Json) -> None:
            view = table.view(match)
            assert compared(self.engine.game) == of_contract(view)
            seen.add(view["ply"])
            super()._send(call)

    clients = [Compared(table.server.url, match, key) for key in KEYS]
    deadline = time.monotonic() + SECONDS
    while len(seen) != most and all(one.step() for one in clients):
        assert time.monotonic() < deadline, table.state(match)
    state, games = table.state(match), [one.engine.game for one in clients]
    assert seen >= {*range(state["commands"])}, "no index may be missing"
    if most:
        return
    assert not any(one.step() for one in clients)
    assert (state["status"], state["reason"]) == ("finished", ("none", "won", "draw", "resigned")[games[0].reason])
    for game in games:
        clients[0].engine.follow(table.commands(match, game.ply))
        assert (game.ply, game.trail, game.winner) == (state["commands"], state["trail"], state["winner"])
        assert game.soldiers == table.view(match)["soldiers"]


def test_the_client_signs_no_wrong_command(table: ConquestTable, client: Any) -> None:
    """Tests that the sample client rejects repeated, missing and illegal commands. It must also
    reject a prepared transaction that sends ether."""
    seated(table, KEYS[:1])
    account, match = table.accounts[0], table.begun()
    table.settle(match)
    one = client.Client(table.server.url, match, KEYS[0])
    engine = client.Engine(table.state(match), match)
    told = table.commands(match)
    engine.follow(told)
    engine.follow(told)
    with pytest.raises(ValueError, match="expected command 0, not command 1"):
        engine.follow({"commands": [{"index": 1, "type": 3, "playerId": 0}]})
    with pytest.raises(ValueError, match="WrongPhase"):
        engine.follow({"commands": [{"index": 0, "type": 3, "playerId": engine.game.mover}]})
    one.engine, one.seat = engine, 0
    one.gateway.prepare = lambda _command: {"from": account, "value": "0x1", "chainId": one.chain, "to": account}
    with pytest.raises(client.Refused, match="not a command"):
        one._command()
    assert local.get(table.server.url + table.path(match, "commands")).json()["commands"] == []
