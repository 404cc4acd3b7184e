"""Plays matches of Conquest on a real server. The node's accounts open and join the matches, and
send calls that the server has prepared."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

from eth_utils.address import to_checksum_address

from contracts.abi import decode_result, encode_call
from indexer.games.conquest_map import generate_map
from indexer.model import Json
from tests.support.http import local
from tests.support.players import mine_transaction, rpc_call, wait_for_json, wait_until_indexed
from tests.support.server import Server, node_url

GRAIN = 148
"""The grain of the maps. A map with this grain has about 21 lands."""
CLOCK = 3600
_seeds = count(1)


class ConquestTable:
    """A running `chainboard up`, with the Conquest matches on its chain."""

    def __init__(self, server: Server, data: Path) -> None:
        self.server, self.data, self.node = server, data, node_url(data)
        self.game = next(game for game in server.get("/api/games")["games"] if game["slug"] == "conquest")
        self.accounts = [to_checksum_address(one) for one in rpc_call(self.node, "eth_accounts")]

    def send(self, sender: str, action: str, *arguments: Any) -> Json:
        """Send a transaction, which must succeed. Wait until the server has indexed it. Return its
        receipt."""
        data = encode_call(self.game["abi"], action, arguments)
        return self._sent({"from": sender, "to": self.game["address"], "data": data, "gas": hex(5_000_000)})

    def _sent(self, call: Json) -> Json:
        receipt: Json = mine_transaction(self.node, call)
        assert receipt["status"] == "0x1", call
        self.wait_until_indexed()
        return receipt

    def wait_until_indexed(self) -> None:
        wait_until_indexed(self.server, self.node)

    def opened(
        self,
        players: int = 2,
        *invited: str,
        seed: bytes | None = None,
        grain: int = GRAIN,
        graph: bytes | None = None,
    ) -> int:
        """Open a match as the first account. Return the match's number."""
        seed = seed or next(_seeds).to_bytes(32)
        terms = (seed, grain, players, invited, CLOCK, 0, graph or generate_map(seed, grain).graph)
        return int(self.send(self.accounts[0], "create", *terms)["logs"][0]["topics"][1], 16)

    def begun(self, players: int = 2, **more: Any) -> int:
        """Open a match, and let the first accounts of the node take its seats in order. Return the
        match's number."""
        match = self.opened(players, **more)
        for account in self.accounts[1:players]:
            self.send(account, "join", match)
        return match

    def settle(self, match: int) -> None:
        """Wait for the block that decides the pending random draw. Then settle the draw."""
        self.decided(match)
        self.send(self.accounts[-1], "settle", match)

    def decided(self, match: int) -> None:
        """Wait for the block that decides the pending random draw. The node mines this block even
        if nobody sends a transaction."""
        block = self.state(match)["draw"]["block"]
        wait_for_json(self.server, "/api/health", lambda health: health["indexedHead"] >= block)

    # ---- requests over HTTP

    def path(self, match: int, what: str) -> str:
        return f"/api/matches/conquest/{match}/{what}"

    def state(self, match: int, **query: Any) -> Json:
        found = local.get(self.server.url + self.path(match, "state"), params={"cells": "false", **query}).json()
        assert isinstance(found, dict)
        return found

    def commands(self, match: int, known: int = 0) -> Json:
        found: Json = self.server.get(self.path(match, f"commands?from={known}"))
        return found

    def prepare(self, match: int, body: Any) -> tuple[int, Json]:
        """Let the server prepare a command as a transaction. Return the response's status and
        body."""
        answer = local.post(self.server.url + self.path(match, "prepare"), json=body)
        return answer.status_code, answer.json()

    def give(self, match: int, seat: int, **command: Any) -> Json:
        """Let the server prepare a command for a seat, and send the transaction. Return the
        receipt."""
        status, call = self.prepare(match, {"from": self.accounts[seat], "playerId": seat, **command})
        assert status == 200, call
        return self._sent({key: value for key, value in call.items() if key != "chainId"})

    def view(self, match: int) -> Json:
        """Return the board as the contract shows it."""
        data = encode_call(self.game["abi"], "board", [match])
        found = rpc_call(self.node, "eth_call", {"to": self.game["address"], "data": data}, "latest")
        board: Json = decode_result(self.game["abi"], "board", 1, found)
        return board
