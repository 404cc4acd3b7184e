"""Plays matches between computer players without a chain.

The game's rules turn each move into events, and the game's reducer applies the events to the board.
The same players and the same seed give the same match. Each move gets a new block. The block's hash
depends only on the seed and the block's height. Players' clocks never run out."""

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
"""The maximum number of contract calls in a match. If a match isn't over after this number of
calls, it counts as a draw."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A finished match. `winner` is 0 for the player who opened the match, 1 for their opponent,
    and None for a draw. `board` is the last board. If a player's mistake ended the match, `fault`
    describes the mistake."""

    winner: int | None
    board: Json
    fault: str = ""


def play_matches(
    game: Game, first: Opponent, second: Opponent, matches: int, seed: int
) -> Iterator[tuple[int, PlayedMatch]]:
    """Play matches between two computer players. For each match, yield the seat of player `first`
    and the finished match. The players take turns opening the matches. The player who opens a match
    has seat 0. Raises BadOpponents if the game can't be played without a chain."""
    for number in range(matches):
        seat = number % 2
        pair = (first, second) if seat == 0 else (second, first)
        yield seat, play(game, pair, f"{seed}/{number}")


def play(game: Game, players: Sequence[Opponent], seed: str) -> PlayedMatch:
    """Play one match, which the first of the players opens. Raises BadOpponents if the game can't
    be played without a chain."""
    rules = rules_of(game)
    if rules is None:
        raise BadOpponents(f"{game.title} can only be played on a chain: it has no rules in indexer/rules")
    return _ArenaMatch(game, rules, players, seed).play()


class _Fault(Exception):
    """A computer player made a mistake that ends the match. The message describes the mistake.
    `number` is 0 or 1, the player's index."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number = number


class _ArenaMatch:
    """A running match. Each player has its own random generator, so one player's random choices
    don't influence the other player's."""

    def __init__(self, game: Game, rules: Rule, players: Sequence[Opponent], seed: str) -> None:
        self.game, self.rules, self.players, self.seed = game, rules, players, seed
        self.board, self.seq, self.height = game.start, 0, 1
        self.order = Random(seed)
        self.randoms = [Random(f"{seed}/{number}") for number in range(len(players))]
        self.secrets: dict[int, Json] = {}

    def play(self) -> PlayedMatch:
        try:
            self._carry_out(0, self._checked_move(0, self._invitation))
            for _ in range(MAX_CALLS):
                if self.board["status"] not in ("open", "playing") or not self._play_next_move():
                    break
        except _Fault as fault:
            who = f"{self.players[fault.number].name} ({ACCOUNTS[fault.number]})"
            return PlayedMatch(
                1 - fault.number, self.board, f"{who} {fault}. The board: {canonical(self.board).decode()}"
            )
        return PlayedMatch(self._number_of("winner"), self.board)

    def _invitation(self) -> Choice:
        opponents = self.players[0].opponents
        return opponents.vary(opponents.invite(ACCOUNTS[1]), Random(f"{self.seed}/opened"))

    def _play_next_move(self) -> bool:
        """Ask the players, in random order, for a move. Carry out the first move that a player
        returns. If no player returns a move, return False. Raises _Fault if a player who has to
        move returns no move."""
        for number in self.order.sample(range(len(self.players)), len(self.players)):
            move = self._checked_move(number, partial(self._choice, number))
            if move is not None:
                self._carry_out(number, move)
                return True
        if (mover := self._number_of("mover")) is not None:
            raise _Fault(mover, "has to move but returned no move")
        return False

    def _choice(self, number: int) -> Choice | None:
        return self.players[number].choose(self._copy(), self._seat(number), self.randoms[number])

    def _checked_move(self, number: int, choose: Callable[[], Choice | None]) -> Choice | None:
        """Return a player's move. If the game has secrets, complete the move with the player's
        secret. Raises _Fault if the move isn't valid or the player raises an exception."""
        secrets = self.players[number].opponents.secrets
        try:
            move = choose()
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
            raise _Fault(number, "returned no move to open the match")
        self.height += 2  # in games with chance, the hash of the skipped block decides a random draw
        block = CallBlock(self.height, self.height, self._drawn(-self.height), lambda at: self._drawn(at).to_bytes(32))
        try:
            call = Call(ACCOUNTS[number], move.action, move.arguments, MATCH, MATCH + 1, block)
            emitted = self.rules(self.board, call)
        except IllegalMove as error:
            arguments = ", ".join(f"{name}={value!r}" for name, value in move.arguments.items())
            raise _Fault(
                number, f"returned {excerpt(f'{move.action}({arguments})')}, which is illegal: {error}"
            ) from error
        for name, args in emitted:
            self.seq += 1
            event = Event(self.game.slug, MATCH, self.seq, name, args, self.height, "", self.height, "", 0)
            self.board = fold(self.game, self.board, [event])

    def _drawn(self, height: int) -> int:
        """Return the simulated hash of the block at a height, as a number."""
        return int.from_bytes(hashlib.sha256(f"{self.seed}/{height}".encode()).digest())

    def _copy(self) -> Json:
        """Return a copy of the board for a player, so that a player that changes its board doesn't
        change the match."""
        copy: Json = orjson.loads(orjson.dumps(self.board))
        return copy

    def _seat(self, number: int) -> int:
        return seat_of(self.board, ACCOUNTS[number])

    def _number_of(self, role: str) -> int | None:
        """Return the index (0 or 1) of the player that the board names under a role, such as
        `mover` or `winner`. Return None if the board doesn't name a player for the role."""
        return ACCOUNTS.index(self.board[role]) if role in self.board else None
