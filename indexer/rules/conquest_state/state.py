"""The state of a running match: lands, players, whose turn it is, and the open random draw. Each
change records its events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from indexer.gamekit.lifecycle import NOBODY
from indexer.rules.call import Emitted
from indexer.rules.conquest_state.chance import trail_after_command
from indexer.rules.conquest_state.graph import LandGraph, lands_of

NONE = 255
"""The number that stands for no seat or no land."""
REINFORCEMENT, ACTION, MOVE, CAPITAL = range(4)
NO_DRAW, FIRST, TURN, BATTLE, COLLECT = range(5)
DISTANT, FULL_POWER, PORT_TOO, TWO_TURNS, MORE, FEWER, LOSE_LAND, FAT_BONUS = range(1, 9)
"""The items. Players store the first four and use them later. The others work at once."""
WON, DRAW, RESIGNED, TIMEOUT = range(1, 5)
"""The reasons why a match ended or a player is out."""
MAX_SOLDIERS_PER_LAND = 99_999
LAST_PLY = 5_000
HERO_TYPES = 4
ITEM_TURNS = 4


@dataclass(slots=True)
class ItemOnMap:
    fat: bool
    turns: int = ITEM_TURNS


@dataclass(slots=True)
class ConquestState:
    """The state of a running match.

    - `accounts`: the players' addresses, in the order of their seats
    - `anchor`: the height of the block whose command opened the draw, or 0
    - `used`: the items that are in effect until the turn ends
    - `pairs`: the attacks that the open draw will decide
    - `collecting`: the land with the item that the open draw will decide
    - `events`: the recorded events. The caller removes them after each call
    """

    graph: LandGraph
    match: int
    accounts: Sequence[str]
    ply: int = 0
    trail: int = 0
    first: int = NONE
    mover: int = NONE
    phase: int = CAPITAL
    draw: int = NO_DRAW
    anchor: int = 0
    height: int = 0
    used: frozenset[int] = frozenset()
    attacked: bool = False
    built: bool = False
    pairs: tuple[tuple[int, int], ...] = ()
    collecting: int = NONE
    ports: int = 0
    had_hero: int = 0
    alive: int = 0
    capitals: list[int] = field(default_factory=list)
    heroes: list[int] = field(default_factory=list)
    stored: list[int] = field(default_factory=list)
    forced: list[int] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    soldiers: list[int] = field(default_factory=list)
    items: dict[int, ItemOnMap] = field(default_factory=dict)
    winner: int = NONE
    reason: int = 0
    events: list[Emitted] = field(default_factory=list)

    @classmethod
    def begun(cls, graph: LandGraph, match: int, accounts: Sequence[str], height: int = 0) -> ConquestState:
        """Return the state at the start of a match. It waits for the random draw that chooses the
        first player. `height`: the block in which the last player joined."""
        seats = len(accounts)
        state = cls(graph, match, tuple(accounts), height=height, alive=(1 << seats) - 1)
        state.capitals, state.heroes = [NONE] * seats, [NONE] * seats
        state.stored, state.forced = [0] * seats, [0] * seats
        state.owners, state.soldiers = [NONE] * graph.lands, list(graph.soldiers)
        state.enter(CAPITAL, FIRST)
        return state

    def copy(self) -> ConquestState:
        found = copy(self)
        found.capitals, found.heroes, found.stored = [*self.capitals], [*self.heroes], [*self.stored]
        found.forced, found.owners, found.soldiers = [*self.forced], [*self.owners], [*self.soldiers]
        found.events = [*self.events]
        found.items = {land: ItemOnMap(one.fat, one.turns) for land, one in self.items.items()}
        return found

    # ---- values

    @property
    def seats(self) -> int:
        return len(self.accounts)

    @property
    def is_over(self) -> bool:
        return self.reason != 0

    def is_alive(self, seat: int) -> bool:
        return bool(self.alive >> seat & 1)

    def lands(self, seat: int) -> list[int]:
        """Return the numbers of a player's lands, in ascending order."""
        return [land for land, owner in enumerate(self.owners) if owner == seat]

    def total(self, seat: int) -> int:
        """Return how many soldiers a player has on all lands together."""
        return sum(count for count, owner in zip(self.soldiers, self.owners, strict=True) if owner == seat)

    def connection(self, start: int, end: int) -> int:
        return self.graph.connection(start, end, self.ports)

    # ---- changes

    def emit(self, name: str, **args: Any) -> None:
        self.events.append((name, args))

    def enter(self, phase: int, draw: int = NO_DRAW) -> None:
        """Start a phase. Unless `draw` is NO_DRAW, also open a random draw of this kind."""
        self.phase, self.draw = phase, draw
        self.anchor = self.height if draw else 0
        self.emit("Phase", seat=self.mover, phase=phase, draw=draw)

    def record_command(self, kind: int, data: bytes = b"", forced: bool = False) -> None:
        """Record a command of the player to move. `forced`: True if the clock forced a pass."""
        self.trail = trail_after_command(self.trail, kind, self.mover, data)
        about = {"ply": self.ply, "kind": kind, "seat": self.mover, "data": "0x" + data.hex(), "trail": self.trail}
        self.emit("Commanded", **about)
        self.ply += 1
        self.forced[self.mover] = self.forced[self.mover] + 1 if forced else 0

    def set_soldiers(self, soldiers: Mapping[int, int]) -> None:
        """Set the number of soldiers on each of these lands. Record one event if any changes."""
        new = {land: min(MAX_SOLDIERS_PER_LAND, soldiers[land]) for land in sorted(soldiers)}
        changes = b"".join(bytes([land]) + n.to_bytes(3) for land, n in new.items() if n != self.soldiers[land])
        for land, number in new.items():
            self.soldiers[land] = number
        if changes:
            self.emit("Soldiers", changes="0x" + changes.hex())

    def transfer_lands(self, lands: Sequence[int], seat: int) -> None:
        """Give lands to a player, or make them neutral. All of them must have the same owner."""
        mask, before = sum(1 << land for land in lands), self.owners[lands[0]]
        for land in lands:
            self.owners[land] = seat
        self.emit("LandsTaken", **{"lands": str(mask), "from": before, "to": seat})

    def award_hero(self, seat: int) -> None:
        """If a player has lands of 4 types, give the player a hero, who appears in the capital.
        Each player gets only one hero per match."""
        types = {self.graph.types[land] for land in self.lands(seat)}
        if len(types) < HERO_TYPES or self.had_hero >> seat & 1 or self.capitals[seat] == NONE:
            return
        self.had_hero |= 1 << seat
        self.heroes[seat] = self.capitals[seat]
        self.emit("HeroAt", seat=seat, land=self.heroes[seat])

    def kill_hero(self, land: int) -> dict[int, int]:
        """If the hero of a land's owner is on the land, the hero dies. Return the new, halved
        number of soldiers for each of the owner's lands. Return {} if no hero died."""
        seat = self.owners[land]
        if self.heroes[seat] != land:
            return {}
        self.heroes[seat] = NONE
        self.emit("HeroDied", seat=seat, land=land)
        return {each: self.soldiers[each] // 2 for each in self.lands(seat)}

    def eliminate(self, seat: int, by: int, reason: int) -> None:
        """Remove a player from the match. The player's lands don't change, so the caller must give
        them away."""
        self.alive &= ~(1 << seat)
        self.capitals[seat] = self.heroes[seat] = NONE
        self.stored[seat] = self.forced[seat] = 0
        self.emit("PlayerOut", seat=seat, by=by, reason=reason)

    def end(self, winner: int, reason: int) -> None:
        self.winner, self.reason, self.mover, self.draw, self.anchor = winner, reason, NONE, NO_DRAW, 0
        self.emit("MatchEnded", winner=NOBODY if winner == NONE else self.accounts[winner], reason=reason)

    def end_if_one_is_alive(self, reason: int) -> bool:
        """End the match if only one player is left. Return True if the match is over."""
        if self.alive & self.alive - 1:
            return False
        self.end(next(lands_of(self.alive)), reason)
        return True
