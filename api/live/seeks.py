"""Who waits for an opponent, and who is paired with whom. Pure: `advance` makes the next state of all seeks from the
last one and the time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Literal, TypeAlias

from indexer.model import Json

EXPIRY_SECONDS = 5.0
"""A seek whose gateway is silent for so long is gone."""
ANSWER_SECONDS, OPEN_SECONDS, JOIN_SECONDS = 20.0, 90.0, 90.0
"""How long a player is asked who plays a computer meanwhile, and how long the match may take to be opened, and to be
joined: a few blocks of a public chain."""
CLOSE_RATING, RATING_A_SECOND, ANYBODY_SECONDS = 100, 50, 8.0
"""How far two ratings may be apart at first, by how much more after each second, and when it does not matter any more:
before the computer is offered."""
MAX_COMPARED = 100
"""Of those who wait for the same: each is compared with each."""

Why: TypeAlias = Literal["left", "late", "elsewhere", "unanswered", "joined"]
State: TypeAlias = Literal["waiting", "asked", "opening", "opened", "ended"]


@dataclass(frozen=True, slots=True)
class Seek:
    """One player who waits. Times in seconds of the database's clock."""

    id: str
    account: str
    """With its checksum."""
    game: str
    clock: int
    """Seconds for a move; 0: the game has no clock."""
    rating: int | None
    asks: bool
    """Whether the player wants to be asked first: a computer is played meanwhile."""
    since: float
    seen_at: float
    """When the gateway last said that the player is connected."""
    rival: str | None = None
    """The seek that it is paired with."""
    opens: bool = False
    """Whether this player opens the match; the other one joins it."""
    accepted: bool = False
    match: int | None = None
    paired_at: float = 0
    """When the pair came to where it is."""
    why: Why | None = None
    """Why it waits again, or has ended."""
    ended: bool = False

    @property
    def content(self) -> Json:
        """For the database."""
        return asdict(self)


Seeks: TypeAlias = dict[str, Seek]
"""By id."""


def state_of(seek: Seek, seeks: Mapping[str, Seek]) -> State:
    """Where a seek has come to, as its player sees it."""
    rival = seeks.get(seek.rival or "")
    if seek.ended:
        return "ended"
    if rival is None or (seek.accepted and not rival.accepted):
        return "waiting"
    if not seek.accepted:
        return "asked"
    return "opening" if seek.match is None else "opened"


def add(seeks: Seeks, seek: Seek) -> None:
    """Adds a seek. An account waits once: an earlier seek of it ends."""
    for other in [one for one in seeks.values() if one.account == seek.account and not one.ended]:
        seeks[other.id] = replace(other, ended=True, why="elsewhere")
    seeks[seek.id] = seek


def accept(seeks: Seeks, key: str, now: float) -> None:
    """The player who was asked plays."""
    seek = seeks.get(key)
    if seek is not None and seek.rival in seeks and not seek.accepted:
        seeks[key] = replace(seek, accepted=True, paired_at=now)
        seeks[seek.rival] = replace(seeks[seek.rival], paired_at=now)


def set_opened(seeks: Seeks, key: str, match: int, now: float) -> None:
    """The player who opens has opened this match."""
    seek = seeks.get(key)
    if seek is not None and seek.opens and seek.rival in seeks and state_of(seek, seeks) == "opening":
        seeks[key] = replace(seek, match=match, paired_at=now)
        seeks[seek.rival] = replace(seeks[seek.rival], match=match, paired_at=now)


def remove(seeks: Seeks, key: str, joined: bool = False) -> None:
    """The player waits no more. `joined`: the match that was opened for the two has both, and needs nobody here."""
    seek = seeks.pop(key, None)
    rival = seeks.get(seek.rival or "") if seek else None
    if joined and rival is not None and rival.match is not None:
        seeks[rival.id] = replace(rival, ended=True, why="joined")


def advance(seeks: Mapping[str, Seek], now: float) -> Seeks:
    """What has expired goes, those whom it leaves alone wait again, and those who fit are paired."""
    found = {key: seek for key, seek in seeks.items() if now - seek.seen_at <= EXPIRY_SECONDS}
    for seek in list(found.values()):
        why = _too_late(seek, found, now)
        if why:
            found[seek.id] = replace(seek, ended=True, why=why)
    for seek in list(found.values()):
        rival = found.get(seek.rival or "")
        if seek.rival and not seek.ended and (rival is None or rival.ended):
            late = rival is not None and rival.why in ("late", "unanswered")
            found[seek.id] = _waiting(seek, "late" if late else "left")
    for one, other in _pairs([seek for seek in found.values() if seek.rival is None and not seek.ended], now):
        found[one.id] = replace(one, rival=other.id, opens=True, accepted=not one.asks, paired_at=now, why=None)
        found[other.id] = replace(other, rival=one.id, accepted=not other.asks, paired_at=now, why=None)
    return found


def counts(seeks: Mapping[str, Seek]) -> dict[str, dict[int, int]]:
    """How many wait, without those who play a computer meanwhile: by game and clock."""
    found: dict[str, dict[int, int]] = {}
    for seek in seeks.values():
        if seek.rival is None and not seek.ended and not seek.asks:
            clocks = found.setdefault(seek.game, {})
            clocks[seek.clock] = clocks.get(seek.clock, 0) + 1
    return found


def _too_late(seek: Seek, seeks: Mapping[str, Seek], now: float) -> Why | None:
    """Why a player who let the other one wait is out."""
    waited, state = now - seek.paired_at, state_of(seek, seeks)
    if state == "asked" and waited > ANSWER_SECONDS:
        return "unanswered"
    if state == "opening" and seek.opens and waited > OPEN_SECONDS:
        return "late"
    if state == "opened" and not seek.opens and waited > JOIN_SECONDS:
        return "late"
    return None


def _waiting(seek: Seek, why: Why) -> Seek:
    return replace(seek, rival=None, opens=False, accepted=False, match=None, paired_at=0, why=why)


def _pairs(waiting: Sequence[Seek], now: float) -> Iterator[tuple[Seek, Seek]]:
    """Who opens comes first: who waits longer, unless that one has to be asked. Those who need not be asked are paired
    first, then the nearest in rating, then those who wait longest."""
    queues: dict[tuple[str, int], list[Seek]] = {}
    for seek in sorted(waiting, key=lambda seek: (seek.asks, seek.since, seek.id)):
        queues.setdefault((seek.game, seek.clock), []).append(seek)
    for queue in queues.values():
        taken: set[str] = set()
        fitting = [(one, other) for one, other in combinations(queue[:MAX_COMPARED], 2) if _fit(one, other, now)]
        for one, other in sorted(fitting, key=_preference):
            if taken.isdisjoint((one.id, other.id)):
                taken |= {one.id, other.id}
                yield one, other


def _preference(pair: tuple[Seek, Seek]) -> tuple[int, int, float]:
    one, other = pair
    return one.asks + other.asks, _distance(one, other) or 0, min(one.since, other.since)


def _distance(one: Seek, other: Seek) -> int | None:
    """None where one of them has no rating."""
    return None if one.rating is None or other.rating is None else abs(one.rating - other.rating)


def _fit(one: Seek, other: Seek, now: float) -> bool:
    waited = now - min(one.since, other.since)
    distance = _distance(one, other)
    return distance is None or waited > ANYBODY_SECONDS or distance <= CLOSE_RATING + RATING_A_SECOND * waited
