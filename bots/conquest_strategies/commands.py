"""Commands of Conquest as a computer player has them, and the numbers in them."""

from __future__ import annotations

from typing import TypeAlias

NONE = 255
"""No seat, no land."""
ALL_QUARTERS, HALF = 4, 2
MOST_SOLDIERS = 99_999
"""On a land: none can be moved to a full one."""

Command: TypeAlias = tuple[int, tuple[int, ...]]
"""Its kind and its lands, as the history has them: (5, (from, to, from, to))."""


# plain numbers: an enum's members take three times as long to look up, a search does so a hundred thousand times
class CommandKind:
    CAPITAL, REINFORCE, PORT, PASS, SURRENDER, ATTACK, MOVE, USE = range(8)


class TurnPhase:
    REINFORCEMENT, ACTION, MOVE, CAPITAL = range(4)


class StoredItem:
    DISTANT, FULL_POWER, PORT_TOO, TWICE = range(1, 5)


TURN_OVER: Command = CommandKind.PASS, (0,)
PHASE_OVER: Command = CommandKind.PASS, (1,)
