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
    name: Annotated[str, about("the event's name in the contract", "Moved")]
    args: Annotated[
        dict[str, Any],
        about(
            "the event's arguments; integers of more than 48 bits are decimal strings, and bytes are 0x hex",
            {"ply": 1, "by": BOB, "from": 52, "to": 36},
        ),
    ]
    block: Height
    hash: Annotated[Hash, about("the block's hash")]
    tx: Annotated[str, about("the transaction's hash", example_hash("e1"), pattern=HASH)]
    logIndex: Annotated[int, about("the log's position in the block", 3)]
    time: Seconds


class EventsShape(Shape):
    """A page of a match's events."""

    match: MatchName
    events: Annotated[list[EventShape], about("the events in order")]
    next: NotRequired[Annotated[int, about("the `after` of the next page; if absent, there are no more events yet", 5)]]


class NamedEventShape(EventShape):
    """An event with the name of its match."""

    match: MatchName


class AllEventsShape(Shape):
    """A page of events from several matches."""

    events: Annotated[list[NamedEventShape], about("the events in the chain's order")]
    next: NotRequired[
        Annotated[str, about("the `cursor` of the next page; if absent, there are no more events yet", NEXT_CURSOR)]
    ]


class DeltaShape(Shape):
    """The change that one event makes to the board."""

    seq: EventNumber
    patch: Patch


class DeltasShape(Shape):
    """The changes that some of a match's events make to the board."""

    match: MatchName
    deltas: Annotated[list[DeltaShape], about("the changes in the order of events")]
    next: NotRequired[Annotated[int, about("the `after` of the next page; if absent, there are no more events yet", 5)]]


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
