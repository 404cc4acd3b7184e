"""Keepers that tests run with a real server. The module provides matches whose clocks run out,
accounts that claim timeouts, and a connection to the gateway that a test can cut."""

from __future__ import annotations

import asyncio
import os
from contextlib import AsyncExitStack, aclosing, closing, suppress
from itertools import count, permutations
from pathlib import Path
from typing import Any

from eth_account import Account

from bots.service.gateway import Gateway
from bots.service.keeper import Keeper
from contracts.abi import encode_call
from indexer.games import GAMES
from indexer.games.conquest_map import generate_map
from indexer.model import Json
from indexer.node.client import Node
from indexer.rules.battleship import commitment
from tests.support.players import mine_transaction, rpc_call, wait_for_json, wait_until_indexed
from tests.support.server import Server
from tests.support.waiting import wait_for
from transactions.journal import Journal
from transactions.manager import TransactionManager

ETHER = 10**18
NOBODY = "0x" + 40 * "0"
FLEETS = ("PH12 SH81 DV7 BV51 CH40", "PV0 SV8 DH90 BH36 CV49")
_keys, _seeds = count(1), count(1)
GRAIN = 148


class PlayedServer:
    """A server and its node. Two of the node's unlocked accounts play each match. No two matches
    have the same host and the same guest."""

    def __init__(self, server: Server, node: str) -> None:
        self.server, self.node = server, node
        self.games = {game["slug"]: game for game in server.get("/api/games")["games"]}
        self.pairs = permutations(rpc_call(node, "eth_accounts"), 2)

    def send(self, player: str, slug: str, action: str, *arguments: Any, value: int = 0) -> int:
        """Send a transaction, which must succeed. Return the number of the match in the
        transaction's first event."""
        game = self.games[slug]
        call = {"to": game["address"], "data": encode_call(game["abi"], action, arguments)}
        sender = {"from": player, "gas": hex(2_000_000), "value": hex(value)}
        receipt = mine_transaction(self.node, call | sender)
        assert receipt["status"] == "0x1", (action, arguments)
        return int(receipt["logs"][0]["topics"][1], 16)

    def tic_tac_toe(self, clock: int) -> str:
        host, challenger = next(self.pairs)
        match = self.send(host, "tic-tac-toe", "create", challenger, clock)
        self.send(challenger, "tic-tac-toe", "accept", match)
        return f"tic-tac-toe/{match}"

    def revealing(self) -> str:
        """Start a match of Battleship with a stake, and return its name. The guest has surrendered
        and revealed the fleet, and the host never reveals."""
        (host, guest), nonces = next(self.pairs), [os.urandom(32) for _ in FLEETS]
        seals = [commitment(*fleet) for fleet in zip(FLEETS, nonces, strict=True)]
        match = self.send(host, "battleship", "invite", NOBODY, seals[0], 3600, NOBODY, ETHER, value=ETHER)
        self.send(guest, "battleship", "accept", match, seals[1], 0, value=ETHER)
        self.send(guest, "battleship", "surrender", match, FLEETS[1], nonces[1], "")
        return f"battleship/{match}"

    def sea(self) -> str:
        players = next(self.pairs)
        match = self.send(players[0], "touche-coule", "create", 12, 12, False)
        for player in players:
            self.send(player, "touche-coule", "register", match)
        self.send(players[0], "touche-coule", "turn", match, 0)
        return f"touche-coule/{match}"

    def conquest(self, clock: int = 3600) -> str:
        """Start a match of Conquest for two players, and return its name. The random draw that
        decides who moves first is still pending."""
        host, guest = next(self.pairs)
        seed = next(_seeds).to_bytes(32)
        match = self.send(host, "conquest", "create", seed, GRAIN, 2, [], clock, 0, generate_map(seed, GRAIN).graph)
        self.send(guest, "conquest", "join", match)
        return f"conquest/{match}"

    def command(self, name: str, action: str, land: int) -> None:
        """Send a command from the account of the player whose turn it is."""
        board, match = self.board(name), int(name.partition("/")[2])
        self.send(board["mover"], "conquest", action, match, board["ply"], board["trail"], land)

    def wait_for_chance(self, name: str) -> None:
        """Wait until the index contains the block whose hash decides the pending draw."""
        wanted = self.board(name)["draw"]["block"] + 1
        wait_for_json(self.server, "/api/health", lambda health: health["indexedHead"] >= wanted)

    def pass_seconds(self, seconds: int) -> None:
        rpc_call(self.node, "evm_increaseTime", seconds)
        rpc_call(self.node, "evm_mine")
        self.wait_until_indexed()

    def wait_until_indexed(self) -> None:
        """Wait until the index contains all transactions that are in blocks. With automine, first
        wait until the pool is empty, because Anvil answers a request before it creates the
        transaction's block."""
        if rpc_call(self.node, "anvil_getAutomine"):
            wait_for(
                lambda: rpc_call(self.node, "txpool_status"),
                lambda pool: int(pool["pending"], 16) == 0,
                "an empty pool",
            )
        wait_until_indexed(self.server, self.node)

    def board(self, name: str) -> Json:
        self.wait_until_indexed()
        found: Json = self.server.get(f"/api/matches/{name}")["board"]
        return found


class KeeperAccount:
    """A keeper's account and journal. Each call to `keeper` returns a new keeper that uses both, as
    if the program had restarted."""

    def __init__(self, played: PlayedServer, folder: Path, stack: AsyncExitStack) -> None:
        self.played, self.stack = played, stack
        self.key = Account.from_key(f"0x{0xC10C + next(_keys):064x}")
        self.address = self.key.address
        self.journal = stack.enter_context(closing(Journal(folder / f"{self.address}.db")))

    async def keeper(self, url: str = "", **options: Any) -> Keeper:
        url = url or self.played.server.url
        gateway = await self.stack.enter_async_context(aclosing(Gateway(url)))
        node = await self.stack.enter_async_context(aclosing(Node(f"{url}/api/rpc")))

        async def has_funds() -> bool:
            if not self.balance:
                await gateway.post("/faucet", {"address": self.address})
            return True

        manager = TransactionManager(node.request, self.key, self.journal)
        given: dict[str, Any] = {"games": GAMES, "has_funds": has_funds, "jitter": 0.0, **options}
        return Keeper(gateway, manager, **given)

    @property
    def balance(self) -> int:
        return int(rpc_call(self.played.node, "eth_getBalance", self.address, "latest"), 16)

    @property
    def sent(self) -> int:
        """Return how many transactions the account has sent. Count pending transactions, too."""
        return int(rpc_call(self.played.node, "eth_getTransactionCount", self.address, "pending"), 16)

    @property
    def states(self) -> list[str]:
        """Return the states of all transactions in the journal. All keepers of this account write
        to this journal."""
        genesis = rpc_call(self.played.node, "eth_getBlockByNumber", "0x0", False)["hash"]
        return [tx.state for tx in self.journal.all(f"31337:{genesis}", self.address)]


class Relay:
    """A TCP relay between a keeper and the gateway. A test can cut the relay's connections."""

    def __init__(self, port: int) -> None:
        self.target, self.port = port, 0
        self.writers: list[asyncio.StreamWriter] = []

    async def open(self) -> None:
        self.server = await asyncio.start_server(self._pass, "127.0.0.1", self.port)
        self.port = self.server.sockets[0].getsockname()[1]

    async def cut(self) -> None:
        self.server.close()
        for writer in self.writers:
            writer.transport.abort()
        await self.server.wait_closed()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self.target)
        self.writers += [writer, back]
        await asyncio.gather(_pump(reader, back), _pump(there, writer))


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65_536):
            writer.write(data)
        writer.close()
