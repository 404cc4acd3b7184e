"""Provides a chain with matches of three games, and the replay files of these matches."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import orjson

from api.rest.replay_file import stream
from api.shapes.events import event as event_shape
from indexer.gamekit.game import board_hash, diff, fold
from indexer.gamekit.lifecycle import NOBODY
from indexer.games import GAMES
from indexer.model import Event, Json
from indexer.rules.battleship import commitment
from indexer.store.store import Store
from tests.support.chain import DeployedChain, deployed_chain, fresh_store

TRANSCRIPTS = Path(__file__).parents[1] / "fixtures/transcripts"
FLEET = "PH12 SH81 DV7 BV51 CH40"
MATCHES = ("tic-tac-toe/1", "battleship/1", "touche-coule/1")


@dataclass
class RecordedMatches:
    """A chain with its own event loop, and a data folder with an index of the chain."""

    runner: asyncio.Runner
    chain: DeployedChain
    data: Path

    @property
    def url(self) -> str:
        return self.chain.node.url

    def text(self, match: str) -> bytes:
        """Return a match's replay file in the form that the server sends."""
        game, number = match.split("/")
        with contextlib.closing(Store(f"sqlite:///{self.data / 'index.db'}", GAMES)) as store:
            return b"".join(stream(store.read, GAMES[game], int(number)))

    def replay(self, match: str) -> Json:
        found: Json = orjson.loads(self.text(match))
        return found

    def file(self, match: str, folder: Path) -> Path:
        path = folder / f"{match.replace('/', '-')}.json"
        path.write_bytes(self.text(match))
        return path


@contextmanager
def recorded(folder: Path) -> Iterator[RecordedMatches]:
    """Yield a chain with three matches: a won match of Tic-tac-toe, a short match of Battleship in
    which a player resigns, and a match of Touché Coulé between two ships."""
    with asyncio.Runner() as runner:
        stack = contextlib.AsyncExitStack()
        it = runner.run(stack.enter_async_context(deployed_chain(folder)))
        try:
            runner.run(_played(it))
            store = runner.run(fresh_store(folder / "index.db", it.node, it.deployments))
            store.close()
            yield RecordedMatches(runner, it, folder)
        finally:
            runner.run(stack.aclose())


async def _played(it: DeployedChain) -> None:
    _use(it, "tic-tac-toe")
    for match, moves in ((1, "04182"), (2, "04182"), (3, "")):
        await it.play(1, "create", NOBODY, 3600)
        await it.play(2, "accept", match)
        for ply, cell in enumerate(map(int, moves)):
            await it.play(1 + ply % 2, "move", match, ply, *divmod(cell, 3))
    _use(it, "battleship")
    await it.play(1, "invite", NOBODY, commitment(FLEET, bytes(32)), 3600, NOBODY, 0)
    await it.play(2, "accept", 1, commitment(FLEET, bytes(range(32))), 12)
    for ply, (fired, following) in enumerate(((12, 40), (40, 13), (13, 98))):
        await it.play(1 + ply % 2, "move", 1, ply + 1, fired, True, following)
    _use(it, "touche-coule")
    await it.begin(1)
    for number in range(1, 4):
        # an earlier lucky shot might already have ended the match
        if it.chain_board(1)["status"] == "playing":
            await it.turn(1, 1, number)
    await it.play(1, "create", 64, 64, False)
    await it.begin(2)
    for number in range(1, 3):
        await it.turn(1, 2, number)


def of_transcript(name: str) -> Json:
    """Return a recorded match as a replay, for example `battleship/honest`. The match wasn't played
    on a real chain, so the replay's hashes are invented."""
    kept: Json = orjson.loads((TRANSCRIPTS / f"{name}.json").read_bytes())
    game, board, events = GAMES[kept["game"]], GAMES[kept["game"]].start, []
    for at, one in enumerate(kept["events"]):
        block = "0x" + f"{one['height']:064x}"
        place = (one["height"], block, one["time"], block, at)
        event = Event(kept["game"], kept["match"], one["seq"], one["name"], one["args"], *place)
        before, board = board, fold(game, board, (event,))
        events.append({**event_shape(event), "patch": diff(before, board)})
    return {
        "format": "chainboard-replay",
        "version": 1,
        "match": f"{kept['game']}/{kept['match']}",
        "game": {"slug": game.slug, "title": game.title, "layout": game.layout},
        "chain": {"chainId": 31337, "genesis": "0x" + 64 * "0"},
        "deployment": {
            "contract": game.contract,
            "address": NOBODY,
            "block": 1,
            "blockHash": "0x" + 64 * "0",
            "codeHash": "0x" + 64 * "0",
            "firstMatch": 1,
        },
        "start": game.start,
        "events": events,
        "board": board,
        "boardHash": board_hash(board),
    }


def _use(it: DeployedChain, game: str) -> None:
    it.game = next(one for one in it.deployments if one.game == game)
