"""Plays many Touché Coulé matches between two players on 6 x 6 cells, and counts how many matches
each player wins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import sqrt

from contracts.artifacts import Artifact, load
from tests.contracts.support.anvil import AnvilNode
from tests.contracts.support.contract import Contract, Reverted, deploy, deploy_game
from tests.contracts.support.matches.touche_coule import DRAW, PLAYING, ToucheCouleTable
from tests.contracts.support.node import Node
from tests.support.compiled import SOURCES, compiled

SIDE = 6
ROUNDS = 20
"""The number of matches on one Anvil node. A node becomes slower as its chain grows."""
PATIENT_ROUNDS = 1
"""The number of matches on one Anvil node if each match takes hundreds of blocks."""
WAIT = 257
"""The number of blocks that a cheat mines to get beyond the reach of BLOCKHASH. At five
transactions per second, this takes about a minute."""


@dataclass
class Score:
    """The results of a contest. A win is a match that the player under test has won."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def matches(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """The share of matches that the player under test has won. A draw counts as half a win."""
        return (self.wins + self.draws / 2) / self.matches

    @property
    def spread(self) -> float:
        """The standard deviation of `share` if luck alone decides the matches. Draws make it
        smaller."""
        return 0.5 * sqrt((self.wins + self.losses) or 1) / self.matches

    def __str__(self) -> str:
        return (
            f"{self.wins:4} won {self.draws:4} drawn {self.losses:4} lost of {self.matches:4}:"
            f" {self.share:6.1%} (luck alone: 50.0% ± {self.spread:.1%})"
        )


def fixture(name: str) -> Artifact:
    return compiled(SOURCES / f"{name}.sol")


@contextmanager
def chain(number: int) -> Iterator[tuple[Node, Contract]]:
    """Start a chain with the game's contract. Chains with different numbers have different block
    hashes."""
    anvil = AnvilNode(3, "--prune-history", genesis=1_900_000_000 + 100_000 * number)
    try:
        yield anvil, deploy_game(anvil, load("ToucheCoule"))[1]
    finally:
        anvil.close()


Play = Callable[[Contract, bool], int]
"""A function that plays a match. The player under test has the second seat if the second argument
is True, and otherwise the first seat. Returns 1 for a win, 0 for a draw and -1 for a loss."""


def contest(matches: int, prepare: Callable[[Contract], Play], series: int = 0, rounds: int = ROUNDS) -> Score:
    """Play the matches, and return the score. The players swap seats after each match.

    A different number for `series` gives chains with different block hashes."""
    score = Score()
    for number in range((matches + rounds - 1) // rounds):
        with chain(1_000 * series + number) as (_, game):
            play = prepare(game)
            for turn in range(min(rounds, matches - number * rounds)):
                result = play(game, turn % 2 == 1)
                score.wins += result == 1
                score.draws += result == 0
                score.losses += result == -1
    return score


def captain(name: str) -> Callable[[Contract], Play]:
    """Return a function that `contest` can call to prepare the matches of a player. The player's
    two ships follow the named captain, and the opponent has two built-in ships.

    The player's account plays all turns while one of the player's ships is afloat."""

    def prepare(game: Contract) -> Play:
        address = deploy(game.node, load(name)).address

        def play(game: Contract, second: bool) -> int:
            table = ToucheCouleTable(game, SIDE, SIDE, captains=True)
            sides = [(0, address), (1, None)]
            for player, ship in reversed(sides) if second else sides:
                table.register(player, ship)
                table.register(player, ship)
            table.start()
            while table.view.status == PLAYING:
                table.turn(next(p for p in (0, 1) if _afloat(table, table.accounts[p])))
            return _result(table, table.accounts[0])

        return play

    return prepare


Strategy = Callable[["Duel"], None]
"""A function that acts for the cheat. It is called in the first block in which the next turn can be
played."""


def cheat(strategy: Strategy, opponent_active: bool = True) -> Callable[[Contract], Play]:
    """Return a function that `contest` can call to prepare the matches between a cheat with this
    strategy and an honest opponent.

    If the cheat doesn't play a turn, the opponent plays it, unless `opponent_active` is False."""

    def prepare(game: Contract) -> Play:
        player = deploy(game.node, fixture("Cheat"), game.address)
        return lambda game, second: Duel(ToucheCouleTable(game, SIDE, SIDE), player, opponent_active).play(
            strategy, second
        )

    return prepare


class Duel:
    """A match between a cheat, which acts through a contract, and account 1, which plays
    honestly."""

    def __init__(self, table: ToucheCouleTable, player: Contract, opponent_active: bool) -> None:
        self.table = table
        self.player = player
        self.opponent_active = opponent_active

    def play(self, strategy: Strategy, second: bool) -> int:
        table = self.table
        for cheating in (not second, second):
            for _ in range(2):
                if cheating:
                    self.do("register")
                else:
                    table.register(1)
        table.send(1, "turn", 0)
        while table.view.status == PLAYING:
            before = table.view
            table.node.mine(max(0, before.anchor + 1 - table.node.height))
            if _afloat(table, self.player.address):
                strategy(self)
            if table.view.ply == before.ply and table.view.anchor == before.anchor:
                self._play_opponent()
        return _result(table, self.player.address)

    def _play_opponent(self) -> None:
        if _afloat(self.table, self.table.accounts[1]) and self.opponent_active:
            self.table.send(1, "turn", self.table.view.ply)
        elif _afloat(self.table, self.player.address):
            self.do("play", self.table.view.ply)

    def do(self, function: str, *args: int) -> None:
        self.player.send(self.table.accounts[0], function, self.table.match, *args)

    def simulate(self, function: str = "play") -> int | None:
        """Simulate the next volley. Return the number of the opponent's ships that it sinks, minus
        the number of the cheat's ships that it sinks.

        Return None if the contract rejects the call."""
        try:
            score = self.player.call(function, self.table.match, self.table.view.ply, block="pending")
        except Reverted:
            return None
        return int(score)


def plays_honestly(duel: Duel) -> None:
    """Play the turn at once."""
    duel.do("play", duel.table.view.ply)


def moves_blindly(duel: Duel) -> None:
    """Change position whenever the contract allows it, without looking at the next volley."""
    try:
        duel.do("changePosition")
    except Reverted:
        duel.do("play", duel.table.view.ply)


def communicates(duel: Duel) -> None:
    """Communicate before each turn, without looking at the next volley."""
    with suppress(Reverted):
        duel.do("communicate")
    duel.do("play", duel.table.view.ply)


def reverts(duel: Duel) -> None:
    """Play through a contract that reverts every bad volley. After eight failed tries, leave the
    turn to the opponent."""
    for _ in range(8):
        try:
            duel.do("playIfLiked", duel.table.view.ply)
        except Reverted:
            continue
        return


def waits(duel: Duel) -> None:
    """Play at once unless the next volley is bad. If it is bad, mine blocks and simulate the volley
    again. Play only if the volley has changed."""
    before = duel.simulate()
    if before is not None and before < 0:
        duel.table.node.mine(WAIT)
        if duel.simulate() == before:
            return
    duel.do("play", duel.table.view.ply)


def moves(duel: Duel) -> None:
    """If the next volley is bad for the cheat, change position to get a different volley. Play only
    a good volley."""
    if (duel.simulate() or 0) < 0:
        try:
            duel.do("changePosition")
        except Reverted:
            return
    elif duel.simulate():
        duel.do("play", duel.table.view.ply)


def withholds(duel: Duel) -> None:
    """Share shots between the cheat's ships only if this makes the next volley better for the
    cheat. Then play the turn."""
    silent, told = duel.simulate(), duel.simulate("playAfterTalk")
    if told is not None and silent is not None and told > silent:
        duel.do("communicate")
    duel.do("play", duel.table.view.ply)


def _afloat(table: ToucheCouleTable, owner: str) -> bool:
    return any(ship.afloat and ship.owner == owner for ship in table.view.ships)


def _result(table: ToucheCouleTable, player: str) -> int:
    view = table.view
    if view.reason == DRAW:
        return 0
    return 1 if view.winner == player else -1
