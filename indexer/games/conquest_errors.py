"""Messages that explain why Conquest's contract rejects a command."""

from __future__ import annotations

import re
from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "NoSuchMatch": "There is no match {matchId}.",
    "WrongStatus": "The match is not being played.",
    "StaleMove": "This is command {given}, but the match is waiting for command {current}.",
    "OtherPosition": "The position has changed since this command was prepared, because of a random draw or a reorg.",
    "NotAPlayer": "This account has no seat in the match.",
    "NotYourTurn": "It is another player's turn.",
    "NotExpired": "The clock has not run out yet.",
    "TooSoon": "The block that decides the random draw hasn't been mined yet. Try again at block {needed} or later.",
    "WrongPhase": "You can't do that in this phase of the turn.",
    "NoSuchLand": "There is no land {land}. The map has {lands} lands, numbered from 0.",
    "NotYourLand": "Land {land} is not yours.",
    "NotNeutral": "Land {land} belongs to a player, but it must be neutral.",
    "NotEnemy": "Land {land} does not belong to an enemy.",
    "NotConnected": "Land {from} is not connected to land {to}.",
    "NotStronger": "Attack {index} has a power of {attack20} twentieths, but it must exceed the defence of "
    "{needed20} twentieths.",
    "NoWater": "Land {land} does not touch water.",
    "PortThere": "Land {land} already has a port.",
    "OncePerTurn": "You can do that only once per turn.",
    "BadCount": "You can launch {minimum} to {maximum} attacks at a time.",
    "BadRatio": "You can move a quarter, half, three quarters or all of the soldiers.",
    "NoHero": "Your hero is not on land {land}.",
    "NothingToMove": "This command would move no soldiers from land {land}.",
    "NoItem": "You have no item to use.",
    "NothingToSettle": "No random draw is pending.",
}
"""The key is the error's name in the contract. A placeholder in a message is an error's value."""


def message_of(reason: str) -> tuple[str, str]:
    """Return the name of the contract's error and the message for it. `reason` is the text in the
    node's answer, such as `execution reverted: TooSoon(current=5, needed=6)`. For any other text,
    return an empty name and the text itself."""
    found = re.search(r"(\w+)\((.*)\)$", reason)
    if found is None or found[1] not in MESSAGES:
        return "", reason
    return found[1], MESSAGES[found[1]].format_map(dict(re.findall(r"(\w+)=([^,]*)", found[2])))
