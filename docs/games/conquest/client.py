"""A client that plays Conquest over HTTP.

    PLAYER_KEY=0x… python docs/games/conquest/client.py http://127.0.0.1:8000 7

The client reads a match's history and state from the server. The server prepares the transactions,
and the client signs them. As in the original game, players send only commands. The client's own
engine computes the effects of the commands.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

import requests
from engine import NOBODY, Engine, Kind, Phase
from eth_account import Account
from eth_utils.crypto import keccak

Json = dict[str, Any]
SETTLE = "0x" + keccak(text="settle(uint48)")[:4].hex()
SETTLE_GAS = 1_600_000
PAUSE = 0.2
TOO_OFTEN = -32005
GIVE_UP = 300
"""The number of commands after which the client surrenders. Without this limit, a match between two
players who only defend would never end."""


class Refused(Exception):
    """The server or the chain has rejected a request. The message gives the reason."""


class MatchGateway:
    def __init__(self, url: str, match: int) -> None:
        self.url, self.match = f"{url}/api", f"{url}/api/matches/conquest/{match}"

    def get(self, path: str, **query: str | int) -> Json:
        return self._answer(requests.get(f"{self.match}/{path}", params=query, timeout=30))

    def prepare(self, command: Json) -> Json:
        return self._answer(requests.post(f"{self.match}/prepare", json=command, timeout=30))

    def rpc(self, method: str, *params: Any) -> Any:
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        while (answer := self._answer(requests.post(f"{self.url}/rpc", json=request, timeout=30))).get("error"):
            if answer["error"]["code"] == TOO_OFTEN:
                time.sleep(PAUSE)
                continue
            raise Refused(answer["error"]["message"])
        return answer["result"]

    @staticmethod
    def _answer(response: requests.Response) -> Json:
        found: Json = response.json()
        if not response.ok:
            raise Refused(found["detail"])
        return found


class Client:
    """A client that plays for one account in a match."""

    def __init__(self, url: str, match: int, key: str) -> None:
        self.gateway, self.number, self.account = MatchGateway(url, match), match, Account.from_key(key)
        self.chain = self.gateway.rpc("eth_chainId")
        self.engine: Any = None

    def step(self) -> bool:
        """Execute the new commands of the match. If it is this player's turn, send a command.

        Return True while the match continues."""
        state = self.gateway.get("state", cells="false")
        if state["status"] == "open":
            return True
        self.engine = self.engine or Engine(state, self.number)
        self.engine.follow(self.gateway.get("commands", **{"from": self.engine.game.ply}))
        game = self.engine.game
        self.seat = next(one["id"] for one in state["players"] if one["account"] == self.account.address)
        if not game.is_over and self.seat == (0 if game.mover == NOBODY else game.mover):
            if self.engine.waits_for_chance:
                self._settle(state)
            else:
                self._command()
        return not game.is_over

    def _settle(self, state: Json) -> None:
        """Settle the pending draw as soon as its deciding block exists. Any account may do this."""
        if "draw" in state and self.gateway.rpc("eth_getBlockByNumber", hex(state["draw"]["block"]), False):
            call = {"to": state["address"], "data": SETTLE + self.number.to_bytes(32).hex(), "value": "0x0"}
            self._send({**call, "gas": hex(SETTLE_GAS), "chainId": self.chain})

    def _command(self) -> None:
        """Send a command. The contract accepts it only in the position that our engine computed."""
        position = {"index": self.engine.game.ply, "trail": self.engine.game.trail}
        call = self.gateway.prepare({"from": self.account.address, "playerId": self.seat, **position, **self.choose()})
        if (call.pop("from"), call["value"], call["chainId"]) != (self.account.address, "0x0", self.chain):
            raise Refused("the server prepared a transaction that is not a command")
        self._send(call)

    def _send(self, call: Json) -> None:
        """Send a transaction, and wait until the index has the transaction's block."""
        nonce = self.gateway.rpc("eth_getTransactionCount", self.account.address, "pending")
        price = hex(2 * int(self.gateway.rpc("eth_gasPrice"), 16))
        signed = self.account.sign_transaction({**call, "nonce": nonce, "gasPrice": price})
        hash = self.gateway.rpc("eth_sendRawTransaction", "0x" + signed.raw_transaction.hex())
        while not (receipt := self.gateway.rpc("eth_getTransactionReceipt", hash)):
            time.sleep(PAUSE)
        height = int(receipt["blockNumber"], 16) if receipt["status"] == "0x1" else 0
        while self.gateway.get("state", cells="false")["block"]["height"] < height:
            time.sleep(PAUSE)

    def choose(self) -> Json:
        """Return the next command of a player with a simple strategy.

        The player takes neighbouring lands, and gathers soldiers on the best attacking land."""
        game, seat, attacks = self.engine.game, self.seat, self.engine.attacks(self.seat)
        if game.phase == Phase.CAPITALS:
            return {"type": Kind.CAPITAL, "landId": max(game.lands(NOBODY), key=lambda land: game.soldiers[land])}
        if game.ply > GIVE_UP:
            return {"type": Kind.SURRENDER}
        front = attacks[0].start if attacks else max(game.lands(seat), key=lambda land: game.soldiers[land])
        free, ways = self.engine.ways(seat, NOBODY), [way for way in self.engine.ways(seat, seat) if way[1] == front]
        if game.phase == Phase.REINFORCEMENT:
            return {"type": Kind.REINFORCE, "landId": front}
        if game.phase == Phase.ACTION and attacks and attacks[0].surplus20 > 0:
            return {"type": Kind.ATTACK, "interactions": [_lands(attacks[0].start, attacks[0].end)]}
        if game.phase == Phase.ACTION and free:
            return {"type": Kind.ATTACK, "interactions": [_lands(*max(free, key=lambda way: game.soldiers[way[1]]))]}
        source = max(ways, key=lambda way: game.soldiers[way[0]], default=None)
        if game.phase == Phase.MOVE and source and game.soldiers[source[0]]:
            return {"type": Kind.MOVE, "interaction": _lands(*source), "ratio": 1, "hero": False}
        return {"type": Kind.PASS}


def _lands(start: int, end: int) -> Json:
    return {"landOne": start, "landTwo": end}


def main(url: str, match: str) -> None:
    client = Client(url, int(match), os.environ["PLAYER_KEY"])
    while client.step():
        time.sleep(PAUSE)
    print(f"The match is over: {client.gateway.get('state').get('reason')}.")


if __name__ == "__main__":
    main(*sys.argv[1:])
