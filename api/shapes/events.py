"""Events and their changes of boards."""

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
    name: Annotated[str, about("the contract's name for it", "Moved")]
    args: Annotated[
        dict[str, Any],
        about(
            "its arguments; an integer of more than 48 bits in Solidity is a decimal string, bytes are 0x hex",
            {"ply": 1, "by": BOB, "from": 52, "to": 36},
        ),
    ]
    block: Height
    hash: Annotated[Hash, about("the block's hash")]
    tx: Annotated[str, about("hash of the transaction", example_hash("e1"), pattern=HASH)]
    logIndex: Annotated[int, about("its position among the block's logs", 3)]
    time: Seconds


class EventsShape(Shape):
    """Some of a match's events."""

    match: MatchName
    events: Annotated[list[EventShape], about("by number")]
    next: NotRequired[Annotated[int, about("`after` of the next page; absent: there are no more events yet", 5)]]


class NamedEventShape(EventShape):
    """An event with its match."""

    match: MatchName


class AllEventsShape(Shape):
    """A page of events of several matches."""

    events: Annotated[list[NamedEventShape], about("in the chain's order")]
    next: NotRequired[
        Annotated[str, about("`cursor` of the next page; absent: there are no more events yet", NEXT_CURSOR)]
    ]


class DeltaShape(Shape):
    """The change of the board by one event."""

    seq: EventNumber
    patch: Patch


class DeltasShape(Shape):
    """The changes of the board by some of a match's events."""

    match: MatchName
    deltas: Annotated[list[DeltaShape], about("by event number")]
    next: NotRequired[Annotated[int, about("`after` of the next page; absent: there are no more events yet", 5)]]


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
