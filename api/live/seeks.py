"""Searches for an opponent (seeks), and how players are paired. This module does no I/O. `advance`
computes the next state of all seeks from their last state and the time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from math import inf
from typing import Literal, TypeAlias

from indexer.model import Json

GRACE_SECONDS = 5.0
"""The seconds that a disconnected player has to come back before the pair is dissolved."""
ANSWER_SECONDS, OPEN_SECONDS, JOIN_SECONDS = 20.0, 90.0, 90.0
"""The time limits of three steps, in seconds. First, a player who is playing the computer accepts
the opponent. Next, one player opens the match. Finally, the other player joins it. The last two
limits leave time for a few blocks on a public chain."""
CLOSE_RATING, RATING_PER_SECOND, ANYBODY_SECONDS = 100, 50, 8.0
"""The maximum rating difference at the start of a search, its increase per second, and the seconds
after which ratings are ignored. The page offers the computer only after that time."""
MAX_COMPARED = 100
"""The maximum number of seeks that are compared per game and clock. Each seek is compared with
every other seek, so the time grows with the square of this number."""

SeekReason: TypeAlias = Literal["left", "late", "elsewhere", "unanswered", "joined"]
State: TypeAlias = Literal["waiting", "asked", "opening", "opened", "ended"]


@dataclass(frozen=True, slots=True)
class Seek:
    """A player's search for an opponent. Times are in seconds by the database's clock."""

    id: str
    account: str
    """The player's account, checksummed."""
    game: str
    clock: int
    """The seconds per move, or 0 if the game has no clock."""
    rating: int | None
    asks: bool
    """True if the player is playing the computer in the meantime, and must therefore accept an
    opponent first."""
    gateway: str
    """The gateway to which the player is connected."""
    since: float
    away_since: float | None = None
    """The time when the player lost the connection. None while the player is connected."""
    rival: str | None = None
    """The id of the opponent's seek while the two players are paired. The field keeps this name
    because the database stores it."""
    opens: bool = False
    """True if this player must open the match, which the opponent then joins."""
    accepted: bool = False
    match: int | None = None
    paired_at: float = 0
    """The time when the pair reached its current state."""
    why: SeekReason | None = None
    """The reason why the player waits again, or why the seek has ended."""
    ended: bool = False

    @property
    def content(self) -> Json:
        """The seek in the form in which the database stores it."""
        return asdict(self)


Seeks: TypeAlias = dict[str, Seek]
"""All seeks. The key is the seek's id."""


def state_of(seek: Seek, seeks: Mapping[str, Seek]) -> State:
    """Return the state of a seek as its player sees it."""
    opponent = seeks.get(seek.rival or "")
    if seek.ended:
        return "ended"
    if opponent is None or (seek.accepted and not opponent.accepted):
        return "waiting"
    if not seek.accepted:
        return "asked"
    return "opening" if seek.match is None else "opened"


def add(seeks: Seeks, seek: Seek) -> None:
    """Add a seek. Each account has at most one. The account's earlier seek ends or, after a lost
    connection, continues as this seek."""
    for other in of_account(seeks, seek.account):
        opponent = seeks.get(other.rival or "")
        if other.away_since is not None and opponent and (other.game, other.clock) == (seek.game, seek.clock):
            del seeks[other.id]
            seeks[opponent.id] = replace(opponent, rival=seek.id)
            seek = replace(other, id=seek.id, gateway=seek.gateway, away_since=None)
        else:
            seeks[other.id] = replace(other, ended=True, why="elsewhere")
    seeks[seek.id] = seek


def of_account(seeks: Mapping[str, Seek], account: str) -> list[Seek]:
    """Return the account's seeks that have not ended. There is at most one."""
    return [one for one in seeks.values() if one.account == account and not one.ended]


def disconnect(seeks: Seeks, key: str, now: float) -> None:
    """Handle the loss of a player's connection. A paired player can come back within
    GRACE_SECONDS."""
    seek = seeks.get(key)
    if seek is not None and not seek.ended and seek.rival in seeks:
        seeks[key] = replace(seek, away_since=now)
    else:
        remove(seeks, key)


def accept(seeks: Seeks, key: str, now: float) -> None:
    """Accept the proposed opponent."""
    seek = seeks.get(key)
    if seek is not None and seek.rival in seeks and not seek.accepted:
        seeks[key] = replace(seek, asks=False, accepted=True, paired_at=now)
        seeks[seek.rival] = replace(seeks[seek.rival], paired_at=now)


def set_opened(seeks: Seeks, key: str, match: int, now: float) -> None:
    """Record that the player has opened this match for the pair. Do nothing if the other player
    must open the match."""
    seek = seeks.get(key)
    if seek is not None and seek.opens and seek.rival in seeks and state_of(seek, seeks) == "opening":
        seeks[key] = replace(seek, match=match, paired_at=now)
        seeks[seek.rival] = replace(seeks[seek.rival], match=match, paired_at=now)


def remove(seeks: Seeks, key: str, joined: bool = False) -> None:
    """End a search. `joined` is True if both players are in the match that was opened for them. In
    that case, the opponent's search ends too."""
    seek = seeks.pop(key, None)
    opponent = seeks.get(seek.rival or "") if seek else None
    if joined and opponent is not None and opponent.match is not None:
        seeks[opponent.id] = replace(opponent, ended=True, why="joined")


def advance(seeks: Mapping[str, Seek], now: float) -> Seeks:
    """Return the next state of all seeks. Players who have been away for too long are removed, and
    their opponents wait again. Suitable players are paired."""
    found = {key: one for key, one in seeks.items() if now - (one.away_since or now) <= GRACE_SECONDS}
    for seek in list(found.values()):
        why = _timeout_reason(seek, found, now)
        if why:
            found[seek.id] = replace(seek, ended=True, why=why)
    _release_unpaired(found)
    for one, other in _pairs([seek for seek in found.values() if _can_be_paired(seek, found)], now):
        found[one.id] = replace(one, rival=other.id, opens=True, accepted=not one.asks, paired_at=now, why=None)
        found[other.id] = replace(other, rival=one.id, opens=False, accepted=not other.asks, paired_at=now, why=None)
    _release_unpaired(found)
    return found


def _release_unpaired(seeks: Seeks) -> None:
    """Make paired players wait again if their opponent has left or is paired with someone else.
    Remove players who are away and not paired."""
    for seek in list(seeks.values()):
        opponent = seeks.get(seek.rival or "")
        if seek.rival and not seek.ended and (opponent is None or opponent.ended or opponent.rival != seek.id):
            late = opponent is not None and opponent.why in ("late", "unanswered")
            seeks[seek.id] = _back_to_waiting(seek, "late" if late else "left")
    for seek in list(seeks.values()):
        if seek.away_since is not None and seek.rival is None:
            del seeks[seek.id]


def _can_be_paired(seek: Seek, seeks: Mapping[str, Seek]) -> bool:
    """Return True if the player is connected and waiting, perhaps for the answer of an opponent who
    is playing the computer."""
    return state_of(seek, seeks) == "waiting" and seek.away_since is None


def counts(seeks: Mapping[str, Seek]) -> dict[str, dict[int, int]]:
    """Return the number of waiting players for each game and each clock. Players who are playing
    the computer aren't counted."""
    found: dict[str, dict[int, int]] = {}
    for seek in seeks.values():
        if state_of(seek, seeks) == "waiting" and not seek.asks:
            clocks = found.setdefault(seek.game, {})
            clocks[seek.clock] = clocks.get(seek.clock, 0) + 1
    return found


def _timeout_reason(seek: Seek, seeks: Mapping[str, Seek], now: float) -> SeekReason | None:
    """Return the reason to end this seek if its player has kept the opponent waiting for too long.
    Otherwise, return None."""
    waited, state = now - seek.paired_at, state_of(seek, seeks)
    if state == "asked" and waited > ANSWER_SECONDS:
        return "unanswered"
    if state == "opening" and seek.opens and waited > OPEN_SECONDS:
        return "late"
    if state == "opened" and not seek.opens and waited > JOIN_SECONDS:
        return "late"
    return None


def _back_to_waiting(seek: Seek, why: SeekReason) -> Seek:
    return replace(seek, rival=None, opens=False, accepted=False, match=None, paired_at=0, why=why)


def _pairs(waiting: Sequence[Seek], now: float) -> Iterator[tuple[Seek, Seek]]:
    """Yield pairs of seeks. The player of the first seek opens the match.

    - The player who has waited longer opens the match, unless that player must accept an opponent.
    - Pairs in which nobody must accept come first, then pairs with a smaller rating difference,
      then pairs that have waited longer."""
    queues: dict[tuple[str, int], list[Seek]] = {}
    for seek in sorted(waiting, key=lambda seek: (seek.asks, seek.since, seek.id)):
        queues.setdefault((seek.game, seek.clock), []).append(seek)
    for queue in queues.values():
        taken: set[str] = set()
        candidates = [
            (one, other) for one, other in combinations(queue[:MAX_COMPARED], 2) if _should_play(one, other, now)
        ]
        for one, other in sorted(candidates, key=_preference):
            if taken.isdisjoint((one.id, other.id)) and not (other.asks and (one.rival or other.rival)):
                taken |= {one.id, other.id}
                yield one, other


def _preference(pair: tuple[Seek, Seek]) -> tuple[int, float, float]:
    one, other = pair
    distance = _distance(one, other)
    return one.asks + other.asks, inf if distance is None else distance, min(one.since, other.since)


def _distance(one: Seek, other: Seek) -> int | None:
    """Return the difference between the two ratings, or None if one of the players has no
    rating."""
    return None if one.rating is None or other.rating is None else abs(one.rating - other.rating)


def _should_play(one: Seek, other: Seek, now: float) -> bool:
    """Return True if these two waiting players should play each other now."""
    if one.account == other.account:
        return False
    waited = now - min(one.since, other.since)
    distance = _distance(one, other)
    return distance is None or waited > ANYBODY_SECONDS or distance <= CLOSE_RATING + RATING_PER_SECOND * waited
