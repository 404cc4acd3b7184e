"""Under siege: how soon an honest press reaches an honest socket while other clients ask for more than their share.

A press is a signed transaction by `/api/rpc`; it has reached the other one when its `deltas` are there."""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
from eth_account import Account
from eth_account.signers.local import LocalAccount
from websockets.asyncio.client import ClientConnection, connect

from bench.attackers import KINDS, Parts, attacking
from contracts.calls import encode_call
from indexer.node import Node
from tests.support.server import Server, node_url, up

PRESSES, SPACE_SECONDS, WARM_SECONDS, CALM_SECONDS = 40, 0.25, 4.0, 3.0
"""At that pace an honest player keeps the rate of transactions."""
SHIPS = 256
GAPPED, GAP_BYTES, FLOOD = 40, 62_000, 3000
AIM = 3
GWEI = 10**9
LIMITS = {"CHAINBOARD_CONNECTIONS": "100"}


class Siege:
    """One server, one honest player, one honest spectator, and what attackers need."""

    def __init__(self, server: Server, data: Path) -> None:
        self.server, self.node = server, Node(node_url(data))
        [self.game] = [one for one in server.get("/api/games")["games"] if one["slug"] == "touche-coule"]
        self.player: LocalAccount = Account.create()
        self.nonce = self.matches = 0

    def data(self, name: str, *arguments: Any) -> str:
        return encode_call(self.game["abi"], name, arguments)

    async def prepare(self) -> Parts:
        accounts = await self.node.request("eth_accounts")
        await self.node.request("anvil_setBalance", (self.player.address, hex(10**20)))
        head = await self._open(accounts[0])
        for ship in range(SHIPS):
            await self._play(accounts[ship % 2], "register", head)
        await self._play(accounts[0], "turn", head, 0)
        await self.node.request("anvil_mine", ("0x2",))
        attacker = Account.create()
        await self.node.request("anvil_setBalance", (attacker.address, hex(10**20)))
        call = {"from": accounts[1], "to": self.game["address"], "data": self.data("turn", head, 1)}
        far = {"to": self.game["address"], "data": bytes(GAP_BYTES), "gas": 10**7}
        return {
            "port": urlsplit(self.server.url).port,
            "match": f"touche-coule/{head}",
            "call": call,
            "gapped": [self._signed(attacker, 10_000 + number, far) for number in range(GAPPED)],
            "flood": [self._signed(attacker, nonce, {"to": attacker.address, "gas": 21_000}) for nonce in range(FLOOD)],
        }

    async def _open(self, sender: str) -> int:
        """A match of Touché Coulé, whose number is the next one."""
        await self._play(sender, "create", 64, 64, False)
        self.matches += 1
        return self.matches

    async def _play(self, sender: str, name: str, *arguments: Any) -> Any:
        call = {"from": sender, "to": self.game["address"], "data": self.data(name, *arguments), "gas": hex(2**23)}
        hash = await self.node.request("eth_sendTransaction", (call,))
        while (receipt := await self.node.request("eth_getTransactionReceipt", (hash,))) is None:
            await asyncio.sleep(0.001)
        assert receipt["status"] == "0x1", name
        return receipt

    def _signed(self, account: LocalAccount, nonce: int, call: dict[str, Any]) -> str:
        price = {"maxFeePerGas": 100 * GWEI, "maxPriorityFeePerGas": GWEI, "value": 0, "chainId": 31337}
        return "0x" + bytes(account.sign_transaction({**price, **call, "nonce": nonce}).raw_transaction).hex()

    async def measure(self) -> list[float]:
        """Seconds, of each press."""
        match = await self._open((await self.node.request("eth_accounts"))[0])
        call = {"to": self.game["address"], "data": self.data("register", match), "gas": 10**6}
        async with (
            connect(self.server.socket_url, proxy=None, open_timeout=60) as socket,
            httpx.AsyncClient(base_url=self.server.url, timeout=60, trust_env=False) as http,
        ):
            await socket.send(json.dumps({"t": "watch", "match": f"touche-coule/{match}"}))
            seq, found = (await _heard(socket, "reset"))["seq"], []
            for _ in range(PRESSES):
                raw = self._signed(self.player, self.nonce, call)
                body = {"jsonrpc": "2.0", "id": 1, "method": "eth_sendRawTransaction", "params": [raw]}
                begin = time.perf_counter()
                answer = (await http.post("/api/rpc", json=body)).json()
                assert "result" in answer, answer
                self.nonce += 1
                while (deltas := await _heard(socket, "deltas"))["items"][-1]["seq"] <= seq:
                    pass
                found.append(time.perf_counter() - begin)
                seq = deltas["items"][-1]["seq"]
                await asyncio.sleep(SPACE_SECONDS)
        return found


async def _heard(socket: ClientConnection, kind: str) -> Any:
    async with asyncio.timeout(60):
        while (message := json.loads(await socket.recv()))["t"] != kind:
            pass
    return message


async def besieged(siege: Siege) -> None:
    parts = await siege.prepare()
    quiet = statistics.median(await siege.measure())
    print(f"  {'quiet':<12} median {1000 * quiet:7.1f} ms")
    attacks: list[tuple[str, tuple[Callable[[Parts], None], ...]]] = [(kind.__name__, (kind,)) for kind in KINDS]
    for name, kinds in [*attacks, ("all at once", KINDS)]:
        with attacking(kinds, parts):
            await asyncio.sleep(WARM_SECONDS)
            try:
                found = sorted(await siege.measure())
            except (TimeoutError, httpx.HTTPError, OSError) as error:
                print(f"  {name:<12} no press came through: {error!r}")
                continue
        median, worst = statistics.median(found), found[-1]
        told = f"{median / quiet:5.1f} times   (aim: {AIM})"
        print(f"  {name:<12} median {1000 * median:7.1f} ms   worst {1000 * worst:7.1f} ms   {told}", flush=True)
        await asyncio.sleep(CALM_SECONDS)
    await siege.node.aclose()


def main() -> None:
    import os

    os.environ.update(LIMITS)
    with tempfile.TemporaryDirectory() as folder, up(Path(folder)) as server:
        print(f"Press to socket under siege, {PRESSES} presses each")
        asyncio.run(besieged(Siege(server, Path(folder))))


if __name__ == "__main__":
    main()
