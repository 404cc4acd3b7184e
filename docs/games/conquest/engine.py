"""The client's Conquest engine, which replays a match from its history according to the rules."""

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
    """The type of a command."""

    CAPITAL, REINFORCE, PORT, PASS, SURRENDER, ATTACK, MOVE, USE = range(8)


class Phase(IntEnum):
    """A phase of a turn, or the choice of capitals before the first turn."""

    REINFORCEMENT, ACTION, MOVE, CAPITALS = range(4)


class Attack(NamedTuple):
    """A possible attack. `surplus20` is the attack's strength minus the strength that it must
    exceed, in twentieths of a soldier."""

    start: int
    end: int
    surplus20: int


class Engine:
    """Computes the position in a match.

    `state` is the response to `GET …/state` after the start of the match, and `number` is the
    match's number."""

    def __init__(self, state: Json, number: int) -> None:
        accounts = [player["account"] for player in state["players"]]
        self.game = ConquestState.begun(LandGraph.read(bytes.fromhex(state["graph"][2:])), number, accounts)

    def follow(self, answer: Json) -> None:
        """Execute the commands in the response to `GET …/commands?from=`.

        Each command comes with the random draw before it. The draw after the last command comes at
        the end of the response. Raises ValueError if the rules forbid a command, or if a command
        isn't the next one."""
        for command in answer["commands"]:
            if command["index"] != self.game.ply:
                raise ValueError(f"expected command {self.game.ply}, not command {command['index']}")
            self._draw(command.get("draw"))
            if command["playerId"] != self.game.mover:
                raise ValueError(f"command {command['index']} is not by player {self.game.mover}, whose turn it is")
            history.apply(self.game, command["type"], history.data_of(command))
        self._draw(answer.get("draw"))

    def _draw(self, draw: Json | None) -> None:
        """Apply a random draw unless it was applied before.

        Each draw can arrive twice: first as the draw after the last command and, in a later
        response, as the draw before the next command."""
        if draw is not None and self.game.draw != NO_DRAW:
            carry_out(self.game, bytes.fromhex(draw["seed"][2:]))

    @property
    def waits_for_chance(self) -> bool:
        return self.game.draw != NO_DRAW

    def ways(self, seat: int, owner: int) -> list[tuple[int, int]]:
        """Return all pairs (start, end) that are connected by land or by sea. `seat` owns the land
        `start`, and `owner` owns the land `end`."""
        lands = [(start, end) for start in self.game.lands(seat) for end in self.game.lands(owner)]
        return [way for way in lands if self.game.connection(*way) != BY_NOTHING]

    def attacks(self, seat: int) -> list[Attack]:
        """Return the attacks on all enemies within reach, the strongest first.

        Attacks without a surplus come last, because the rules forbid them."""
        enemies = [one for one in range(self.game.seats) if one != seat]
        found = [self._attack(*way) for enemy in enemies for way in self.ways(seat, enemy)]
        return sorted(found, key=lambda one: -one.surplus20)

    def _attack(self, start: int, end: int) -> Attack:
        attack20, defence20 = powers(self.game, start, end)
        divisor = 2 if self.game.connection(start, end) == BY_SEA else 1
        return Attack(start, end, attack20 - defence20 * divisor)
