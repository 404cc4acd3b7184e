"""Plays Tic-tac-toe on one server for both players, and measures the latency of their moves."""

from __future__ import annotations

import json
import time
from typing import Any

from eth_account import Account
from websockets.sync.client import ClientConnection

from bench.load.players import game_of
from chainboard.chain.anvil import CHAIN_ID
from contracts.abi import encode_call
from tests.support.server import Server

SLUG = "tic-tac-toe"
DRAWN = ((0, 0), (1, 0), (2, 0), (1, 1), (0, 1), (2, 1), (1, 2), (0, 2), (2, 2))
"""The cells of a match's moves. The match ends only with the last move."""
GAS, FEE = 10**6, 2 * 10**9
ANSWER_SECONDS = 60
MNEMONIC = "test test test test test test test test test test test junk"
"""The mnemonic of Anvil's funded accounts."""
NUMBERS = (8, 9)


class BrowserDuel:
    """Plays one match after another, for both players.

    For each move, `times` contains the milliseconds from sending the move until its `deltas`
    message arrives at the websocket."""

    def __init__(self, server: Server, socket: ClientConnection) -> None:
        self._server, self._socket = server, socket
        self._game = game_of(server, SLUG)
        Account.enable_unaudited_hdwallet_features()
        paths = [f"m/44'/60'/0'/0/{number}" for number in NUMBERS]
        self._keys: list[Any] = [Account.from_mnemonic(MNEMONIC, account_path=path) for path in paths]
        counts = [server.rpc("eth_getTransactionCount", key.address, "latest")["result"] for key in self._keys]
        self._nonces = [int(count, 16) for count in counts]
        self._match, self._ply = 0, len(DRAWN)
        self.times: list[float] = []

    def step(self) -> None:
        """Make the next move. If the last match is over, start a new match first."""
        if self._ply == len(DRAWN):
            self._begin()
        self.times.append(self._timed(self._ply % 2, "move", self._match, self._ply, *DRAWN[self._ply]))
        self._ply += 1

    def _begin(self) -> None:
        before, end = self._newest(), time.monotonic() + ANSWER_SECONDS
        self._send(0, "create", self._keys[1].address, 0)
        while self._newest() == before:
            assert time.monotonic() < end, "the server does not list the match"
            time.sleep(0.05)
        self._match, self._ply = self._newest(), 0
        self._socket.send(json.dumps({"t": "watch", "match": f"{SLUG}/{self._match}"}))
        self._timed(1, "accept", self._match)

    def _newest(self) -> int:
        found = self._server.get(f"/api/matches?game={SLUG}&player={self._keys[0].address}&limit=1")["matches"]
        return int(found[0]["id"]) if found else 0

    def _timed(self, player: int, name: str, *arguments: object) -> float:
        begin = time.perf_counter()
        self._send(player, name, *arguments)
        while True:
            message = json.loads(self._socket.recv(ANSWER_SECONDS))
            if message["t"] == "deltas" and message["match"] == f"{SLUG}/{self._match}":
                return 1000 * (time.perf_counter() - begin)

    def _send(self, player: int, name: str, *arguments: object) -> None:
        transaction = {"to": self._game["address"], "data": encode_call(self._game["abi"], name, arguments), "value": 0}
        transaction |= {"gas": GAS, "maxFeePerGas": FEE, "maxPriorityFeePerGas": 1}
        transaction |= {"chainId": CHAIN_ID, "nonce": self._nonces[player]}
        self._nonces[player] += 1
        answer = self._server.rpc(
            "eth_sendRawTransaction", self._keys[player].sign_transaction(transaction).raw_transaction.to_0x_hex()
        )
        assert "result" in answer, answer
