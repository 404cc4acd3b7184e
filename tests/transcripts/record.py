"""Records games: plays them on a chain, and writes each match's events with the boards that they lead to.

    python -m tests.transcripts.record [GAME …]

The games to play are in a module beside this one, named as the game's reducer: `STORIES`, by the name of the file, each
a function that plays on the deployed contract and returns the match to record. The same chain gives the same file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

import orjson

from contracts.artifacts import load
from indexer.gamekit.game import board_hash, fold
from indexer.games import GAMES
from indexer.model import Event, Json
from tests.contracts.deployed import Contract, deploy_game
from tests.contracts.node import Anvil

HERE = Path(__file__).parent

Story: TypeAlias = Callable[[Contract], int]


def stories(slug: str) -> dict[str, Story]:
    """The games to record; none when the game has no module here."""
    module = slug.replace("-", "_")
    if not (HERE / f"{module}.py").exists():
        return {}
    found: dict[str, Story] = import_module(f"tests.transcripts.{module}").STORIES
    return found


def transcript(slug: str, match: int, events: list[Event]) -> Json:
    """What is kept of a match: each event with the hash of the board after it, and the last board."""
    game = GAMES[slug]
    board, steps = game.start, []
    for event in events:
        board = fold(game, board, [event])
        steps.append(
            {
                "seq": event.seq,
                "name": event.name,
                "args": event.args,
                "height": event.height,
                "time": event.time,
                "board": board_hash(board),
            }
        )
    return {"game": slug, "match": match, "events": steps, "board": board}


def recorded(slug: str) -> Iterator[tuple[Path, bytes]]:
    """The files of a game, played anew, each on a chain of its own."""
    for name, story in stories(slug).items():
        anvil = Anvil(5)
        try:
            _, game = deploy_game(anvil, load(GAMES[slug].contract))
            match = story(game)
            logs = anvil.rpc("eth_getLogs", {"address": game.address, "fromBlock": "0x0"})
            events = [event for event in game.events(logs) if event.match == match]
        finally:
            anvil.close()
        data = orjson.dumps(transcript(slug, match, events), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        yield HERE / slug / f"{name}.json", data


def main(wanted: list[str]) -> None:
    for slug in wanted or GAMES:
        for file, data in recorded(slug):
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(data)
            print(file.relative_to(HERE))


if __name__ == "__main__":
    main(sys.argv[1:])
