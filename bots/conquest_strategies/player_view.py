"""The Conquest board as one computer player sees it: without the items that other players have
stored.

Sets of lands are masks, in which bit i stands for land i. Powers are in twentieths of a soldier, as
in the contract."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from functools import lru_cache

from bots.conquest_strategies.commands import NONE
from bots.opponent import player_in
from indexer.games.conquest_graph import decode_graph, lands_by_sea
from indexer.model import Json

PHASES = ("reinforcement", "action", "move", "capital")
BY_NOTHING, BY_LAND, BY_SEA = 0, 1, 2
"""The ways in which an attack can reach a land: not at all, by land or by sea. Each way's number is
also the number by which the attack's power is divided."""
POWER_UNITS, HERO_POWER_UNITS = 20, 4
FAR = 99
"""The distance, in steps, of a land that has no path to the front."""


@dataclass(frozen=True, slots=True)
class Terrain:
    """The parts of the board that never change.

    `near` contains each land's neighbours. `sea` contains, for each land, the other lands on the
    same body of water. `types` contains the lands of each type. `shore` contains the coastal lands,
    and `lands` contains all lands. All these sets are masks."""

    near: tuple[int, ...]
    sea: tuple[int, ...]
    types: tuple[int, ...]
    shore: int
    lands: int


@lru_cache(maxsize=16)
def terrain_of(graph: str) -> Terrain:
    """Return the terrain of a map. `graph` contains the map's bytes in 0x hex."""
    found = decode_graph(graph)
    types = tuple(sum(1 << land for land, one in enumerate(found.types) if one == kind) for kind in range(1, 6))
    shore = 0
    for body in found.bodies:
        shore |= body
    return Terrain(found.neighbours, lands_by_sea(found), types, shore, found.all_lands)


def lands_in(mask: int) -> Iterator[int]:
    """Yield the numbers of the lands in a mask, in ascending order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


@dataclass(slots=True)
class PlayerView:
    """The board as the player in seat `me` sees it. `mover` is the seat whose turn it is. `own`
    contains a mask of each seat's lands. `used` is a mask of the kinds of items that were used in
    this turn. `item` is the item that `me` has stored."""

    terrain: Terrain
    me: int
    mover: int
    phase: int
    own: list[int]
    owners: list[int]
    soldiers: list[int]
    capitals: list[int]
    heroes: list[int]
    alive: int
    had_hero: int
    ports: int
    used: int
    item: int
    attacked: bool
    built: bool

    @classmethod
    def of(cls, board: Json, seat: int) -> PlayerView:
        """Return the board of a match in progress as the player in this seat sees it."""
        seats = [board["seats"][str(number)] for number in range(board["seatCount"])]
        lands = [board["lands"][str(number)] for number in range(board["map"]["lands"])]
        owners = [land.get("owner", NONE) for land in lands]
        own = [sum(1 << land for land, owner in enumerate(owners) if owner == number) for number in range(len(seats))]
        mover = next((number for number in range(len(seats)) if player_in(board, number) == board.get("mover")), NONE)
        return cls(
            terrain=terrain_of(board["map"]["graph"]),
            me=seat,
            mover=mover,
            phase=PHASES.index(board["phase"]),
            own=own,
            owners=owners,
            soldiers=[land["soldiers"] for land in lands],
            capitals=[one.get("capital", NONE) for one in seats],
            heroes=[one.get("hero", NONE) for one in seats],
            alive=sum(one["alive"] << number for number, one in enumerate(seats)),
            had_hero=sum(one.get("hadHero", False) << number for number, one in enumerate(seats)),
            ports=sum(land.get("port", False) << number for number, land in enumerate(lands)),
            used=sum(1 << item for item in board.get("used", ())),
            item=seats[seat].get("item", 0),
            attacked=board.get("attacked", False),
            built=board.get("built", False),
        )

    def copy(self) -> PlayerView:
        found = copy(self)
        found.own, found.owners, found.soldiers = self.own[:], self.owners[:], self.soldiers[:]
        found.capitals, found.heroes = self.capitals[:], self.heroes[:]
        return found

    # ---- possession

    @property
    def mine(self) -> int:
        """The lands of the player to move, as a mask."""
        return self.own[self.mover]

    @property
    def taken(self) -> int:
        """The lands that have an owner, as a mask."""
        return sum(self.own)  # the sets are disjoint

    @property
    def neutral(self) -> int:
        return self.terrain.lands & ~self.taken

    @property
    def enemies(self) -> int:
        """The lands of all players except the player to move, as a mask."""
        return self.taken & ~self.own[self.mover]

    def total(self, seat: int) -> int:
        """Return the number of soldiers on all lands of a player."""
        soldiers = self.soldiers
        return sum([soldiers[land] for land in lands_in(self.own[seat])])

    def is_used(self, item: int) -> bool:
        return bool(self.used >> item & 1)

    # ---- ways

    def reach(self, land: int) -> int:
        """Return the lands that can be reached from this land, by land or (from a port) by sea."""
        terrain = self.terrain
        return terrain.near[land] | terrain.sea[land] if self.ports >> land & 1 else terrain.near[land]

    def way(self, start: int, end: int) -> int:
        """Return the number by which the power of an attack from `start` to `end` is divided.
        Return 0 if `end` can't be reached."""
        if self.terrain.near[start] >> end & 1:
            return BY_LAND
        return BY_SEA if self.ports >> start & 1 and self.terrain.sea[start] >> end & 1 else BY_NOTHING

    def reaching(self, land: int, among: int) -> int:
        """Return those lands in the set `among` from which this land can be reached."""
        terrain = self.terrain
        return (terrain.near[land] | terrain.sea[land] & self.ports) & among

    def reached(self, lands: int) -> int:
        """Return the lands that can be reached from any land in a set."""
        terrain, found = self.terrain, 0
        for land in lands_in(lands):
            found |= terrain.near[land]
        for land in lands_in(lands & self.ports):
            found |= terrain.sea[land]
        return found

    def fronts(self, targets: int) -> int:
        """Return the lands of the player to move from which at least one target can be reached."""
        return sum([1 << land for land in lands_in(self.own[self.mover]) if self.reach(land) & targets])

    def steps(self, fronts: int) -> list[int]:
        """For each land, return the number of steps to the nearest land in `fronts`. A path may
        cross only lands that belong to the player to move. If there is no path, the number is
        FAR."""
        terrain, mine, found = self.terrain, self.own[self.mover], [FAR] * len(self.soldiers)
        left, level, count = mine & ~fronts, fronts, 0
        while level:
            before = 0
            for land in lands_in(level):
                found[land] = count
                before |= terrain.near[land] | terrain.sea[land] & self.ports
            level = before & left
            left &= ~level
            count += 1
        return found

    # ---- powers

    def strength(self, land: int) -> int:
        """Return the attacking power of an owned land. It is the power of the soldiers on the land
        and of the owner's hero, if the hero is there."""
        owner = self.owners[land]
        hero = HERO_POWER_UNITS * self.total(owner) if self.heroes[owner] == land else 0
        return POWER_UNITS * self.soldiers[land] + hero

    def defence(self, land: int) -> int:
        """Return the defending power of an owned land. It includes the power of all lands that
        support it."""
        terrain, own, soldiers = self.terrain, self.own[self.owners[land]], self.soldiers
        hero = self.heroes[self.owners[land]]
        near = terrain.near[land] & own
        sea = terrain.sea[land] & own & self.ports
        found = POWER_UNITS * soldiers[land]
        for other in lands_in(near):
            found += POWER_UNITS * soldiers[other]
        for other in lands_in(sea):
            found += POWER_UNITS // 2 * soldiers[other]
        if hero != NONE and (near | sea | 1 << land) >> hero & 1:
            share = HERO_POWER_UNITS * self.total(self.owners[land])
            found += share // 2 if sea >> hero & 1 else share
        return found


def strongest(soldiers: list[int], lands: int) -> int:
    """Return the land in a set that has the most soldiers. Among lands with equally many soldiers,
    return the land with the lowest number. Return NONE if the set is empty."""
    return max(lands_in(lands), key=soldiers.__getitem__, default=NONE)
