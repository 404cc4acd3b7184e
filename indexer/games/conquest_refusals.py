"""Why the contract refuses a command of Conquest, in words, by the errors of its ABI."""

from __future__ import annotations

import re
from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "NoSuchMatch": "There is no such match.",
    "WrongStatus": "The match is not being played.",
    "StaleMove": "The match has moved on: {current} commands were given, and this one answers {given}.",
    "OtherPosition": "The position is another one than this command answers: chance or a reorg has changed it.",
    "NotAPlayer": "This account has no seat in the match.",
    "NotYourTurn": "It is another player's turn.",
    "NotExpired": "The clock has not run out yet.",
    "TooSoon": "The block that decides what chance brings is not there yet: it can go on from block {needed} on.",
    "WrongPhase": "That belongs to another phase of the turn.",
    "NoSuchLand": "There is no land {land}: the map has {lands} of them, from 0 on.",
    "NotYourLand": "Land {land} is not yours.",
    "NotNeutral": "Land {land} belongs to somebody.",
    "NotEnemy": "Land {land} belongs to no enemy.",
    "NotConnected": "There is no way from land {from} to land {to}.",
    "NotStronger": "Attack {index} is not stronger than the defence: {attack20} against {needed20} twentieths.",
    "NoWater": "Land {land} touches no water.",
    "PortThere": "Land {land} has ports already.",
    "OncePerTurn": "That was done in this turn already.",
    "BadCount": "A launch has {minimum} to {maximum} attacks.",
    "BadRatio": "A quarter, a half, three quarters or all of the soldiers move.",
    "NoHero": "The hero does not stand on land {land}.",
    "NothingToMove": "Nobody would move from land {land}.",
    "NoItem": "There is no item to use.",
    "NothingToSettle": "Nothing waits for chance.",
}
"""Sentences, with the values of the error by their names."""


def in_words(reason: str) -> tuple[str, str]:
    """The error's name and a sentence, of a node's reason as `execution reverted: TooSoon(current=5, needed=6)`; what
    is no error of these is its own sentence, without a name."""
    found = re.search(r"(\w+)\((.*)\)$", reason)
    if found is None or found[1] not in WORDS:
        return "", reason
    return found[1], WORDS[found[1]].format_map(dict(re.findall(r"(\w+)=([^,]*)", found[2])))
