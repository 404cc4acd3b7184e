"""A model of Touché Coulé that follows the game's rules and is independent of our code.

The model uses sets of cells instead of bitmaps. Each action has two methods, for example
`check_turn` and `turn`. The first method raises the error with which the contract must reject the
call. If it raises no error, the second method plays the call and returns the events that the
contract must emit, as (name, args). The caller passes the block heights, the times and the random
seeds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from eth_abi import encode
from eth_utils import keccak

ZERO = "0x" + 40 * "0"
ZERO_HASH = "0x" + 64 * "0"
OPEN, PLAYING, FINISHED, CANCELLED = 1, 2, 3, 4
WON, DRAW, GIVEN_UP = 1, 2, 6
STATUS = {OPEN: "open", PLAYING: "playing", FINISHED: "finished", CANCELLED: "cancelled"}
REASON = {WON: "won", DRAW: "draw", GIVEN_UP: "cancelled"}
DAY = 24 * 60 * 60

Events = list[tuple[str, dict[str, Any]]]


class ToucheCouleRevert(Exception):
    @property
    def error(self) -> tuple[Any, ...]:
        return self.args


@dataclass
class Ship:
    number: int
    owner: str
    cell: int
    captain: str = ZERO
    afloat: bool = True
    ready: int = 5
    fired: set[int] = field(default_factory=set)

    @property
    def built_in(self) -> bool:
        return self.captain == ZERO


@dataclass
class ToucheCouleModel:
    match: int
    width: int
    height: int
    captains: bool
    answers: dict[str, int | None]
    """For each captain, the cell at which its code fires, or None if its answer is invalid."""
    reach: int = 8191
    """The number of past blocks whose hashes the contract can read."""
    status: int = OPEN
    reason: int = 0
    ply: int = 0
    anchor: int = 0
    deadline: int = 0
    seq: int = 2
    winner: str = ZERO
    ships: list[Ship] = field(default_factory=list)
    owners: list[str] = field(default_factory=list)
    volley: dict[str, Any] | None = None

    # ---- positions

    @property
    def cells(self) -> int:
        return self.width * self.height

    @property
    def afloat(self) -> list[Ship]:
        return [ship for ship in self.ships if ship.afloat]

    def fleet(self, owner: str) -> list[Ship]:
        return [ship for ship in self.ships if ship.owner == owner]

    def ally(self, ship: Ship) -> Ship | None:
        return next((s for s in self.fleet(ship.owner) if s is not ship), None)

    def friends(self, ship: Ship) -> set[int]:
        """Return the cells at which the ship never fires: its own cell and the cell of its ally."""
        ally = self.ally(ship)
        return {ship.cell} | ({ally.cell} if ally and ally.afloat else set())

    def xy(self, cell: int) -> tuple[int, int]:
        return cell % self.width, cell // self.width

    def draw(self, seed: bytes, taken: set[int]) -> int | None:
        """Return the free cell that the seed chooses, or None if no cell is free.

        The seed chooses a word of 256 cells, and one of the free cells in this word. If the word
        has no free cell, use the next word with a free cell."""
        for word in self.words(seed):
            free = [cell for cell in word if cell not in taken]
            if free:
                return free[(int.from_bytes(seed) >> 128) % len(free)]
        return None

    def words(self, seed: bytes) -> list[range]:
        all_words = [range(start, min(start + 256, self.cells)) for start in range(0, self.cells, 256)]
        first = int.from_bytes(seed) % self.cells // 256
        return all_words[first:] + all_words[:first]

    # ---- registering a ship

    def check_register(self, sender: str, captain: str | None, has_code: bool) -> None:
        self._status(OPEN)
        if captain is not None and not self.captains:
            raise ToucheCouleRevert("CaptainsNotAllowed", self.match)
        if captain is not None and not has_code:
            raise ToucheCouleRevert("NoCode", captain)
        if len(self.fleet(sender)) == 2:
            raise ToucheCouleRevert("ShipLimit", sender, 2)
        if len(self.ships) == 256:
            raise ToucheCouleRevert("MatchFull", 256)
        if len(self.ships) == self.cells:
            raise ToucheCouleRevert("NoFreeCell", self.cells)

    def register(self, sender: str, captain: str | None, parent: bytes, randao: int) -> Events:
        number = len(self.ships) + 1
        seed = keccak(
            encode(["bytes32", "uint256", "uint48", "uint16"], [parent, randao, self.match, number]),
        )
        cell = self.draw(seed, {ship.cell for ship in self.ships})
        assert cell is not None
        events: Events = []
        if sender not in self.owners:
            events.append(("PlayerJoined", {"player": sender, "seat": len(self.owners)}))
            self.owners.append(sender)
        self.ships.append(Ship(number, sender, cell, captain or ZERO))
        x, y = self.xy(cell)
        args = {"ship": number, "owner": sender, "x": x, "y": y, "captain": captain or ZERO}
        return self._numbered([*events, ("Registered", args)])

    # ---- playing a turn

    def check_turn(self, sender: str, number: int, block: int) -> None:
        if self.status not in (OPEN, PLAYING):
            raise ToucheCouleRevert("WrongStatus", self.match, self.status, PLAYING)
        if number != self.ply:
            raise ToucheCouleRevert("StaleMove", self.ply, number)
        self._player_afloat(sender)
        if self.ply == 0:
            if len(self.owners) < 2:
                raise ToucheCouleRevert("TooFewOwners", len(self.owners), 2)
        else:
            self._settled(block)

    def turn(self, sender: str, block: int, time: int, hash_of: Callable[[int], str]) -> Events:
        events: Events = []
        played = {"by": sender, "turnNo": self.ply, "entropyBlock": 0, "seed": ZERO_HASH}
        if self.ply == 0:
            self.status = PLAYING
            events.append(("MatchStarted", {}))
        else:
            played["entropyBlock"] = self.entropy_block(block)
            played["seed"] = hash_of(self.entropy_block(block))
            events += self._fight(bytes.fromhex(str(played["seed"])[2:]))
        self.ply += 1
        self.anchor = block
        self.deadline = time + DAY
        return self._numbered([*events, ("TurnPlayed", played), *self._end()])

    def _fight(self, seed: bytes) -> Events:
        crew = self.afloat
        shots = {ship.number: cell for ship in crew if (cell := self._shot(ship, seed)) is not None}
        lying = {ship.cell: ship for ship in crew}
        by: dict[int, int] = {}
        for number, cell in shots.items():
            if cell in lying:
                by.setdefault(lying[cell].number, number)
        for ship in crew:
            ship.afloat = ship.number not in by
        self.volley = {
            "turn": self.ply,
            "shots": {str(number): cell for number, cell in shots.items()},
            "sunk": sorted(by),
        }
        data = "".join(f"{number:03x}{cell:03x}" for number, cell in shots.items())
        events: Events = [("Fired", {"shots": "0x" + data})]
        for number in sorted(by):
            x, y = self.xy(self.ships[number - 1].cell)
            events.append(("Touched", {"ship": number, "x": x, "y": y, "by": by[number]}))
        return events

    def _shot(self, ship: Ship, seed: bytes) -> int | None:
        if not ship.built_in:
            answer = self.answers[ship.captain]
            legal = answer is not None and 0 <= answer < self.cells and answer not in self.friends(ship)
            return answer if legal else None
        own = keccak(
            encode(["bytes32", "uint48", "uint32", "uint16"], [seed, self.match, self.ply, ship.number]),
        )
        cell = self.draw(own, ship.fired | self.friends(ship))
        if cell is None:
            # Without the ship's shots, some words would have free cells. Forget the shots in the
            # first of these words.
            word = next(word for word in self.words(own) if set(word) - self.friends(ship))
            ship.fired -= set(word)
            free = sorted(set(word) - self.friends(ship))
            cell = free[(int.from_bytes(own) >> 128) % len(free)]
        assert cell not in self.friends(ship)
        ship.fired.add(cell)
        return cell

    def _end(self) -> Events:
        left = {ship.owner for ship in self.afloat}
        if len(left) > 1:
            return []
        self.status = FINISHED
        self.reason, self.winner = (WON, left.pop()) if left else (DRAW, ZERO)
        return [("MatchEnded", {"winner": self.winner, "reason": self.reason})]

    # ---- changing position

    def check_change(self, sender: str, block: int) -> None:
        self._status(PLAYING)
        self._player_afloat(sender)
        living = [ship for ship in self.fleet(sender) if ship.afloat]
        if not self._movable(sender):
            raise ToucheCouleRevert("NotReady", self.ply, min(ship.ready for ship in living))
        self._settled(block)
        if len(self.afloat) == self.cells:
            raise ToucheCouleRevert("NoFreeCell", self.cells)

    def _movable(self, sender: str) -> list[Ship]:
        return [ship for ship in self.fleet(sender) if ship.afloat and ship.ready <= self.ply]

    def change(self, sender: str, block: int, hash_of: Callable[[int], str]) -> Events:
        number = self.entropy_block(block)
        seed = hash_of(number)
        events: Events = []
        for ship in self._movable(sender):
            own = keccak(
                encode(["bytes32", "uint48", "uint16"], [bytes.fromhex(seed[2:]), self.match, ship.number]),
            )
            cell = self.draw(own, {s.cell for s in self.afloat})
            assert cell is not None
            (from_x, from_y), (x, y) = self.xy(ship.cell), self.xy(cell)
            ship.cell = cell
            ship.ready = self.ply + 5
            ship.fired.discard(cell)
            args = {"ship": ship.number, "owner": sender, "fromX": from_x, "fromY": from_y, "x": x, "y": y}
            events.append(("Moved", args | {"entropyBlock": number, "seed": seed}))
        self.anchor = block
        return self._numbered(events)

    # ---- sharing shots between ships, and expired matches

    def check_communicate(self, sender: str) -> None:
        self._status(PLAYING)
        self._player(sender)
        able = [ship for ship in self.fleet(sender) if ship.afloat and ship.built_in]
        if len(able) < 2:
            raise ToucheCouleRevert("TooFewShips", len(able), 2)
        a, b = able
        if self._merged(a, b) == a.fired and self._merged(b, a) == b.fired:
            raise ToucheCouleRevert("NothingToTell", a.number, b.number)

    def communicate(self, sender: str) -> Events:
        a, b = self.fleet(sender)
        a.fired, b.fired = self._merged(a, b), self._merged(b, a)
        return self._numbered([("Communicated", {"owner": sender, "a": a.number, "b": b.number})])

    @staticmethod
    def _merged(ship: Ship, ally: Ship) -> set[int]:
        return (ship.fired | ally.fired) - {ship.cell}

    def check_expire(self, time: int) -> None:
        self._status(PLAYING)
        if time < self.deadline:
            raise ToucheCouleRevert("NotExpired", time, self.deadline)

    def expire(self) -> Events:
        self.status, self.reason = CANCELLED, GIVEN_UP
        return self._numbered([("MatchEnded", {"winner": ZERO, "reason": GIVEN_UP})])

    # ---- helpers of several actions

    def entropy_block(self, block: int) -> int:
        first = self.anchor + 1
        return first + self.reach * ((block - 1 - first) // self.reach)

    def _settled(self, block: int) -> None:
        if block < self.anchor + 2:
            raise ToucheCouleRevert("TooSoon", block, self.anchor + 2)

    def _status(self, needed: int) -> None:
        if self.status != needed:
            raise ToucheCouleRevert("WrongStatus", self.match, self.status, needed)

    def _player(self, sender: str) -> None:
        if sender not in self.owners:
            raise ToucheCouleRevert("NotAPlayer", self.match, sender)

    def _player_afloat(self, sender: str) -> None:
        self._player(sender)
        if not any(ship.afloat for ship in self.fleet(sender)):
            raise ToucheCouleRevert("NoShipAfloat", self.match, sender)

    def _numbered(self, events: Events) -> Events:
        self.seq += len(events)
        return events

    # ---- views

    def view(self) -> tuple[Any, ...]:
        """Return the value that the contract's `board` should return."""
        ships = tuple((s.owner, s.captain, s.cell, s.afloat, s.ready) for s in self.ships)
        head = (self.seq, self.status, self.reason, self.ply, self.width, self.height, self.captains)
        return (*head, self.anchor, self.deadline, self.winner, ships)

    def codes(self, ship: Ship) -> bytes:
        """Return the value that the contract's `mapOf` should return."""
        ally = self.ally(ship)
        codes = bytearray(2 if cell in ship.fired else 0 for cell in range(self.cells))
        if ally and ally.afloat:
            codes[ally.cell] = 3
        codes[ship.cell] = 1
        return bytes(codes)

    def board(self) -> dict[str, Any]:
        """Return the board that the gateway should show for the match."""
        board = {
            "status": STATUS[self.status],
            "ply": self.ply,
            "width": self.width,
            "height": self.height,
            "captains": self.captains,
            "anchor": self.anchor,
            "deadline": self.deadline,
            "afloat": len(self.afloat),
            "players": {
                owner: {"seat": seat, "ships": [ship.number for ship in self.fleet(owner)]}
                for seat, owner in enumerate(self.owners)
            },
            "ships": {str(ship.number): self._ship(ship) for ship in self.ships},
        }
        if self.reason:
            board["reason"] = REASON[self.reason]
        if self.winner != ZERO:
            board["winner"] = self.winner
        if self.volley:
            board["volley"] = self.volley
        return board

    def _ship(self, ship: Ship) -> dict[str, Any]:
        x, y = self.xy(ship.cell)
        shown: dict[str, Any] = {"owner": ship.owner, "x": x, "y": y, "afloat": ship.afloat, "ready": ship.ready}
        if ally := self.ally(ship):
            shown["ally"] = ally.number
        if not ship.built_in:
            return shown | {"captain": ship.captain}
        words: dict[str, int] = {}
        for cell in ship.fired:
            words[str(cell // 256)] = words.get(str(cell // 256), 0) | 1 << cell % 256
        return shown | {"fired": {word: f"0x{bits:064x}" for word, bits in words.items()}}
