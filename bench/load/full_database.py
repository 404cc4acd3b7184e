"""Fills a database with matches of real games.

The matches are on one chain and have thousands of players. Some players and event names occur
frequently, others rarely.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from random import Random

from eth_utils.address import to_checksum_address

from indexer.gamekit.lifecycle import NOBODY
from indexer.model import Block, Chain, Deployment, Event, Json
from indexer.store.store import Store

CHAIN = Chain(31337, "0x" + "c" * 64)
GENESIS_TIME = 1_700_000_000
EVENTS_PER_BLOCK, BATCH_BLOCKS = 40, 100
"""The number of events per block, and the number of blocks that are stored together."""
CONCURRENT_MATCHES = 200
"""The number of matches whose events alternate because they are played at the same time."""
PLAYERS = 5_000
TIC_TAC_TOE, BATTLESHIP, TOUCHE_COULE = "tic-tac-toe", "battleship", "touche-coule"
NameAndArgs = tuple[str, Json]


def digest(text: str) -> str:
    return "0x" + sha256(text.encode()).hexdigest()


def player(number: int) -> str:
    """Return the address of a player. Player 0 plays in every second match."""
    return to_checksum_address(digest(f"player {number}")[:42])


class EventGenerator:
    """Generates events that depend only on a seed.

    One match in fifty is a match of Touché Coulé, and almost all others are matches of Tic-tac-toe.
    There is a single match of Battleship, which nobody joins."""

    def __init__(self, seed: int = 6) -> None:
        self._random = Random(seed)
        self._players = [player(number) for number in range(PLAYERS)]
        self._match_counts = {TIC_TAC_TOE: 0, TOUCHE_COULE: 0, BATTLESHIP: 0}

    def deployments(self) -> list[Deployment]:
        return [
            Deployment(game, game, player(-number), [], 1, digest("block 1"), digest(game), 1)
            for number, game in enumerate(self._match_counts, 1)
        ]

    def fill(self, store: Store, events: int) -> int:
        """Store about this number of events. Return the last block's height."""
        store.set_chain(CHAIN, self.deployments())
        stream, height, parent = self._generate(), 0, CHAIN.genesis
        for _ in range(events // (EVENTS_PER_BLOCK * BATCH_BLOCKS)):
            blocks: list[Block] = []
            found: list[Event] = []
            for _ in range(BATCH_BLOCKS):
                height += 1
                blocks.append(Block(height, digest(f"block {height}"), parent, GENESIS_TIME + height))
                parent = blocks[-1].hash
                found += _in_block(blocks[-1], islice(stream, EVENTS_PER_BLOCK))
            store.append(blocks, found)
        return height

    def _generate(self) -> Iterator[tuple[str, int, int, NameAndArgs]]:
        """Yield (game, match, seq, event) for the events of many matches. The matches overlap in
        time, so their events alternate."""
        running = [self._match(BATTLESHIP)]
        while True:
            while len(running) < CONCURRENT_MATCHES:
                running.append(self._match(TOUCHE_COULE if self._random.random() < 0.02 else TIC_TAC_TOE))
            at = self._random.randrange(len(running))
            following = next(running[at], None)
            if following is None:
                running.pop(at)
            else:
                yield following

    def _match(self, game: str) -> Iterator[tuple[str, int, int, NameAndArgs]]:
        self._match_counts[game] += 1
        match = self._match_counts[game]
        event_sources = {TIC_TAC_TOE: self._marks, TOUCHE_COULE: self._volleys, BATTLESHIP: self._invitation}
        return ((game, match, seq, what) for seq, what in enumerate(event_sources[game](), 1))

    def _choose_players(self) -> list[str]:
        """Choose the two players of a match. Player 0 plays in every second match, and all other
        players rarely play."""
        one, other = self._random.sample(self._players[1:], 2)
        return [self._players[0] if self._random.random() < 0.5 else one, other]

    def _invitation(self) -> Iterator[NameAndArgs]:
        host = self._players[-1]
        yield "MatchCreated", {"creator": host, "opponent": NOBODY, "clock": 3600, "rematchOf": 0}
        yield "Staked", {"token": NOBODY, "amount": "0"}
        yield "PlayerJoined", {"player": host, "seat": 0}

    def _marks(self) -> Iterator[NameAndArgs]:
        """Yield the events of one match of Tic-tac-toe.

        Most matches end with a win or a draw. Some matches get no second player, some stay
        unfinished, and a few are closed by their creator."""
        host, challenger = self._choose_players()
        outcome = self._random.random()
        invited = challenger if outcome < 0.2 else NOBODY
        yield "MatchCreated", {"creator": host, "opponent": invited, "clock": 3600, "rematchOf": 0}
        yield "PlayerJoined", {"player": host, "seat": 0}
        if outcome < 0.05:
            if outcome < 0.001:
                yield "MatchEnded", {"winner": NOBODY, "reason": 6}
            return
        yield "PlayerJoined", {"player": challenger, "seat": 1}
        yield "MatchStarted", {}
        for ply, cell in enumerate(self._random.sample(range(9), 5 if outcome < 0.1 else 9)):
            row, column = divmod(cell, 3)
            by = (host, challenger)[ply % 2]
            yield "Moved", {"ply": ply, "by": by, "row": row, "column": column, "mark": 1 + ply % 2}
        if outcome > 0.1:
            drawn = outcome > 0.9
            yield (
                "MatchEnded",
                {"winner": NOBODY if drawn else (host, challenger)[outcome > 0.5], "reason": 2 if drawn else 1},
            )

    def _volleys(self) -> Iterator[NameAndArgs]:
        """Yield the events of a match of Touché Coulé with 4 ships on a large board and 100
        turns."""
        two = self._choose_players()
        yield "MatchCreated", {"creator": two[0], "opponent": NOBODY, "clock": 0, "rematchOf": 0}
        yield "Size", {"width": 64, "height": 64, "captains": False}
        for seat, one in enumerate(two):
            yield "PlayerJoined", {"player": one, "seat": seat}
        for ship in range(4):
            fields = {"x": ship, "y": ship, "captain": NOBODY}
            yield "Registered", {"ship": ship + 1, "owner": two[ship % 2], **fields}
        yield "MatchStarted", {}
        for turn in range(1, 101):
            shots = "".join(f"{ship:03x}{self._random.randrange(4096):03x}" for ship in range(1, 5))
            yield "Fired", {"shots": f"0x{shots}"}
            yield "TurnPlayed", {"by": two[turn % 2], "turnNo": turn, "entropyBlock": turn, "seed": digest(f"{turn}")}
        yield "MatchEnded", {"winner": self._random.choice(two), "reason": 1}


def _in_block(at: Block, stream: Iterator[tuple[str, int, int, NameAndArgs]]) -> Iterator[Event]:
    for index, (game, match, seq, (name, args)) in enumerate(stream):
        tx = f"{at.hash[:-3]}{index:03x}"
        yield Event(game, match, seq, name, args, at.height, at.hash, at.time, tx, index)
