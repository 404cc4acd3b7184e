"""Tests that Deblockle's contract, reducer and model agree after every step of a match.

A step is a legal or an illegal call. Hypothesis chooses the steps. The model is a second
implementation of the rules, and the reducer makes the index's board from the events.

- Given an open or a personal invitation, in either ruleset, with 1 to 4 cubes per player, with or
  without a clock and a stake
  - When anybody makes any legal or illegal call at any time
    - The contract should reject an illegal call with exactly the error that the model predicts
    - A legal call should emit exactly the events that the model predicts, numbered without gaps
    - The contract's views, the reducer's board and the model's board should be the same
    - The contract should hold exactly the ether that was deposited and not paid out
"""

from __future__ import annotations

import random

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from tests.contracts.deblockle.machine import GUEST, GUESTS_KEY, HOST, OTHER, DeblockleMachine
from tests.contracts.models.deblockle import MONTH, OPEN, PLAYING, DeblockleMatch, DeblockleRevert
from tests.contracts.models.deblockle_board import STARS, STEPS, Square
from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.hypothesis_settings import QUARTER, explore
from tests.contracts.support.matches.deblockle import NOBODY, SHEET_GAME
from tests.contracts.support.node import Node
from tests.contracts.support.session_keys import players_with_keys

CONTRACT = "Deblockle"
OFTEN = {
    "MatchCreated", "PlayerJoined", "GameCreated", "MatchStarted", "Rolled", "Hopped", "Removed", "Passed",
    "TurnChanged", "Streamed", "MatchEnded", "Withdrawn", "won", "draw", "resigned", "timeout", "cancelled",
    "WrongStatus", "NotStarted", "NotAPlayer", "NotYourTurn", "StaleMove", "SamePlayer", "NotInvited", "NotTheInviter",
    "BadClock", "NoClock", "NotExpired", "BadCubes", "BadRuleset", "BadRate", "BadRematch", "NoSuchMatch", "WrongToken",
    "WrongStake", "OtherTerms", "BadDeposit", "KeyCantPay", "NothingDue", "OffBoard", "EmptySquare", "NotYourCube",
    "RivalsStar", "WrongPhase", "SquareTaken", "NotBeside", "StarOffSquare", "BadHop", "MoveRequired",
}  # fmt: skip
TERMS = ["cubes", "ruleset", "token", "stake", "rate", "clock"]
ENTRIES = ["join", "cancel", "makeMove", "passMove", "resign", "claimTimeout", "withdraw"]
MOST = 2**96 - 1

senders = st.integers(HOST, GUESTS_KEY)
squares = st.tuples(st.integers(0, 8), st.integers(0, 8))
pauses = st.sampled_from([1, 1, 7, 61])
"""Possible numbers of seconds until the next block."""


class AnyInterleaving(DeblockleMachine):
    @initialize(cubes=st.integers(1, 4), ruleset=st.integers(0, 1))
    def begin(self, cubes: int, ruleset: int) -> None:
        self.begin_at_head()
        self._create(HOST, self._new(NOBODY, cubes, ruleset, 1000, 2, 3600, 0))
        self._join(GUEST)

    @precondition(lambda self: self.match.status not in (OPEN, PLAYING))
    @rule(
        named=st.booleans(),
        cubes=st.sampled_from([1, 1, 2, 3, 4]),
        ruleset=st.integers(0, 1),
        clock=st.sampled_from([0, 0, 30, 60, MONTH]),
        terms=st.sampled_from([(0, 0), (0, 0), (60, 1), (1000, 2), (MOST, MOST // 60), (10**18 + 1, 10**15)]),
        again=st.booleans(),
        start=st.booleans(),
    )
    def open(
        self, named: bool, cubes: int, ruleset: int, clock: int, terms: tuple[int, int], again: bool, start: bool
    ) -> None:
        """Open the next match, after the current match has ended. If `again` is True and a rematch
        is possible, open a rematch."""
        rematch = self.match.number if again and named and self.match.seats[1] == self.senders[GUEST] else 0
        opponent = self.senders[GUEST] if named else NOBODY
        clock = max(clock, 60) if terms[0] else clock
        self._create(HOST, self._new(opponent, cubes, ruleset, *terms, clock, rematch))
        if start:
            self._join(GUEST)

    # ---- sensible calls by players

    @precondition(lambda self: self.match.status == OPEN)
    @rule(
        sender=st.sampled_from([GUEST, GUEST, GUESTS_KEY, OTHER]),
        wrong=st.sampled_from([*[""] * 18, *TERMS, "stake", "stake"]),
        more=st.sampled_from([0, 0, 1]),
    )
    def join(self, sender: int, wrong: str, more: int) -> None:
        self._join(sender, wrong, more)

    @precondition(lambda self: self.match.status == OPEN)
    @rule(sender=senders)
    def cancel(self, sender: int) -> None:
        self._enter("cancel", sender)

    @precondition(lambda self: self.match.status == PLAYING)
    @rule(seed=st.integers(0, 1000), plies=st.sampled_from([1, 2, 3, 30]), pause=pauses, by_key=st.booleans())
    def moves(self, seed: int, plies: int, pause: int, by_key: bool) -> None:
        rng = random.Random(seed)
        for _ in range(plies):
            if self.match.status == PLAYING:
                self.time += rng.choice([0, pause])
                self._legal(rng, by_key)

    @precondition(lambda self: self.match.status == PLAYING and self.match.ply == 0)
    @rule(plies=st.sampled_from([3, 7, 10]), pause=pauses)
    def the_sheets_game(self, plies: int, pause: int) -> None:
        """Play the first plies of the example match in the game's rules. The example has one cube
        per player and the ruleset Near. In other matches, one of its moves is soon rejected."""
        for start, end, _ in SHEET_GAME[:plies]:
            if self.match.status == PLAYING:
                self.time += pause
                self._move(self.player(), 0, start, end)

    @precondition(lambda self: self.match.status == PLAYING)
    @rule(times=st.sampled_from([1, 2, 6]), pause=pauses)
    def let_go_by(self, times: int, pause: int) -> None:
        for _ in range(times):
            if self.match.status == PLAYING:
                self.time += pause
                self._pass(self.player(), 0)

    @precondition(lambda self: self.match.status == PLAYING)
    @rule(
        kind=st.sampled_from(["star", "aside", "taken", "starry", "other", "rival", "hop"]), seed=st.integers(0, 1000)
    )
    def blunder(self, kind: str, seed: int) -> None:
        """Try a move that is similar to a legal move. By chance, it can be legal itself."""
        rng, cubes = random.Random(seed), self.match.cubes
        seat = cubes.mover
        taken = [cube.square for cube in cubes.cubes.values()]
        rivals = [cubes.cubes[number].square for number in cubes.owned(1 - seat)]
        own = [cubes.cubes[number].square for number in cubes.owned(seat)]
        start = cubes.cubes[cubes.hopper].square if cubes.hopper is not None else rng.choice(own)
        dx, dy = rng.choice(STEPS)
        beside = start[0] + dx, start[1] + dy
        start, end = {
            "star": (start, STARS[1 - seat]),
            "aside": (start, (rng.randint(1, 7), rng.randint(1, 7))),
            "taken": (start, rng.choice(taken)),
            "starry": (start, beside),
            "other": (rng.choice(own), beside),
            "rival": (rng.choice(rivals), start),
            "hop": (start, STARS[seat]),
        }[kind]
        self._move(self.player(), 0, start, end)

    @precondition(lambda self: self.match.status == PLAYING and self.match.size > 1)
    @rule(seed=st.integers(0, 1000))
    def another_cube(self, seed: int) -> None:
        """After the roll of one cube, try to hop with another cube."""
        rng, cubes = random.Random(seed), self.match.cubes
        if cubes.hopper is None:
            self._legal(rng, False)
        others = [number for number in cubes.owned(cubes.mover) if number != cubes.hopper]
        if cubes.hopper is not None and others and self.match.status == PLAYING:
            x, y = cubes.cubes[rng.choice(others)].square
            self._move(self.player(), 0, (x, y), (x, y - 1 if y > 1 else 2))

    @precondition(lambda self: self.match.status == PLAYING)
    @rule(sender=senders)
    def resign(self, sender: int) -> None:
        self._enter("resign", sender)

    @precondition(lambda self: self.match.status == PLAYING)
    @rule(sender=senders, late=st.sampled_from([-1, 0, 1, 100_000]))
    def wait(self, sender: int, late: int) -> None:
        """Claim the timeout one second before the deadline, at the deadline, or later."""
        if self.match.deadline:
            self.time = max(self.time, self.match.deadline + late - 1)
        self._enter("claimTimeout", sender)

    @rule(sender=st.sampled_from([HOST, GUEST, HOST, GUEST, OTHER, GUESTS_KEY]), pause=pauses)
    def withdraw(self, sender: int, pause: int) -> None:
        self.time += pause
        self._enter("withdraw", sender)

    # ---- calls by anybody at any time

    @rule(sender=senders, ahead=st.sampled_from([0, 0, 0, 1, -1, 1000]), start=squares, end=squares)
    def meddle_with_a_move(self, sender: int, ahead: int, start: Square, end: Square) -> None:
        self._move(sender, ahead, start, end)

    @rule(sender=senders, ahead=st.sampled_from([0, 0, 1]))
    def meddle_with_a_pass(self, sender: int, ahead: int) -> None:
        self._pass(sender, ahead)

    @rule(sender=senders, wrong=st.sampled_from(["", *TERMS]), more=st.sampled_from([0, 1]))
    def meddle_with_a_seat(self, sender: int, wrong: str, more: int) -> None:
        self._join(sender, wrong, more)

    @rule(sender=senders, entry=st.sampled_from(["cancel", "resign", "claimTimeout", "withdraw"]))
    def meddle(self, sender: int, entry: str) -> None:
        self._enter(entry, sender)

    @rule(
        sender=senders,
        opponent=senders,
        cubes=st.sampled_from([0, 1, 4, 5]),
        ruleset=st.sampled_from([0, 1, 2]),
        clock=st.sampled_from([0, 29, 30, 59, 60, MONTH + 1]),
        terms=st.sampled_from([(0, 0), (0, 1), (60, 0), (59, 1), (60, 1), (1000, 17)]),
        rematch=st.sampled_from([0, 0, 1, 2]),
        more=st.integers(0, 1),
    )
    def bad_invitation(
        self, sender: int, opponent: int, cubes: int, ruleset: int, clock: int, terms: tuple[int, int], rematch: int,
        more: int,
    ) -> None:  # fmt: skip
        """Send an invitation, but only if the model rejects it. A valid invitation would open
        another match."""
        before = [0, self.match.number, 4_000_000][rematch]
        self._refused_invitation(sender, self._new(self.senders[opponent], cubes, ruleset, *terms, clock, before), more)

    @rule(sender=senders, opponent=senders)
    def bad_rematch(self, sender: int, opponent: int) -> None:
        """Try to open a rematch of a match that is not over, or a rematch with different
        players."""
        self._refused_invitation(sender, self._new(self.senders[opponent], 1, 0, 0, 0, 0, self.match.number))

    def _refused_invitation(self, sender: int, match: DeblockleMatch, more: int = 0) -> None:
        call, value = self._invitation(match), match.stake + more
        try:
            match.create(self.senders[sender], value)
        except DeblockleRevert as revert:
            self.expect_revert(self.senders[sender], call, Reverted(*revert.error), value, time=self.time)

    @rule(sender=senders, entry=st.sampled_from(["board", "gameState", "status", "streamed", "seqOf", *ENTRIES]))
    def unknown_match(self, sender: int, entry: str) -> None:
        more = {"join": (1, 0, NOBODY, 0, 0, 0), "makeMove": (0, 1, 1, 1, 1), "passMove": (0,)}.get(entry, ())
        self.no_such_match(self.senders[sender], entry, *more)


@QUARTER
def test_contract_reducer_and_model_agree(node: Node, game: Contract, sessions: Contract, share: float) -> None:
    people = players_with_keys(node, game, sessions, seats=2)
    explore(AnyInterleaving, OFTEN, 200 if share < 1 else 500, 40, share, node=node, game=game, senders=people)
