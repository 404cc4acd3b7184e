"""Measures the latency for honest clients while other clients overload the server.

The latency is the time from sending a signed transaction to `/api/rpc` until another client
receives the `deltas` message.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
from eth_account.signers.local import LocalAccount
from websockets.asyncio.client import ClientConnection, connect

from bench.load.attackers import KINDS, AttackTarget, attacking
from bench.load.many_ships import ManyShips, owner_of
from bench.load.players import funded, game_of
from indexer.node.client import Node
from tests.support.server import Server, node_url, up

TRANSACTIONS, INTERVAL_SECONDS, WARM_SECONDS, RECOVERY_SECONDS = 40, 0.25, 10.0, 3.0
"""The number of measured transactions, and three durations in seconds: of the pause between two
transactions, of the warm-up, and of the recovery. With this pause, an honest player stays within
the server's limit on transactions. During the warm-up, the attackers use up the bursts that the
server's limits allow."""
SHIPS = 256
GAP_TRANSACTIONS, GAP_BYTES, FLOOD_TRANSACTIONS = 40, 62_000, 3000
TARGET = 3
GWEI = 10**9
LIMITS = {"CHAINBOARD_CONNECTIONS": "100"}


class AttackBenchmark:
    """A benchmark of one server with honest players and an honest spectator. This class also
    prepares the data that the attackers send."""

    def __init__(self, server: Server, data: Path) -> None:
        self.server, self.node = server, Node(node_url(data))
        self.ships = ManyShips(self.node, game_of(server, "touche-coule"))

    async def prepare(self) -> AttackTarget:
        large = await self.ships.open()
        await self.ships.fill(large, SHIPS)
        await self.ships.begin(large)
        attacker, owner = await funded(self.node), owner_of(0)
        far = {"to": self.ships.address, "data": bytes(GAP_BYTES), "gas": 10**7}
        near = {"to": attacker.address, "gas": 21_000}
        return {
            "port": urlsplit(self.server.url).port,
            "match": f"touche-coule/{large}",
            "call": {"from": owner, "to": self.ships.address, "data": self.ships.data("turn", large, 1)},
            "gapped": [self._signed(attacker, 10_000 + number, far) for number in range(GAP_TRANSACTIONS)],
            "flood": [self._signed(attacker, nonce, near) for nonce in range(FLOOD_TRANSACTIONS)],
        }

    def _signed(self, account: LocalAccount, nonce: int, call: dict[str, Any]) -> str:
        price = {"maxFeePerGas": 100 * GWEI, "maxPriorityFeePerGas": GWEI, "value": 0, "chainId": 31337}
        return "0x" + bytes(account.sign_transaction({**price, **call, "nonce": nonce}).raw_transaction).hex()

    async def measure(self) -> list[float]:
        """Return the latency of each transaction of the honest players, in seconds."""
        match, players = await self.ships.open(), [await funded(self.node) for _ in range(TRANSACTIONS)]
        call = {"to": self.ships.address, "data": self.ships.data("register", match), "gas": 10**6}
        async with (
            connect(self.server.socket_url, proxy=None, open_timeout=60) as socket,
            httpx.AsyncClient(base_url=self.server.url, timeout=60, trust_env=False) as http,
        ):
            await socket.send(json.dumps({"t": "watch", "match": f"touche-coule/{match}"}))
            seq, found = (await _receive(socket, "reset"))["seq"], []
            for player in players:
                raw = self._signed(player, 0, call)
                body = {"jsonrpc": "2.0", "id": 1, "method": "eth_sendRawTransaction", "params": [raw]}
                begin = time.perf_counter()
                answer = (await http.post("/api/rpc", json=body)).json()
                assert "result" in answer, answer
                while (deltas := await _receive(socket, "deltas"))["items"][-1]["seq"] <= seq:
                    pass
                found.append(time.perf_counter() - begin)
                seq = deltas["items"][-1]["seq"]
                await asyncio.sleep(INTERVAL_SECONDS)
        return found


async def _receive(socket: ClientConnection, kind: str) -> Any:
    async with asyncio.timeout(60):
        while (message := json.loads(await socket.recv()))["t"] != kind:
            pass
    return message


async def measure_attacks(benchmark: AttackBenchmark) -> None:
    target = await benchmark.prepare()
    baseline = statistics.median(await benchmark.measure())
    print(f"  {'quiet':<12} median {1000 * baseline:7.1f} ms")
    attacks: list[tuple[str, tuple[Callable[[AttackTarget], None], ...]]] = [(kind.__name__, (kind,)) for kind in KINDS]
    for name, kinds in [*attacks, ("all at once", KINDS)]:
        with attacking(kinds, target):
            await asyncio.sleep(WARM_SECONDS)
            try:
                found = sorted(await benchmark.measure())
            except (TimeoutError, httpx.HTTPError, OSError) as error:
                print(f"  {name:<12} no transaction got through: {error!r}")
                continue
        median, worst = statistics.median(found), found[-1]
        ratio = f"{median / baseline:5.1f} times   (target: {TARGET})"
        print(f"  {name:<12} median {1000 * median:7.1f} ms   worst {1000 * worst:7.1f} ms   {ratio}", flush=True)
        await asyncio.sleep(RECOVERY_SECONDS)
    await benchmark.node.aclose()


def main() -> None:
    os.environ.update(LIMITS)
    with tempfile.TemporaryDirectory() as folder, up(Path(folder)) as server:
        print(f"Latency under attack, {TRANSACTIONS} transactions each")
        asyncio.run(measure_attacks(AttackBenchmark(server, Path(folder))))
