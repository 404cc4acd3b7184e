"""A model of Tic-tac-toe that follows the game's rules and is independent of our code.

The model uses rows of cells instead of bit masks. Each action takes the account that acts, and the
block's time if it matters. The action either raises the error with which the contract must reject
the call, or plays the call and returns the events that the contract must emit, as (match, name,
args), in order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

ZERO = "0x" + 40 * "0"
OPEN, PLAYING, FINISHED, CANCELLED = 1, 2, 3, 4
WON, DRAW, RESIGNED, TIMEOUT, GIVEN_UP = 1, 2, 3, 4, 6
STATUS = {OPEN: "open", PLAYING: "playing", FINISHED: "finished", CANCELLED: "cancelled"}
REASON = {WON: "won", DRAW: "draw", RESIGNED: "resigned", TIMEOUT: "timeout", GIVEN_UP: "cancelled"}
MONTH = 30 * 24 * 60 * 60

Events = list[tuple[int, str, dict[str, Any]]]


class TicTacToeRevert(Exception):
    @property
    def error(self) -> tuple[Any, ...]:
        return self.args


def lines() -> list[list[tuple[int, int]]]:
    """Return all lines of three cells on the board: rows, columns and diagonals."""
    found = []
    for row in range(3):
        for column in range(3):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + step * down, column + step * right) for step in range(3)]
                if all(r in range(3) and c in range(3) for r, c in line):
                    found.append(line)
    return found


@dataclass
class TicTacToeMatch:
    number: int
    seats: list[str]
    """The host and the challenger. In an open match, the seat that is still free has the address of
    the invited player, or the zero address if anybody can accept."""
    opener: int
    clock: int
    rematch_of: int = 0
    status: int = OPEN
    reason: int = 0
    seq: int = 2
    deadline: int = 0
    rows: list[list[int]] = field(default_factory=lambda: [[0] * 3 for _ in range(3)])
    moves: list[tuple[int, int]] = field(default_factory=list)
    line: list[int] = field(default_factory=list)
    winner: str = ZERO
    offered_by: str = ZERO
    rematch: int = 0
    invited: str = ZERO

    def __post_init__(self) -> None:
        self.invited = self.seats[1 - self.opener]

    @property
    def creator(self) -> str:
        return self.seats[self.opener]

    @property
    def mover(self) -> str:
        return self.seats[len(self.moves) % 2]

    def other(self, account: str) -> str:
        return self.seats[1 - self.seats.index(account)]

    def full_lines(self, mark: int) -> list[int]:
        """Return the sorted cells of all complete lines with this mark."""
        won = {cell for line in lines() if all(self.rows[r][c] == mark for r, c in line) for cell in line}
        return sorted(3 * row + column for row, column in won)

    def mask(self, mark: int) -> int:
        return sum(2 ** (3 * r + c) for r in range(3) for c in range(3) if self.rows[r][c] == mark)

    # ---- views

    def view(self) -> tuple[Any, ...]:
        """Return the value that the contract's `board` should return."""
        mover = self.mover if self.status == PLAYING else ZERO
        head = (self.seq, self.status, self.reason, len(self.moves), self.clock, self.deadline, *self.seats, mover)
        return (*head, self.mask(1), self.mask(2), self.winner, self.offered_by, self.rematch)

    def board(self) -> dict[str, Any]:
        """Return the board that the gateway should show for the match."""
        waiting = self.status == OPEN or self.closed
        joined = [self.creator] if waiting else self.seats
        board: dict[str, Any] = {
            "status": STATUS[self.status],
            "ply": len(self.moves),
            "clock": self.clock,
            "deadline": self.deadline,
            "creator": self.creator,
            "width": 3,
            "height": 3,
            "players": {account: {"seat": self.seats.index(account)} for account in joined},
            "cells": {str(3 * r + c): self.rows[r][c] for r in range(3) for c in range(3) if self.rows[r][c]},
        }
        optional = {
            "opponent": self.invited if self.invited != ZERO else None,
            "rematchOf": self.rematch_of or None,
            "rematch": self.rematch or None,
            "reason": REASON.get(self.reason),
            "winner": self.winner if self.winner != ZERO else None,
            "mover": self.mover if self.status == PLAYING else None,
            "last": 3 * self.moves[-1][0] + self.moves[-1][1] if self.moves else None,
            "line": self.line or None,
            "offer": {"by": self.offered_by, "ply": len(self.moves)} if self.offered_by != ZERO else None,
        }
        return board | {key: value for key, value in optional.items() if value is not None}

    @property
    def closed(self) -> bool:
        """True if the match was closed before it began."""
        return self.status == CANCELLED and not self.rematch


class TicTacToeWorld:
    """A model of the whole contract, which contains all matches."""

    def __init__(self, first: int) -> None:
        self.matches: dict[int, TicTacToeMatch] = {}
        self.next = first

    # ---- actions

    def create(self, account: str, challenger: str, clock: int) -> Events:
        if challenger == account:
            raise TicTacToeRevert("SamePlayer", account)
        if clock and not 30 <= clock <= MONTH:
            raise TicTacToeRevert("BadClock", clock, 30, MONTH)
        if challenger != ZERO:
            self._free(account, challenger)
        return self._open(TicTacToeMatch(self.next, [account, challenger], 0, clock))

    def accept(self, number: int, account: str, time: int) -> Events:
        match = self._match(number)
        self._status(match, OPEN)
        if account == match.creator:
            raise TicTacToeRevert("SamePlayer", account)
        if match.invited not in (ZERO, account):
            raise TicTacToeRevert("NotInvited", number, account, match.invited)
        host, challenger = [account if seat != match.opener else match.creator for seat in (0, 1)]
        self._free(host, challenger, but=match)
        return self._begin(match, account, time)

    def move(self, number: int, account: str, ply: int, row: int, column: int, time: int) -> Events:
        match = self._playing(number, account)
        if ply != len(match.moves):
            raise TicTacToeRevert("StaleMove", len(match.moves), ply)
        if account != match.mover:
            raise TicTacToeRevert("NotYourTurn", number, account, match.mover)
        if row > 2 or column > 2:
            raise TicTacToeRevert("BadCell", row, column)
        if match.rows[row][column]:
            raise TicTacToeRevert("CellTaken", row, column)
        mark = match.seats.index(account) + 1
        match.rows[row][column] = mark
        match.moves.append((row, column))
        match.offered_by = ZERO
        match.deadline = time + match.clock if match.clock else 0
        args = {"ply": ply, "by": account, "row": row, "column": column, "mark": mark}
        events = self._numbered((number, "Moved", args))
        match.line = match.full_lines(mark)
        if match.line:
            won = {"winner": account, "line": sum(2**cell for cell in match.line)}
            return events + self._numbered((number, "GameWon", won)) + self._end(match, account, WON)
        if all(all(row) for row in match.rows):
            return events + self._end(match, ZERO, DRAW)
        return events

    def do_rematch(self, number: int, account: str, time: int) -> Events:
        match = self._match(number)
        if not match.rematch:
            self._status(match, FINISHED)
        self._seated(match, account)
        if match.rematch:
            offered = self.matches[match.rematch]
            if offered.status != OPEN or offered.creator == account:
                raise TicTacToeRevert("RematchExists", number, match.rematch)
            return self._begin(offered, account, time)
        host, challenger = match.seats
        # The loser hosts the rematch. After a draw, the previous challenger hosts it.
        if match.winner != challenger:
            host, challenger = challenger, host
        self._free(host, challenger)
        seats = [host, challenger]
        return self._again(match, account, TicTacToeMatch(self.next, seats, seats.index(account), match.clock, number))

    def offer_restart(self, number: int, account: str) -> Events:
        match = self._playing(number, account)
        if match.offered_by != ZERO:
            raise TicTacToeRevert("AlreadyOffered", number)
        match.offered_by = account
        return self._numbered((number, "RestartOffered", {"by": account, "ply": len(match.moves)}))

    def accept_restart(self, number: int, account: str, ply: int, time: int) -> Events:
        match = self._playing(number, account)
        if ply != len(match.moves):
            raise TicTacToeRevert("StaleMove", len(match.moves), ply)
        if match.offered_by != match.other(account):
            raise TicTacToeRevert("NoOffer", number)
        events = self._end(match, ZERO, GIVEN_UP)
        fresh = TicTacToeMatch(self.next, list(match.seats), match.seats.index(account), match.clock, number)
        return events + self._again(match, account, fresh) + self._begin(fresh, match.other(account), time)

    def close(self, number: int, account: str) -> Events:
        match = self._match(number)
        self._status(match, OPEN)
        if account != match.creator:
            raise TicTacToeRevert("NotAPlayer", number, account)
        return self._end(match, ZERO, GIVEN_UP)

    def resign(self, number: int, account: str) -> Events:
        match = self._playing(number, account)
        return self._end(match, match.other(account), RESIGNED)

    def claim_timeout(self, number: int, time: int) -> Events:
        match = self._match(number)
        self._status(match, PLAYING)
        if not match.clock:
            raise TicTacToeRevert("NoClock", number)
        if time < match.deadline:
            raise TicTacToeRevert("NotExpired", time, match.deadline)
        return self._end(match, match.other(match.mover), TIMEOUT)

    def live(self, host: str, challenger: str) -> int:
        """Return the value that the contract's `liveMatch` should return."""
        found = [
            m.number for m in self.matches.values() if m.seats == [host, challenger] and m.status in (OPEN, PLAYING)
        ]
        assert len(found) < 2, "the host and the challenger have two unfinished matches"
        return found[0] if found else 0

    # ---- checks

    def _match(self, number: int) -> TicTacToeMatch:
        if number not in self.matches:
            raise TicTacToeRevert("NoSuchMatch", number)
        return self.matches[number]

    def _status(self, match: TicTacToeMatch, needed: int) -> None:
        if match.status != needed:
            raise TicTacToeRevert("WrongStatus", match.number, match.status, needed)

    def _seated(self, match: TicTacToeMatch, account: str) -> None:
        if account not in match.seats:
            raise TicTacToeRevert("NotAPlayer", match.number, account)

    def _playing(self, number: int, account: str) -> TicTacToeMatch:
        match = self._match(number)
        self._status(match, PLAYING)
        self._seated(match, account)
        return match

    def _free(self, host: str, challenger: str, but: TicTacToeMatch | None = None) -> None:
        live = self.live(host, challenger)
        if live and (but is None or live != but.number):
            raise TicTacToeRevert("GameExists", live)

    # ---- effects of actions

    def _open(self, match: TicTacToeMatch) -> Events:
        self.matches[match.number] = match
        self.next += 1
        args = {
            "creator": match.creator, "opponent": match.invited, "clock": match.clock, "rematchOf": match.rematch_of,
        }  # fmt: skip
        joined = {"player": match.creator, "seat": match.opener}
        return [(match.number, "MatchCreated", args), (match.number, "PlayerJoined", joined)]

    def _begin(self, match: TicTacToeMatch, account: str, time: int) -> Events:
        seat = 1 - match.opener
        match.seats[seat] = account
        match.status = PLAYING
        match.deadline = time + match.clock if match.clock else 0
        joined = (match.number, "PlayerJoined", {"player": account, "seat": seat})
        return self._numbered(joined, (match.number, "MatchStarted", {}))

    def _again(self, match: TicTacToeMatch, account: str, fresh: TicTacToeMatch) -> Events:
        match.rematch = fresh.number
        noted = (match.number, "RematchOpened", {"by": account, "rematch": fresh.number})
        return self._open(fresh) + self._numbered(noted)

    def _end(self, match: TicTacToeMatch, winner: str, reason: int) -> Events:
        match.status = CANCELLED if reason == GIVEN_UP else FINISHED
        match.reason, match.winner, match.deadline, match.offered_by = reason, winner, 0, ZERO
        return self._numbered((match.number, "MatchEnded", {"winner": winner, "reason": reason}))

    def _numbered(self, *events: tuple[int, str, dict[str, Any]]) -> Events:
        for number, _, _ in events:
            self.matches[number].seq += 1
        return list(events)
