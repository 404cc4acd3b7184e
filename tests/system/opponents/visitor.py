"""A player who makes random legal moves. Like the page, this player talks only to the gateway."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from eth_account import Account

from bots.opponent import Choice, seat_of
from bots.registry import OPPONENTS
from bots.service.calls import ContractCall, GameCalls
from bots.service.gateway import Gateway
from chaos.process.forkserver import ForkedProcess
from indexer.games import GAMES
from indexer.model import Json
from indexer.node.client import Node
from tests.support.waiting import PATIENCE_SECONDS, wait_for_async
from transactions.journal import Journal
from transactions.manager import TransactionManager
from transactions.model import Tx

CLOCK = 3600


class Visitor:
    """A player with ether from the faucet. The player also stores the secrets of the matches, such
    as fleets."""

    def __init__(self, gateway: Gateway, node: Node, folder: Path, seed: int = 1) -> None:
        self.gateway, self._random = gateway, Random(seed)
        self.account = Account.create()
        self._manager = TransactionManager(node.request, self.account, Journal(folder / "visitor.db"))
        self._calls: dict[str, GameCalls] = {}
        self._secrets: dict[str, Json] = {}

    @property
    def address(self) -> str:
        return str(self.account.address)

    async def prepare(self, faucet: bool) -> None:
        if faucet:
            await self.gateway.post("/faucet", {"address": self.address})
        games = (await self.gateway.get("/games"))["games"]
        self._calls = {game["slug"]: GameCalls(GAMES[game["slug"]], game) for game in games}

    async def invite(self, game: str, opponent: str, clock: int = CLOCK, **arguments: Any) -> str:
        """Open a match of this game, and invite this opponent. Return the match's name."""
        choice = OPPONENTS[game].invite(opponent)
        clocked = {"clock": clock} if "clock" in choice.arguments else {}
        before = await self._newest(game)
        await self._send(game, "", {}, Choice(choice.action, {**choice.arguments, **clocked, **arguments}))
        found = await wait_for_async(
            lambda: self._newest(game), lambda newest: newest != before, f"the new match of {game}"
        )
        assert found is not None
        self._secrets[found] = self._secrets.pop("", {})
        return found

    async def _newest(self, game: str) -> str | None:
        rows = (await self.gateway.get("/matches", game=game, player=self.address, limit=1))["matches"]
        return rows[0]["match"] if rows else None

    async def board(self, match: str) -> Json:
        found: Json = (await self.gateway.get(f"/matches/{match}"))["board"]
        return found

    async def play(
        self,
        match: str,
        moves: int = 10_000,
        refused: int = 20,
        thinks: float = 0.0,
        patience: float = PATIENCE_SECONDS,
        pause: float = 0.05,
    ) -> Json:
        """Make this number of moves, or fewer if the match ends before that. Return the board.

        Before each move, wait for a random time of up to `thinks` seconds. During other players'
        turns, poll the board every `pause` seconds."""
        game, last = match.partition("/")[0], monotonic()
        while True:
            board = await self.board(match)
            found = OPPONENTS[game].moves(board, seat_of(board, self.address))
            if board["status"] in ("finished", "cancelled") or not moves:
                return board
            if found:
                await asyncio.sleep(self._random.uniform(0, thinks))
                sent = await self._send(game, match, board, self._random.choice(found))
                done = sent.state in ("mined", "final")
                moves, refused, last = moves - done, refused - (not done), monotonic()
                assert refused, sent.reason
                await self._seen(match, board)
            else:
                await asyncio.sleep(pause)
                assert monotonic() - last < patience, f"no player has moved in {match}: {board}"

    async def act(self, match: str, action: str, **arguments: Any) -> Tx:
        return await self._send(match.partition("/")[0], match, await self.board(match), Choice(action, arguments))

    def call(self, match: str, board: Json, choice: Choice, game: str = "") -> ContractCall:
        """Return the contract call that carries out this choice. If `match` is empty, the call
        opens a new match."""
        number = int(match.partition("/")[2]) if match else None
        return self._calls[game or match.partition("/")[0]].encode(number, board, choice)

    async def _seen(self, match: str, before: Json) -> None:
        """Wait until the gateway shows a different board, but for at most 2 seconds."""
        end = monotonic() + 2
        while monotonic() < end and await self.board(match) == before:
            await asyncio.sleep(0.02)

    async def _send(self, game: str, match: str, board: Json, choice: Choice) -> Tx:
        secrets = OPPONENTS[game].secrets
        if secrets is not None:
            secret = self._secrets.setdefault(match, {})
            if not secret:
                secret.update(secrets.draw(self._random))
            choice = secrets.complete(board, 0, choice, secret)
        stake = {key: choice.arguments[key] for key in ("stake",) if key in choice.arguments}
        call = self.call(match, board | stake, choice, game)
        sent = await self._manager.submit(call.to, call.data, call.value, call.gas)
        return sent if sent.state == "refused" else await self._manager.settled(sent)


@asynccontextmanager
async def visitor(url: str, folder: Path, seed: int = 1, faucet: bool = True) -> AsyncIterator[Visitor]:
    gateway = Gateway(url)
    node = Node(gateway.rpc_url)
    found = Visitor(gateway, node, folder, seed)
    try:
        await found.prepare(faucet)
        yield found
    finally:
        await gateway.aclose()
        await node.aclose()


def named_accounts(keys: Path, names: Sequence[str], file: str) -> dict[str, str]:
    """Map each of these computer players' names to the player's first account. One file defines
    all these computer players. Their accounts are in key files in the folder `keys`."""
    return {
        name: json.loads((keys / f"opponent-tic-tac-toe-{file}-{name}-1.json").read_text())["address"] for name in names
    }


def computer_account(data: Path, game: str, name: str, prefix: str = "") -> str:
    """Return the address of the computer player's first account, as stored in the account's key
    file."""
    return str(json.loads((data / "keys" / f"{prefix}opponent-{game}-{name}-1.json").read_text())["address"])


@contextmanager
def run_bots(data: Path, *arguments: str, log: Path | None = None, **environment: str) -> Iterator[ForkedProcess]:
    """Run `chainboard bots` with this data folder."""
    log = log or data / "bots.log"
    log.touch()
    command = ["bots", "--data", str(data), "--opponents", "50", *arguments]
    process = ForkedProcess(command, log, log, environment)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
