"""Plays 40 whole games, or 200 in `make soak`, each between two scripted players.

The contract, the reducer and the model must agree, and the gas must stay within the limits in the
game's rules.

- Given players who hunt or fire at random, answer truthfully or lie, resign, stop playing, or stay
  silent at the end
  - When they play all games side by side, with one move per game in every block
    - The contract should emit the events that the model predicts
    - The contract's view and the board folded from the events should equal the model's board
    - The contract should pay both stakes to each winner, or return them if nobody won
    - A move should cost at most 62,000 gas, and a game's moves at most 48,000 gas on average
    - A reveal should cost at most 95,000 gas
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from eth_utils import to_checksum_address

from contracts.artifacts import Artifact
from indexer.gamekit.game import canonical, fold
from indexer.games import GAMES
from indexer.model import Json
from tests.contracts.models.battleship import DAY, FINISHED, PLAYING, BattleshipMatch, mask_and_fault, sealed
from tests.contracts.support.contract import Contract, deploy_game
from tests.contracts.support.matches.battleship import NOBODY, view_of
from tests.contracts.support.node import Node

pytestmark = pytest.mark.anvil  # only Anvil has real gas costs, and blocks with many calls
CONTRACT = "Battleship"
GAME = GAMES["battleship"]
ROUNDS = 260
"""The maximum number of blocks in the test. A game has at most 197 moves."""
LOOK_EACH = 8
"""The number of blocks after which the test compares all boards again. After every block, it also
compares the board of each ended game."""
STAKES = (0, 7, 10**18)
LEGAL = [
    one["ships"]
    for one in json.loads((Path(__file__).parents[2] / "fixtures/vectors/battleship.json").read_text("utf-8"))["legal"]
]
ILLEGAL = ["PH8 SH81 DV7 BV51 CH40", "PH12 SH12 DV7 BV51 CH40", "PH12 SH81", "ships?", "Évian"]

Call = tuple[str, tuple[Any, ...]]


@dataclass
class Player:
    """A scripted player.

    - `lies`: the probability that an answer is false.
    - `gives_up`: the probability per move that the player resigns.
    - `sleeps`: the probability per move that the player never moves again.
    - `silent`: True if the player never reveals its fleet.
    """

    rng: random.Random
    ships: bytes
    nonce: bytes
    lies: float = 0
    gives_up: float = 0
    sleeps: float = 0
    silent: bool = False
    hunts: bool = True

    def answer(self, tile: int) -> bool:
        return (tile in mask_and_fault(self.ships)[0]) != (self.rng.random() < self.lies)

    def shot(self, fired: dict[int, bool]) -> int:
        """Return the tile to fire at: a free tile next to a hit if the player hunts, or else any
        free tile."""
        left = [tile for tile in range(99) if tile not in fired]
        near = [
            tile for tile in left
            if any(fired.get(tile + step) for step in (-9, 9)) or any(
                fired.get(tile + step) and tile // 9 == (tile + step) // 9 for step in (-1, 1)
            )
        ]  # fmt: skip
        return self.rng.choice(near if near and self.hunts else left or [0])

    @property
    def message(self) -> bytes:
        return "⚓".encode() * self.rng.choice([0, 3, 93])


@dataclass
class BattleshipTable:
    """A game. `board` is computed from its events, and `gas` lists the gas of its calls. Each side
    has its own account."""

    match: BattleshipMatch
    accounts: tuple[str, str]
    players: tuple[Player, Player]
    board: Json = field(default_factory=lambda: GAME.start)
    gas: list[int] = field(default_factory=list)

    def turn(self, now: int) -> tuple[int, Call, Any] | None:
        """Return the next call: the seat that makes the call, the call itself, and the events that
        the model predicts.

        Return None if no player makes a call before the timeout."""
        match = self.match
        if match.revealing:
            return self._reveal()
        seat = match.mover
        player = self.players[seat]
        if player.rng.random() < player.sleeps:
            player.sleeps = 1
            return None
        if player.rng.random() < player.gives_up:
            fleet = (player.ships, player.nonce, player.message)
            return seat, ("surrender", _told(fleet)), match.surrender(self.accounts[seat], *fleet, now)
        hit, tile = player.answer(match.pending), player.shot(match.sides[seat].shots)
        call = ("move", (match.ply, match.pending, hit, tile))
        return seat, call, match.move(hit, tile, now)

    def _reveal(self) -> tuple[int, Call, Any] | None:
        for seat, player in enumerate(self.players):
            if not player.silent and self.match.sides[seat].fleet is None:
                fleet = (player.ships, player.nonce, player.message)
                return seat, ("reveal", _told(fleet)), self.match.reveal(self.accounts[seat], *fleet)
        return None


@pytest.mark.parametrize("games", [40, pytest.param(200, marks=pytest.mark.soak)])
def test_whole_games_agree_and_are_cheap(node: Node, artifact: Artifact, games: int) -> None:
    """Plays all games in one test, because each block contains moves of many games. The contract is
    new, so the test knows the numbers of the matches."""
    _, game = deploy_game(node, artifact)
    world = BattleshipWorld(node, game, games)
    world.open()
    for _ in range(ROUNDS):
        world.round()
        if not world.playing:
            break
        if not world.called:
            world.sleep()
    assert not world.playing
    world.withdraw()
    assert set(world.ends) == {"won", "resigned", "timeout", "cheating-proved"}, world.ends
    assert min(world.ends.values()) >= games // 20, world.ends
    whole = [table.gas for table in world.tables if len(table.gas) > 20]
    assert max(max(gas) for gas in whole) <= 62_000
    assert max(sum(gas) / len(gas) for gas in whole) <= 48_000
    assert max(world.reveals) <= 95_000
    assert len(world.reveals) > games


class BattleshipWorld:
    """All games. In each round, every game makes its next call, and a single block contains all
    these calls."""

    def __init__(self, node: Node, game: Contract, games: int) -> None:
        self.node, self.game, self.games = node, game, games
        self.rng = random.Random(2024)
        self.now = int(node.rpc("eth_getBlockByNumber", "latest", False)["timestamp"], 16)
        self.tables: list[BattleshipTable] = []
        self.called = self.blocks = 0
        self.reveals: list[int] = []
        self.ends: Counter[str] = Counter()

    @property
    def playing(self) -> list[BattleshipTable]:
        return [table for table in self.tables if table.match.status == PLAYING]

    def open(self) -> None:
        """Open all matches. Each seat has its own account, because Anvil assigns an account's
        nonces one at a time."""
        for number in range(1, self.games + 1):
            pair = (f"0x{number:02x}{'a' * 37}0", f"0x{number:02x}{'b' * 37}0")
            self.tables.append(self._table(number, (to_checksum_address(pair[0]), to_checksum_address(pair[1]))))
        self.node.batch([("anvil_setBalance", who, hex(10**20)) for table in self.tables for who in table.accounts])
        # Each call that opens a match needs its own block, because the order of these calls decides
        # the match numbers.
        for table in self.tables:
            match, commitment = table.match, sealed(table.players[0].ships, table.players[0].nonce)
            told = match.invite(table.accounts[0], commitment)
            self.now += 1
            self._block([(table, 0, ("invite", _terms(match, commitment)), told, match.stake)])
        self.now += 1
        calls = []
        for table in self.tables:
            commitment = sealed(table.players[1].ships, table.players[1].nonce)
            tile = table.players[1].shot({})
            told = table.match.accept(table.accounts[1], commitment, tile, self.now)
            calls.append((table, 1, ("accept", (commitment, tile)), told, table.match.stake))
        self._block(calls)

    def _table(self, number: int, pair: tuple[str, str]) -> BattleshipTable:
        opponent = self.rng.choice([NOBODY, pair[1]])
        match = BattleshipMatch(number, opponent, self.rng.choice([60, DAY, 9 * DAY]), NOBODY, self.rng.choice(STAKES))
        return BattleshipTable(match, pair, (self._player(number, 0), self._player(number, 1)))

    def _player(self, number: int, seat: int) -> Player:
        rng = random.Random(f"{number} {seat}")
        player = Player(rng, rng.choice(LEGAL).encode(), rng.randbytes(32), hunts=rng.random() < 0.8)
        kind = rng.random()
        if kind < 0.1:
            player.lies = rng.choice([0.02, 0.3, 1])
        elif kind < 0.18:
            player.gives_up = 0.05
        elif kind < 0.24:
            player.sleeps = 0.03
        elif kind < 0.3:
            player.ships = rng.choice(ILLEGAL).encode()
        player.silent = rng.random() < 0.1
        return player

    def round(self) -> None:
        self.now += 1
        calls = []
        for table in self.playing:
            if (turn := table.turn(self.now)) is not None:
                seat, call, told = turn
                calls.append((table, seat, call, told, 0))
        self.called = len(calls)
        self._block(calls)

    def sleep(self) -> None:
        """Advance the time until all clocks have run out, and claim the timeouts of all matches."""
        self.now = max(table.match.deadline for table in self.playing)
        self._block([(table, 0, ("claimTimeout", ()), table.match.timeout(self.now), 0) for table in self.playing])

    def withdraw(self) -> None:
        """Withdraw everything that the contract owes the players. Check that the contract's balance
        is zero after that."""
        self.now += 1
        calls = []
        for table in self.tables:
            for seat, account in enumerate(table.accounts):
                if table.match.due(seat):
                    calls.append((table, seat, ("withdraw", ()), table.match.withdraw(account), 0))
        self._block(calls)
        assert int(self.node.rpc("eth_getBalance", self.game.address, "latest"), 16) == 0

    def _block(self, calls: list[tuple[BattleshipTable, int, Call, Any, int]]) -> None:
        """Send the calls and mine them in one block. Check that their events and boards equal the
        events and boards of the model."""
        if not calls:
            return
        self.node.rpc("evm_setAutomine", False)
        digests = self.node.batch([self._transaction(*call) for call in calls])
        self.node.rpc("evm_setNextBlockTimestamp", self.now)
        self.node.rpc("evm_mine")
        self.node.rpc("evm_setAutomine", True)
        receipts = self.node.batch([("eth_getTransactionReceipt", digest) for digest in digests])
        for (table, _, call, told, _), raw in zip(calls, receipts, strict=True):
            assert raw is not None
            assert int(raw["status"], 16) == 1, (call, table.match.number)
            receipt = self.game.receipt(raw)
            assert [(event.match, event.name, event.args) for event in receipt.events] == [
                (table.match.number, *event) for event in told
            ]
            table.board = fold(GAME, table.board, receipt.events)
            self._count(table, call[0], receipt.gas)
        self.blocks += 1
        tables = {table.match.number: table for table, *_ in calls}
        if self.blocks % LOOK_EACH:
            tables = {number: table for number, table in tables.items() if table.match.status == FINISHED}
        if tables:
            self._look(tables)

    def _transaction(self, table: BattleshipTable, seat: int, call: Call, _told: Any, value: int) -> tuple[Any, ...]:
        name, args = call
        number = () if name == "invite" else (table.match.number,)
        return (
            "eth_sendTransaction",
            {
                "from": table.accounts[seat], "to": self.game.address, "data": self.game.data(name, *number, *args),
                "gas": hex(1_000_000), "value": hex(value),
            },
        )  # fmt: skip

    def _count(self, table: BattleshipTable, name: str, gas: int) -> None:
        if name == "move":
            table.gas.append(gas)
        elif name == "reveal":
            self.reveals.append(gas)
        if table.match.status == FINISHED and name != "withdraw":
            self.ends[table.board["reason"]] += 1

    def _look(self, tables: dict[int, BattleshipTable]) -> None:
        answers = self.node.batch([self.game.request("board", number) for number in tables])
        for table, answer in zip(tables.values(), answers, strict=True):
            assert view_of(self.game.result("board", answer)) == table.match.view()
            assert canonical(table.board) == canonical(table.match.board())


def _terms(match: BattleshipMatch, commitment: bytes) -> tuple[Any, ...]:
    return match.opponent, commitment, match.clock, match.token, match.stake


def _told(fleet: tuple[bytes, bytes, bytes]) -> tuple[str, bytes, str]:
    return fleet[0].decode(), fleet[1], fleet[2].decode()
