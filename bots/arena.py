"""Matches of opponents without a chain: the game's rules yield the events of a move, its reducers fold them.

A seed repeats a match. Blocks come when somebody moves, with hashes of the seed; no clock runs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

import orjson

from bots.opponent import BadOpponents, Choice, excerpt, fault_of, seat_of
from bots.registry import Opponent, rules_of
from indexer.gamekit.game import Game, canonical, fold
from indexer.model import Event, Json
from indexer.rules.call import Call, CallBlock, IllegalMove, Rule

ACCOUNTS = tuple(f"0x{digit * 40}" for digit in "12")
MATCH = 1
MAX_CALLS = 5_000
"""A match that has not ended by then is drawn."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played. `winner`: 0, who opened it, or 1; None: nobody. `fault`: what a player did wrong."""

    winner: int | None
    board: Json
    fault: str = ""


def contest(game: Game, first: Opponent, second: Opponent, matches: int, seed: int) -> Iterator[tuple[int, Played]]:
    """The matches one by one, each with the first opponent's seat in it: 0 opens, and they take turns in that. Raises
    BadOpponents."""
    for number in range(matches):
        seat = number % 2
        pair = (first, second) if seat == 0 else (second, first)
        yield seat, play(game, pair, f"{seed}/{number}")


def play(game: Game, players: Sequence[Opponent], seed: str) -> Played:
    """One match, which the first of them opens. Raises BadOpponents when the game can't be played here."""
    rules = rules_of(game)
    if rules is None:
        raise BadOpponents(f"{game.title} is played on a chain alone: there is no indexer/rules of it")
    return _Table(game, rules, players, seed).play()


class _Fault(Exception):
    """An opponent did what none may; the message says what."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number = number


class _Table:
    """A match while it is played. Everybody draws from a source of its own: one's draws are not the other's."""

    def __init__(self, game: Game, rules: Rule, players: Sequence[Opponent], seed: str) -> None:
        self.game, self.rules, self.players, self.seed = game, rules, players, seed
        self.board, self.seq, self.height = game.start, 0, 1
        self.order = Random(seed)
        self.randoms = [Random(f"{seed}/{number}") for number in range(len(players))]
        self.secrets: dict[int, Json] = {}

    def play(self) -> Played:
        try:
            self._carry_out(0, self._asked(0, self._invitation))
            for _ in range(MAX_CALLS):
                if self.board["status"] not in ("open", "playing") or not self._is_moved():
                    break
        except _Fault as fault:
            who = f"{self.players[fault.number].name} ({ACCOUNTS[fault.number]})"
            return Played(1 - fault.number, self.board, f"{who} {fault}. The board: {canonical(self.board).decode()}")
        return Played(self._number_of("winner"), self.board)

    def _invitation(self) -> Choice:
        opponents = self.players[0].opponents
        return opponents.vary(opponents.invite(ACCOUNTS[1]), Random(f"{self.seed}/opened"))

    def _is_moved(self) -> bool:
        """Asks everybody, by lot, until somebody moves."""
        for number in self.order.sample(range(len(self.players)), len(self.players)):
            move = self._asked(number, partial(self._choice, number))
            if move is not None:
                self._carry_out(number, move)
                return True
        if (mover := self._number_of("mover")) is not None:
            raise _Fault(mover, "is to move and names no move")
        return False

    def _choice(self, number: int) -> Choice | None:
        return self.players[number].choose(self._copy(), self._seat(number), self.randoms[number])

    def _asked(self, number: int, ask: Callable[[], Choice | None]) -> Choice | None:
        """Its move, with what it alone knows."""
        secrets = self.players[number].opponents.secrets
        try:
            move = ask()
            if isinstance(move, Choice) and secrets is not None:
                if number not in self.secrets:
                    self.secrets[number] = secrets.draw(self.randoms[number])
                move = secrets.complete(self._copy(), self._seat(number), move, self.secrets[number])
        except (Exception, SystemExit) as error:
            raise _Fault(number, f"raised {excerpt(f'{type(error).__name__}: {error}')}") from error
        if wrong := fault_of(move):
            raise _Fault(number, wrong)
        return move

    def _carry_out(self, number: int, move: Choice | None) -> None:
        if move is None:
            raise _Fault(number, "opens no match")
        self.height += 2  # past the block that decides, where one does
        block = CallBlock(self.height, self.height, self._drawn(-self.height), lambda at: self._drawn(at).to_bytes(32))
        try:
            call = Call(ACCOUNTS[number], move.action, move.arguments, MATCH, MATCH + 1, block)
            emitted = self.rules(self.board, call)
        except IllegalMove as error:
            arguments = ", ".join(f"{name}={value!r}" for name, value in move.arguments.items())
            raise _Fault(
                number, f"answered {excerpt(f'{move.action}({arguments})')}, which is illegal: {error}"
            ) from error
        for name, args in emitted:
            self.seq += 1
            event = Event(self.game.slug, MATCH, self.seq, name, args, self.height, "", self.height, "", 0)
            self.board = fold(self.game, self.board, [event])

    def _drawn(self, height: int) -> int:
        """The hash of a block, as a number."""
        return int.from_bytes(hashlib.sha256(f"{self.seed}/{height}".encode()).digest())

    def _copy(self) -> Json:
        """Of the board: what an opponent does to it changes nothing."""
        copy: Json = orjson.loads(orjson.dumps(self.board))
        return copy

    def _seat(self, number: int) -> int:
        return seat_of(self.board, ACCOUNTS[number])

    def _number_of(self, role: str) -> int | None:
        """Which player is the mover, or the winner."""
        return ACCOUNTS.index(self.board[role]) if role in self.board else None
