"""Events, and the changes that they make to boards."""

from typing import Annotated, Any, NotRequired

from api.shapes.fields import (
    BOB,
    HASH,
    NEXT_CURSOR,
    EventNumber,
    Hash,
    Height,
    MatchName,
    Patch,
    Seconds,
    Shape,
    about,
    example_hash,
)
from indexer.model import Event, match_name


class EventShape(Shape):
    """An event that the game's contract emitted."""

    seq: EventNumber
    name: Annotated[str, about("the event's name in the contract's ABI", "Moved")]
    args: Annotated[
        dict[str, Any],
        about(
            "the event's arguments with their names as keys, except `matchId` and `seq`; integers of more than "
            "48 bits are decimal strings, and bytes are 0x hex",
            {"ply": 1, "by": BOB, "from": 52, "to": 36},
        ),
    ]
    block: Annotated[Height, about("the height of the event's block")]
    hash: Annotated[Hash, about("the hash of the event's block")]
    tx: Annotated[str, about("the hash of the event's transaction", example_hash("e1"), pattern=HASH)]
    logIndex: Annotated[int, about("the position of the event's log among all logs of the block, starting at 0", 3)]
    time: Annotated[Seconds, about("the time of the event's block, in seconds since 1970")]


class EventsShape(Shape):
    """A page of a match's events."""

    match: MatchName
    events: Annotated[list[EventShape], about("the events in the order of `seq`")]
    next: NotRequired[
        Annotated[
            int, about("the value to send as `after` for the next page; absent if there are no more events yet", 5)
        ]
    ]


class NamedEventShape(EventShape):
    """An event with the name of its match."""

    match: MatchName


class AllEventsShape(Shape):
    """A page of events from several matches."""

    events: Annotated[list[NamedEventShape], about("the events in the chain's order, oldest first")]
    next: NotRequired[
        Annotated[str, about("the `cursor` for the next page; absent if there are no more events yet", NEXT_CURSOR)]
    ]


class DeltaShape(Shape):
    """The change that one event makes to the board."""

    seq: EventNumber
    patch: Patch


class DeltasShape(Shape):
    """The changes that some of a match's events make to the board."""

    match: MatchName
    deltas: Annotated[list[DeltaShape], about("the changes in the order of `seq`")]
    next: NotRequired[
        Annotated[
            int, about("the value to send as `after` for the next page; absent if there are no more events yet", 5)
        ]
    ]


def event(found: Event) -> EventShape:
    return {
        "seq": found.seq,
        "name": found.name,
        "args": found.args,
        "block": found.height,
        "hash": found.hash,
        "tx": found.tx,
        "logIndex": found.log_index,
        "time": found.time,
    }


def named_event(found: Event) -> NamedEventShape:
    return {**event(found), "match": match_name(found.game, found.match)}
