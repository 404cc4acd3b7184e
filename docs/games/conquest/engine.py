"""A client's own engine of Conquest: a match played again from its history, by the rules and nothing else."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

from indexer.rules.conquest_state import history
from indexer.rules.conquest_state.battle import powers
from indexer.rules.conquest_state.draws import carry_out
from indexer.rules.conquest_state.graph import BY_NOTHING, BY_SEA, LandGraph
from indexer.rules.conquest_state.state import NO_DRAW, NONE, ConquestState

Json = dict[str, Any]
NOBODY = NONE


class Kind(IntEnum):
    """A command's type."""

    CAPITAL, REINFORCE, PORT, PASS, SURRENDER, ATTACK, MOVE, USE = range(8)


class Phase(IntEnum):
    """Part of a turn, or the choice of capitals before the first one."""

    REINFORCEMENT, ACTION, MOVE, CAPITALS = range(4)


class Attack(NamedTuple):
    """`surplus20`: of the attack over the defence, in twentieths of a soldier."""

    start: int
    end: int
    surplus20: int


class Engine:
    """`state`: as `GET …/state` tells it once the match is played; `number`: the match's."""

    def __init__(self, state: Json, number: int) -> None:
        accounts = [player["account"] for player in state["players"]]
        self.game = ConquestState.begun(LandGraph.read(bytes.fromhex(state["graph"][2:])), number, accounts)

    def follow(self, answer: Json) -> None:
        """Executes what `GET …/commands?from=` answer: each command after its draw, then the draw behind the last one.
        Raises ValueError for what the rules do not permit, and for one that was executed already."""
        for command in answer["commands"]:
            if command["index"] != self.game.ply:
                raise ValueError(f"command {command['index']} comes after {self.game.ply} commands")
            self._draw(command.get("draw"))
            if command["playerId"] != self.game.mover:
                raise ValueError(f"command {command['index']} is not by the player {self.game.mover}")
            history.apply(self.game, command["type"], history.data_of(command))
        self._draw(answer.get("draw"))

    def _draw(self, draw: Json | None) -> None:
        """Once: the one behind the last command comes with the next command, too."""
        if draw is not None and self.game.draw != NO_DRAW:
            carry_out(self.game, bytes.fromhex(draw["seed"][2:]))

    @property
    def waits_for_chance(self) -> bool:
        return self.game.draw != NO_DRAW

    def ways(self, seat: int, owner: int) -> list[tuple[int, int]]:
        """From the seat's lands to those of an owner, by land or by sea."""
        lands = [(start, end) for start in self.game.lands(seat) for end in self.game.lands(owner)]
        return [way for way in lands if self.game.connection(*way) != BY_NOTHING]

    def attacks(self, seat: int) -> list[Attack]:
        """On all enemies that can be reached, the strongest first; one without a surplus is not permitted."""
        enemies = [one for one in range(self.game.seats) if one != seat]
        found = [self._attack(*way) for enemy in enemies for way in self.ways(seat, enemy)]
        return sorted(found, key=lambda one: -one.surplus20)

    def _attack(self, start: int, end: int) -> Attack:
        attack20, defence20 = powers(self.game, start, end)
        divisor = 2 if self.game.connection(start, end) == BY_SEA else 1
        return Attack(start, end, attack20 - defence20 * divisor)
