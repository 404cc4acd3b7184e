"""A model of a Deblockle match that follows the game's rules and is independent of our code.

`deblockle_board.py` models the cubes. Each action takes the sender, and the block's time if it
matters. The action either raises the error with which the contract must reject the call, or plays
the call and returns the events that the contract must emit, as (name, args), in order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.contracts.models.deblockle_board import SET_UPS, STAR, STARS, CubeBoard, Square, cell, mask, on_board, rolled
from tests.contracts.models.deblockle_streams import Streams

ZERO = "0x" + 40 * "0"
NONE, OPEN, PLAYING, FINISHED, CANCELLED = range(5)
WON, DRAW, RESIGNED, TIMEOUT, CLOSED = 1, 2, 3, 4, 6
STATUS = {OPEN: "open", PLAYING: "playing", FINISHED: "finished", CANCELLED: "cancelled"}
REASON = {WON: "won", DRAW: "draw", RESIGNED: "resigned", TIMEOUT: "timeout", CLOSED: "cancelled"}
MONTH = 30 * 24 * 60 * 60

Events = list[tuple[str, dict[str, Any]]]
Terms = tuple[int, int, str, int, int, int]


class DeblockleRevert(Exception):
    @property
    def error(self) -> tuple[Any, ...]:
        return self.args


@dataclass
class DeblockleMatch:
    """A Deblockle match.

    - `seats`: the creator, and the opponent who has joined or is invited. The zero address means
      that there is no opponent yet.
    - `keys`: the account of each session key.
    - `others`: the earlier matches of which this match can be a rematch.
    """

    number: int
    seats: list[str]
    size: int
    ruleset: int
    token: str
    stake: int
    rate: int
    clock: int
    rematch_of: int = 0
    keys: Mapping[str, str] = field(default_factory=dict)
    others: Mapping[int, DeblockleMatch] = field(default_factory=dict)
    status: int = NONE
    reason: int = 0
    seq: int = 0
    ply: int = 0
    winner: int | None = None
    invited: str = ZERO
    last: dict[str, Any] | None = None

    # ---- the start of a match

    def create(self, sender: str, value: int) -> Events:
        account = self.keys.get(sender, sender)
        if self.stake and sender != account:
            raise DeblockleRevert("KeyCantPay", sender)
        if self.size not in SET_UPS:
            raise DeblockleRevert("BadCubes", self.size)
        if self.ruleset > 1:
            raise DeblockleRevert("BadRuleset", self.ruleset)
        if (self.rate == 0) != (self.stake == 0) or (self.rate and self.stake / self.rate < 60):
            raise DeblockleRevert("BadRate", self.rate, self.stake // 60)
        if self.rematch_of:
            before = self.others.get(self.rematch_of)
            if before is None:
                raise DeblockleRevert("NoSuchMatch", self.rematch_of)
            if before.status != FINISHED or sorted(before.seats) != sorted([account, self.seats[1]]):
                raise DeblockleRevert("BadRematch", self.rematch_of)
        if account == self.seats[1]:
            raise DeblockleRevert("SamePlayer", account)
        shortest = 60 if self.stake else 30 if self.clock else 0
        if not shortest <= self.clock <= MONTH:
            raise DeblockleRevert("BadClock", self.clock, shortest, MONTH)
        self._require_value(value)
        self.token = self.token if self.stake else ZERO
        self.seats[0], self.invited, self.status = account, self.seats[1], OPEN
        self.cubes = CubeBoard.begun(self.size, self.ruleset)
        self.streams = Streams(self.stake, self.rate)
        created = {"creator": account, "opponent": self.invited, "clock": self.clock, "rematchOf": self.rematch_of}
        terms = {"cubes": self.size, "ruleset": self.ruleset, "token": self.token}
        return self._emit(
            ("MatchCreated", created),
            ("PlayerJoined", {"player": account, "seat": 0}),
            ("GameCreated", {**terms, "stake": str(self.stake), "rate": str(self.rate)}),
        )

    @property
    def terms(self) -> Terms:
        return self.size, self.ruleset, self.token, self.stake, self.rate, self.clock

    def join(self, sender: str, terms: Terms, value: int, now: int) -> Events:
        account, (token, stake) = self.keys.get(sender, sender), terms[2:4]
        self._require_status(OPEN)
        if account == self.seats[0]:
            raise DeblockleRevert("SamePlayer", account)
        if self.invited not in (ZERO, account):
            raise DeblockleRevert("NotInvited", self.number, account, self.invited)
        if self.stake and sender != account:
            raise DeblockleRevert("KeyCantPay", sender)
        if token != self.token:
            raise DeblockleRevert("WrongToken", token, self.token)
        if stake != self.stake:
            raise DeblockleRevert("WrongStake", stake, self.stake)
        if terms != self.terms:
            raise DeblockleRevert("OtherTerms", self.size, self.ruleset, self.rate, self.clock)
        self._require_value(value)
        self.seats[1], self.status = account, PLAYING
        self.streams.begin(1, now)
        return self._emit(("PlayerJoined", {"player": account, "seat": 1}), ("MatchStarted", {}), self._turn())

    def cancel(self, sender: str) -> Events:
        self._require_status(OPEN)
        if self.account(sender) != self.seats[0]:
            raise DeblockleRevert("NotTheInviter", self.number, self.account(sender), self.seats[0])
        return self._emit(self._end(None, CLOSED))

    # ---- moves

    def move(self, sender: str, ply: int, start: Square, end: Square, now: int) -> Events:
        self._require_turn(sender, ply)
        cubes, seat = self.cubes, self.cubes.mover
        for square in (start, end):
            if not on_board(square):
                raise DeblockleRevert("OffBoard", *square)
        number = cubes.on(start)
        if number is None:
            raise DeblockleRevert("EmptySquare", *start)
        if number // 4 != seat:
            raise DeblockleRevert("NotYourCube", *start)
        if end == STARS[1 - seat]:
            raise DeblockleRevert("RivalsStar", *end)
        if cubes.hopper not in (None, number):
            raise DeblockleRevert("WrongPhase", *cubes.cubes[cubes.hopper].square)
        if cubes.on(end) is not None:
            raise DeblockleRevert("SquareTaken", *end)
        kind = "roll" if cubes.hopper is None else "hop"
        events = (self._roll if kind == "roll" else self._hop)(number, start, end, now)
        self.last = {"kind": kind, "cube": number, "from": cell(start), "to": cell(end), "by": self.seats[seat]}
        return events

    def _roll(self, number: int, start: Square, end: Square, now: int) -> Events:
        cubes, seat = self.cubes, self.cubes.mover
        direction = cubes.direction(start, end)
        if direction is None:
            raise DeblockleRevert("NotBeside", *end)
        faces = rolled(cubes.cubes[number].faces, direction)
        if (faces[0] == STAR) != (end == STARS[seat]):
            raise DeblockleRevert("StarOffSquare", faces[0], *end)
        removed = cubes.roll(number, direction)
        hops = 0 if removed or cubes.hopper is None else mask(cubes.hops(number))
        up, front, right = faces
        args = self._args(seat, number, start, end) | {"up": up, "front": front, "right": right, "hops": str(hops)}
        events = [("Rolled", args)]
        if removed:
            left = len(cubes.owned(seat))
            events.append(("Removed", {"player": self.seats[seat], "cube": number, "left": left}))
        return self._emit(*events, *self._after(seat, now))

    def _hop(self, number: int, start: Square, end: Square, now: int) -> Events:
        cubes, seat = self.cubes, self.cubes.mover
        if end not in cubes.hops(number):
            raise DeblockleRevert("BadHop", cubes.cubes[number].up, *end)
        args = self._args(seat, number, start, end)
        cubes.hop(end)
        return self._emit(("Hopped", args), *self._after(seat, now))

    def skip(self, sender: str, ply: int, now: int) -> Events:
        self._require_turn(sender, ply)
        cubes, seat = self.cubes, self.cubes.mover
        if not cubes.may_pass():
            raise DeblockleRevert("MoveRequired", self.number)
        phase = 0 if cubes.hopper is None else 1
        cubes.skip()
        self.last = {"kind": "pass", "by": self.seats[seat]}
        passed = ("Passed", {"ply": self.ply, "player": self.seats[seat], "phase": phase})
        return self._emit(passed, *self._after(seat, now))

    def _after(self, seat: int, now: int) -> Events:
        """Count a ply that this seat has played. Return the events after the ply's own event: for
        example, the streamed seconds and the end of the match."""
        self.ply += 1
        if self.cubes.won:
            return [*self._stream(now), self._end(seat, WON)]
        if self.cubes.drawn:
            return [*self._stream(now), self._end(None, DRAW)]
        if self.cubes.mover == seat:
            return []
        streamed = self._stream(now)
        self.streams.begin(seat, now)
        return [*streamed, self._turn()]

    # ---- the end of a match

    def resign(self, sender: str, now: int) -> Events:
        self._require_playing()
        winner = 1 - self.seat(sender)
        return self._emit(*self._stream(now), self._end(winner, RESIGNED))

    def claim_timeout(self, now: int) -> Events:
        self._require_playing()
        if not self.clock:
            raise DeblockleRevert("NoClock", self.number)
        if now < self.deadline:
            raise DeblockleRevert("NotExpired", now, self.deadline)
        winner = 1 - self.cubes.mover
        return self._emit(*self._stream(now), self._end(winner, TIMEOUT))

    # ---- money

    @property
    def deadline(self) -> int:
        if self.status != PLAYING or not self.clock:
            return 0
        late = self.streams.start + self.clock
        return min(late, self.streams.runs_dry) if self.stake else late

    def earned(self, seat: int, now: int) -> int:
        if self.status == CANCELLED:
            return self.stake if seat == 0 else 0
        if self.status == FINISHED and self.reason == DRAW:
            return self.stake
        if self.status == FINISHED and self.winner == seat:
            return 2 * self.stake - self.streams.refunded(1 - seat, now)
        return 0 if self.status == OPEN else self.streams.refunded(seat, now)

    def withdraw(self, sender: str, now: int) -> Events:
        if sender not in self.seats:
            raise DeblockleRevert("NotAPlayer", self.number, sender)
        seat = self.seats.index(sender)
        amount = self.earned(seat, now) - self.streams.withdrawn[seat]
        if not amount:
            raise DeblockleRevert("NothingDue", self.number, sender)
        self.streams.withdrawn[seat] += amount
        return self._emit(("Withdrawn", {"account": sender, "token": self.token, "amount": str(amount)}))

    def _stream(self, now: int) -> Events:
        """End a turn, and add its seconds to the total of the player who waited. Return the event
        if the match has a stake."""
        seat = self.streams.stop(now)
        total = {"player": self.seats[seat], "total": self.streams.seconds[seat]}
        return [("Streamed", total)] if self.stake else []

    # ---- accounts and rejections

    def account(self, sender: str) -> str:
        return sender if sender in self.seats else self.keys.get(sender, sender)

    def seat(self, sender: str) -> int:
        account = self.account(sender)
        if account not in self.seats:
            raise DeblockleRevert("NotAPlayer", self.number, account)
        return self.seats.index(account)

    def _require_status(self, status: int) -> None:
        if self.status != status:
            raise DeblockleRevert("WrongStatus", self.number, self.status, status)

    def _require_playing(self) -> None:
        if self.status == OPEN:
            raise DeblockleRevert("NotStarted", self.number)
        self._require_status(PLAYING)

    def _require_turn(self, sender: str, ply: int) -> None:
        self._require_playing()
        mover = self.seats[self.cubes.mover]
        if sender != mover:
            account = self.seats[self.seat(sender)]
            if ply == self.ply and account != mover:
                raise DeblockleRevert("NotYourTurn", self.number, account, mover)
        if ply != self.ply:
            raise DeblockleRevert("StaleMove", self.ply, ply)

    def _require_value(self, value: int) -> None:
        """Check the ether sent with a deposit. It must equal the stake, or be zero if the stake is
        in tokens."""
        needed = self.stake if self.token == ZERO or not self.stake else 0
        if value != needed:
            raise DeblockleRevert("BadDeposit", ZERO, needed, value)

    # ---- events

    def _args(self, seat: int, number: int, start: Square, end: Square) -> dict[str, Any]:
        corners = {"fromX": start[0], "fromY": start[1], "toX": end[0], "toY": end[1]}
        return {"ply": self.ply, "player": self.seats[seat], "cube": number, **corners}

    def _turn(self) -> tuple[str, dict[str, Any]]:
        seat = self.cubes.mover
        return "TurnChanged", {"player": self.seats[seat], "rolls": self.cubes.roll_mask(seat)}

    def _end(self, winner: int | None, reason: int) -> tuple[str, dict[str, Any]]:
        self.status = CANCELLED if reason == CLOSED else FINISHED
        self.winner, self.reason = winner, reason
        return "MatchEnded", {"winner": ZERO if winner is None else self.seats[winner], "reason": reason}

    def _emit(self, *events: tuple[str, dict[str, Any]]) -> Events:
        self.seq += len(events)
        return list(events)
