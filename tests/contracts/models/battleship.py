"""A model of Battleship that follows the game's rules and is independent of our code.

The model uses sets of coordinates instead of bitmaps. Each action has two methods, for example
`check_move` and `move`. The first method raises the error with which the contract must reject the
call. If it raises no error, the second method plays the call and returns the events that the
contract must emit, as (name, args). Times are in seconds since 1970.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cache
from typing import Any

ZERO = "0x" + 40 * "0"
NONE, OPEN, PLAYING, FINISHED, CANCELLED = range(5)
WON, RESIGNED, TIMEOUT, CHEATING, CLOSED = 1, 3, 4, 5, 6
STATUS = {OPEN: "open", PLAYING: "playing", FINISHED: "finished", CANCELLED: "cancelled"}
REASON = {WON: "won", RESIGNED: "resigned", TIMEOUT: "timeout", CHEATING: "cheating-proved", CLOSED: "cancelled"}
DAY, MONTH = 24 * 60 * 60, 30 * 24 * 60 * 60
NO_TILE = 255
SIZES = {"P": 2, "S": 3, "D": 3, "B": 4, "C": 5}

Events = list[tuple[str, dict[str, Any]]]


class BattleshipRevert(Exception):
    @property
    def error(self) -> tuple[Any, ...]:
        return self.args


def sealed(ships: bytes, nonce: bytes) -> bytes:
    """Return the commitment to a fleet: the SHA-256 hash of the encoded list [ships, nonce].

    The encoding begins with a tag for the list. Before each of the two items, there is a tag with
    the item's length and type."""
    parts = tag(len(ships), 0) + ships + tag(len(nonce), 1) + nonce
    return hashlib.sha256(tag(len(parts), 4) + parts).digest()


def tag(length: int, kind: int) -> bytes:
    number = length * 8 + kind
    return bytes([number]) if number < 128 else bytes([128 + number % 128, number // 128])


def cells(boat: str) -> set[tuple[int, int]]:
    """Return the coordinates (x, y) of a ship's tiles, some of which may be off the grid."""
    y, x = divmod(int(boat[2:]), 9)
    return {(x, y + i) if boat[1] == "V" else (x + i, y) for i in range(SIZES[boat[0]])}


@cache
def mask_and_fault(ships: bytes) -> tuple[frozenset[int], int]:
    """Return the tiles that a fleet covers, and the fleet's first fault.

    The fault is a number: 0 for none, 1 for a malformed fleet, 2 for wrong ships, 3 for a ship off
    the grid, 4 for ships that overlap."""
    names = ships.split(b" ")
    legal = {f"{letter}{way}{tile}".encode() for letter in SIZES for way in "HV" for tile in range(99)}
    if not legal.issuperset(names):
        return frozenset(), 1
    boats = [name.decode() for name in names]
    if len(boats) != 5 or {boat[0] for boat in boats} != set(SIZES):
        return frozenset(), 2
    places = [cell for boat in boats for cell in cells(boat)]
    if any(x > 8 or y > 10 for x, y in places):
        return frozenset(), 3
    return frozenset(y * 9 + x for x, y in places), 4 if len(set(places)) < 17 else 0


@dataclass
class Side:
    """One side of a match.

    `shots` maps each tile at which this side has fired to True for a hit and to False for a miss.
    Shots without an answer are missing."""

    account: str
    commitment: bytes = bytes(32)
    shots: dict[int, bool] = field(default_factory=dict)
    fleet: dict[str, Any] | None = None
    fault: int = 0
    withdrawn: int = 0

    @property
    def sound(self) -> bool:
        return self.fleet is not None and self.fault == 0

    def mask(self, hits_only: bool) -> int:
        return sum(1 << tile for tile, hit in self.shots.items() if hit or not hits_only)


@dataclass
class BattleshipMatch:
    """A Battleship match.

    - `keys`: the account of each session key.
    - `used`: the commitments that players have used, as pairs (account, commitment)."""

    number: int
    opponent: str
    clock: int
    token: str
    stake: int
    keys: dict[str, str] = field(default_factory=dict)
    used: set[tuple[str, bytes]] = field(default_factory=set)
    sides: list[Side] = field(default_factory=list)
    status: int = NONE
    reason: int = 0
    seq: int = 0
    ply: int = 0
    mover: int = 0
    deadline: int = 0
    pending: int = NO_TILE
    loser: int | None = None
    cause: int = 0
    winner: int | None = None

    # ---- accounts

    def account(self, sender: str) -> str:
        seats = [side.account for side in self.sides] + ([self.opponent] if self.status in (OPEN, CANCELLED) else [])
        return sender if sender in seats else self.keys.get(sender, sender)

    def seat(self, sender: str) -> int:
        account = self.account(sender)
        for seat, side in enumerate(self.sides):
            if side.account == account:
                return seat
        raise BattleshipRevert("NotAPlayer", self.number, account)

    @property
    def revealing(self) -> bool:
        return self.status == PLAYING and self.loser is not None

    def _require_status(self, status: int) -> None:
        if self.status != status:
            raise BattleshipRevert("WrongStatus", self.number, self.status, status)

    def _require_phase(self, revealing: bool) -> None:
        self._require_status(PLAYING)
        if self.revealing != revealing:
            raise BattleshipRevert("WrongPhase", self.number, self.revealing)

    def _require_commitment(self, sender: str, account: str, commitment: bytes) -> None:
        if self.stake and sender != account:
            raise BattleshipRevert("KeyCantPay", sender)
        if commitment == bytes(32):
            raise BattleshipRevert("ZeroCommitment")
        if (account, commitment) in self.used or commitment in [side.commitment for side in self.sides]:
            raise BattleshipRevert("CommitmentUsed", "0x" + commitment.hex())

    def _require_value(self, value: int) -> None:
        """Check that the ether sent with a call equals the stake. In this model, all stakes are in
        ether."""
        if value != self.stake:
            raise BattleshipRevert("BadDeposit", ZERO, self.stake, value)

    # ---- the start of a match

    def check_invite(self, sender: str, commitment: bytes, value: int) -> None:
        account = self.keys.get(sender, sender)
        if self.stake and sender != account:
            raise BattleshipRevert("KeyCantPay", sender)
        if account == self.opponent:
            raise BattleshipRevert("SamePlayer", account)
        shortest = 60 if self.stake else 30 if self.clock else 0
        if not shortest <= self.clock <= MONTH:
            raise BattleshipRevert("BadClock", self.clock, shortest, MONTH)
        self._require_commitment(sender, account, commitment)
        self._require_value(value)

    def invite(self, sender: str, commitment: bytes) -> Events:
        account = self.keys.get(sender, sender)
        self.status = OPEN
        self.sides.append(Side(account, commitment))
        self.used.add((account, commitment))
        created = {"creator": account, "opponent": self.opponent, "clock": self.clock, "rematchOf": 0}
        staked = [("Staked", {"token": self.token, "amount": str(self.stake)})] if self.stake else []
        return self._emit(
            ("MatchCreated", created),
            ("PlayerJoined", {"player": account, "seat": 0}),
            *staked,
            ("Sealed", {"player": account, "commitment": "0x" + commitment.hex()}),
        )

    def check_accept(self, sender: str, commitment: bytes, tile: int, value: int) -> None:
        account = self.keys.get(sender, sender)
        self._require_status(OPEN)
        if account == self.sides[0].account:
            raise BattleshipRevert("SamePlayer", account)
        if self.opponent not in (ZERO, account):
            raise BattleshipRevert("NotInvited", self.number, account, self.opponent)
        self._require_commitment(sender, account, commitment)
        if tile > 98:
            raise BattleshipRevert("BadTile", tile)
        self._require_value(value)

    def accept(self, sender: str, commitment: bytes, tile: int, now: int) -> Events:
        account = self.keys.get(sender, sender)
        self.status, self.mover, self.pending, self.ply = PLAYING, 0, tile, 1
        self.sides.append(Side(account, commitment))
        self.used.add((account, commitment))
        self._restart_clock(now)
        return self._emit(
            ("PlayerJoined", {"player": account, "seat": 1}),
            ("MatchStarted", {}),
            ("Sealed", {"player": account, "commitment": "0x" + commitment.hex()}),
            ("Shot", {"ply": 0, "by": account, "tile": tile}),
        )

    def check_decline(self, sender: str) -> None:
        self._require_status(OPEN)
        account = self.keys.get(sender, sender)
        if account != self.opponent:
            raise BattleshipRevert("NotInvited", self.number, account, self.opponent)

    def check_cancel(self, sender: str) -> None:
        self._require_status(OPEN)
        if self.account(sender) != self.sides[0].account:
            raise BattleshipRevert("NotTheInviter", self.number, self.account(sender), self.sides[0].account)

    def close(self) -> Events:
        """Close the match, which the host has cancelled or the guest has declined."""
        return self._emit(self._end(None, CLOSED))

    # ---- shooting

    def check_move(self, sender: str, ply: int, answered: int, hit: bool, tile: int) -> None:
        self._require_phase(revealing=False)
        mover = self.sides[self.mover].account
        if sender != mover:
            seat = self.seat(sender)
            if ply == self.ply and seat != self.mover:
                raise BattleshipRevert("NotYourTurn", self.number, self.sides[seat].account, mover)
        if ply != self.ply:
            raise BattleshipRevert("StaleMove", self.ply, ply)
        if answered != self.pending:
            raise BattleshipRevert("StaleMove", self.pending, answered)
        if self._ends(hit):
            return
        if tile > 98:
            raise BattleshipRevert("BadTile", tile)
        if tile in self.sides[self.mover].shots:
            raise BattleshipRevert("TileTaken", tile)

    def _ends(self, hit: bool) -> int:
        """Return the reason why the shooting would end if the pending shot had the answer `hit`.

        Return 0 if the shooting would continue."""
        shots = self.sides[1 - self.mover].shots
        hits = sum(shots.values()) + hit
        water = len(shots) + 1 - hits
        return WON if hits == 17 else CHEATING if water > 99 - 17 else 0

    def move(self, hit: bool, tile: int, now: int) -> Events:
        mover, shooter = self.mover, 1 - self.mover
        ends = self._ends(hit)
        self.sides[shooter].shots[self.pending] = hit
        by = self.sides[mover].account
        answered = ("Answered", {"ply": self.ply, "by": by, "tile": self.pending, "hit": hit})
        self.ply += 1
        self.pending = NO_TILE
        if ends == WON:
            return self._emit(answered, self._over(mover, WON, now))
        if ends == CHEATING:
            return self._emit(answered, self._end(shooter, CHEATING))
        self.pending, self.mover = tile, shooter
        self._restart_clock(now)
        return self._emit(answered, ("Shot", {"ply": self.ply - 1, "by": by, "tile": tile}))

    # ---- reveals and timeouts

    def check_surrender(self, sender: str, ships: bytes, nonce: bytes, message: bytes) -> None:
        self._require_phase(revealing=False)
        self._check_fleet(self.seat(sender), ships, nonce, message)

    def surrender(self, sender: str, ships: bytes, nonce: bytes, message: bytes, now: int) -> Events:
        seat = self.seat(sender)
        return self._emit(self._over(seat, RESIGNED, now), self._reveal(seat, ships, nonce, message))

    def check_reveal(self, sender: str, ships: bytes, nonce: bytes, message: bytes) -> None:
        self._require_phase(revealing=True)
        self._check_fleet(self.seat(sender), ships, nonce, message)

    def reveal(self, sender: str, ships: bytes, nonce: bytes, message: bytes) -> Events:
        shown = self._reveal(self.seat(sender), ships, nonce, message)
        if all(side.fleet for side in self.sides):
            return self._emit(shown, self._settle())
        return self._emit(shown)

    def check_timeout(self, now: int) -> None:
        self._require_status(PLAYING)
        if self.deadline == 0:
            raise BattleshipRevert("NoClock", self.number)
        if now < self.deadline:
            raise BattleshipRevert("NotExpired", now, self.deadline)

    def timeout(self, now: int) -> Events:
        return self._emit(self._settle() if self.revealing else self._over(self.mover, TIMEOUT, now))

    def _check_fleet(self, seat: int, ships: bytes, nonce: bytes, message: bytes) -> None:
        side = self.sides[seat]
        for text, most in ((ships, 255), (message, 280)):
            if len(text) > most:
                raise BattleshipRevert("TooLong", len(text), most)
        if side.fleet:
            raise BattleshipRevert("AlreadyRevealed", self.number, side.account)
        computed = sealed(ships, nonce)
        if computed != side.commitment:
            raise BattleshipRevert("BadReveal", "0x" + side.commitment.hex(), "0x" + computed.hex())

    def _reveal(self, seat: int, ships: bytes, nonce: bytes, message: bytes) -> tuple[str, dict[str, Any]]:
        side, shots = self.sides[seat], self.sides[1 - seat].shots
        tiles, side.fault = mask_and_fault(ships)
        if not side.fault and any(hit != (tile in tiles) for tile, hit in shots.items()):
            side.fault = 5
        ascii_ = all(32 <= byte < 127 for byte in ships)
        side.fleet = {
            "ships": ships.decode() if ascii_ else "0x" + ships.hex(),
            "nonce": "0x" + nonce.hex(),
            "message": message.decode(errors="replace"),
            "fault": side.fault,
        }
        revealed = {"ships": "0x" + ships.hex(), "nonce": "0x" + nonce.hex(), "message": "0x" + message.hex()}
        return "Revealed", {"by": side.account, **revealed, "fault": side.fault}

    def _over(self, loser: int, cause: int, now: int) -> tuple[str, dict[str, Any]]:
        self.loser, self.cause, self.pending = loser, cause, NO_TILE
        self.deadline = now + max(self.clock, DAY)
        account = self.sides[loser].account
        return "GameOver", {"loser": account, "cause": cause, "deadline": self.deadline}

    def _settle(self) -> tuple[str, dict[str, Any]]:
        """End the match according to the settlement table, and return the event.

        The key of each row contains the reveals of the declared winner and of the declared loser.
        Its value contains the winner and the reason."""
        assert self.loser is not None
        loser, best = self.loser, 1 - self.loser
        shown = {
            seat: "none" if not side.fleet else "true" if side.sound else "false"
            for seat, side in enumerate(self.sides)
        }
        late = loser if self.cause == WON else None
        table = {
            ("true", "true"): (best, self.cause),
            ("true", "false"): (best, CHEATING),
            ("true", "none"): (best, self.cause),
            ("false", "true"): (loser, CHEATING),
            ("false", "false"): (None, CHEATING),
            ("false", "none"): (None, CHEATING),
            ("none", "true"): (late, TIMEOUT),
            ("none", "false"): (None, CHEATING),
            ("none", "none"): (None, TIMEOUT),
        }
        return self._end(*table[shown[best], shown[loser]])

    # ---- money

    def due(self, seat: int) -> int:
        side = self.sides[seat]
        if side.withdrawn or self.status not in (FINISHED, CANCELLED):
            return 0
        if self.winner is None:
            return self.stake
        return 2 * self.stake if self.winner == seat else 0

    def check_withdraw(self, sender: str) -> None:
        if self.status not in (FINISHED, CANCELLED):
            raise BattleshipRevert("WrongStatus", self.number, self.status, FINISHED)
        seats = [side.account for side in self.sides] + ([self.opponent] if len(self.sides) == 1 else [])
        if sender not in seats:
            raise BattleshipRevert("NotAPlayer", self.number, sender)
        if seats.index(sender) >= len(self.sides) or not self.due(seats.index(sender)):
            raise BattleshipRevert("NothingDue", self.number, sender)

    def withdraw(self, sender: str) -> Events:
        seat = self.seat(sender)
        amount = self.sides[seat].withdrawn = self.due(seat)
        return self._emit(("Withdrawn", {"account": sender, "token": self.token, "amount": str(amount)}))

    # ---- views

    def view(self) -> tuple[Any, ...]:
        """Return the value that the contract's `board` should return."""
        sides = [*self.sides, Side(self.opponent)][:2]
        mover = self.sides[self.mover].account if self.status == PLAYING and not self.revealing else ZERO
        return (
            self.seq, self.status, self.reason, self.ply, self.clock, self.deadline, mover,
            tuple(side.account for side in sides), tuple(side.commitment for side in sides),
            tuple(side.mask(hits_only=False) for side in sides), tuple(side.mask(hits_only=True) for side in sides),
            self.revealing, self.pending, ZERO if self.loser is None else sides[self.loser].account, self.cause,
            tuple(side.fleet is not None for side in sides), tuple(side.fault for side in sides),
            self.token, self.stake, ZERO if self.winner is None else sides[self.winner].account,
            tuple(side.withdrawn > 0 for side in sides),
        )  # fmt: skip

    def board(self) -> dict[str, Any]:
        """Return the board that the index should store for the match."""
        shown: dict[str, Any] = {
            "status": STATUS[self.status], "ply": self.ply, "clock": self.clock, "deadline": self.deadline,
            "creator": self.sides[0].account, "stake": str(self.stake), "width": 9, "height": 11,
            "players": {
                side.account: {
                    "seat": seat,
                    "shots": {str(tile): "hit" if hit else "miss" for tile, hit in side.shots.items()},
                }
                for seat, side in enumerate(self.sides)
            },
            "fleets": {
                side.account: {"commitment": "0x" + side.commitment.hex(), **(side.fleet or {})} for side in self.sides
            },
            "withdrawn": {side.account: str(side.withdrawn) for side in self.sides if side.withdrawn},
        }  # fmt: skip
        if self.opponent != ZERO:
            shown["opponent"] = self.opponent
        if self.token != ZERO:
            shown["token"] = self.token
        if self.status == PLAYING:
            shown["phase"] = "reveals" if self.revealing else "shots"
        if self.status == PLAYING and not self.revealing:
            shown["mover"] = self.sides[self.mover].account
            shown["pending"] = {"tile": self.pending, "by": self.sides[1 - self.mover].account}
        if self.loser is not None:
            shown |= {"loser": self.sides[self.loser].account, "cause": REASON[self.cause]}
        if self.reason:
            shown["reason"] = REASON[self.reason]
        if self.winner is not None:
            shown["winner"] = self.sides[self.winner].account
        return shown

    def _restart_clock(self, now: int) -> None:
        self.deadline = now + self.clock if self.clock else 0

    def _end(self, winner: int | None, reason: int) -> tuple[str, dict[str, Any]]:
        self.status = CANCELLED if reason == CLOSED else FINISHED
        self.winner, self.reason, self.deadline = winner, reason, 0
        account = ZERO if winner is None else self.sides[winner].account
        return "MatchEnded", {"winner": account, "reason": reason}

    def _emit(self, *events: tuple[str, dict[str, Any]]) -> Events:
        self.seq += len(events)
        return list(events)
