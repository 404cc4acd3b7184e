"""Conquest matches for two to six players without a chain, and boards for tests of computer
players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from bots import conquest
from bots.opponent import Choice
from indexer.gamekit.game import fold
from indexer.games.conquest import GAME
from indexer.games.conquest_graph import Graph, encode_graph
from indexer.model import Event, Json
from indexer.rules.call import Call, CallBlock
from indexer.rules.conquest import events

ACCOUNTS = tuple(f"0x{digit * 40}" for digit in "123456")
SEED = "0x" + "5e" * 32


class Match:
    """A match. `board` is the same as in the indexer. Each call has its own block, two blocks and
    two seconds after the block of the previous call."""

    def __init__(self, seed: str = "1") -> None:
        self.board, self.height, self.seed = GAME.start, 1, seed

    def call(self, account: str, choice: Choice) -> None:
        """Carry out a call. Raises IllegalMove if the rules forbid the call."""
        self.height += 2
        block = CallBlock(self.height, self.height, 0, lambda at: Random(f"{self.seed}/{at}").randbytes(32))
        emitted = events(self.board, Call(account, choice.action, choice.arguments, block=block))
        made = [Event(GAME.slug, 1, 1, name, args, self.height, "", self.height, "", 0) for name, args in emitted]
        self.board = fold(GAME, self.board, made)

    def seated(self, players: int, grain: int = 148) -> Match:
        """Open the match on a random map, and let players take all its seats. Return the match."""
        opened = conquest.opened([*ACCOUNTS[1:players]], Random(self.seed).randbytes(32), grain)
        self.call(ACCOUNTS[0], opened)
        for account in ACCOUNTS[1:players]:
            self.call(account, Choice("join"))
        return self


def played(strengths: Sequence[str], seed: str, calls: int, grain: int = 148) -> Iterator[tuple[Json, int, Choice]]:
    """Play a match. Yield each board, the seat that acts on it, and the choice of that seat. At the
    end, yield the last board with seat -1."""
    match = Match(seed).seated(len(strengths), grain)
    for _ in range(calls):
        if match.board["status"] != "playing":
            break
        for seat, strength in enumerate(strengths):
            choice = conquest.choose(match.board, seat, strength, Random(1))
            if choice is not None:
                yield match.board, seat, choice
                match.call(ACCOUNTS[seat], choice)
                break
        else:
            raise AssertionError(f"nobody moves: {match.board}")
    yield match.board, -1, Choice("")


def chain_of(*soldiers: int, water: int = 0, types: Sequence[int] = ()) -> Json:
    """Return a board for two players on which the lands form a row. `water` is a bit mask of the
    lands on the shore of a lake."""
    count = len(soldiers)
    near = tuple((1 << land + 1 | (1 << land >> 1)) & (1 << count) - 1 for land in range(count))
    return board_of(Graph(near, (water,) if water else (), tuple(types) or (5,) * count, 0, (0,) * count), soldiers)


def star_of(*soldiers: int) -> Json:
    """Return a board for two players on which land 0 is the only neighbour of all other lands."""
    count = len(soldiers)
    near = ((1 << count) - 2, *[1] * (count - 1))
    return board_of(Graph(near, (), (5,) * count, 0, (0,) * count), soldiers)


def board_of(graph: Graph, soldiers: Sequence[int]) -> Json:
    """Return a board for two players who have no lands yet."""
    return {
        "status": "playing", "ply": 4, "trail": 7, "deadline": 99, "clock": 60, "seatCount": 2, "phase": "action",
        "players": {account: {"seat": seat} for seat, account in enumerate(ACCOUNTS[:2])}, "mover": ACCOUNTS[0],
        "map": {"seed": SEED, "grain": 60, "lands": len(soldiers), "graph": "0x" + encode_graph(graph).hex()},
        "lands": {str(land): {"soldiers": each} for land, each in enumerate(soldiers)},
        "seats": {"0": {"alive": True}, "1": {"alive": True}}, "first": 0,
    }  # fmt: skip


def owned(board: Json, mine: Sequence[int], theirs: Sequence[int], **more: Any) -> Json:
    """Return the board with lands for both players. The first land in each player's list is that
    player's capital."""
    owners = {str(land): seat for seat, lands in enumerate((mine, theirs)) for land in lands}
    lands = {land: {**one, "owner": owners[land]} if land in owners else one for land, one in board["lands"].items()}
    seats = {str(seat): {"alive": True, "capital": lands[0]} for seat, lands in enumerate((mine, theirs))}
    return {**board, "lands": lands, "seats": seats, **more}
