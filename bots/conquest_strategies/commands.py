"""The format in which computer players give Conquest's commands, and constants of the game."""

from __future__ import annotations

from typing import TypeAlias

NONE = 255
"""The number that means "no seat" or "no land"."""
ALL_QUARTERS, HALF = 4, 2
MAX_SOLDIERS = 99_999
"""The maximum number of soldiers on one land. A land with this number can't receive more."""

Command: TypeAlias = tuple[int, tuple[int, ...]]
"""A command's kind and its lands, as the match's history stores them. For example, (5, (from, to,
from, to)) is an attack from two lands."""


# These are plain numbers, because a search uses them 100,000 times, and looking up an enum's member
# takes three times as long.
class CommandKind:
    CAPITAL, REINFORCE, PORT, PASS, SURRENDER, ATTACK, MOVE, USE = range(8)


class TurnPhase:
    REINFORCEMENT, ACTION, MOVE, CAPITAL = range(4)


class StoredItem:
    DISTANT, FULL_POWER, PORT_TOO, TWICE = range(1, 5)


TURN_OVER: Command = CommandKind.PASS, (0,)
PHASE_OVER: Command = CommandKind.PASS, (1,)
