"""The shape of a block, which events and matches also use to refer to their block."""

from typing import Annotated

from api.shapes.fields import Hash, Height, Seconds, Shape, about
from indexer.model import Block, Event, Summary


class BlockShape(Shape):
    """An indexed block of the chain."""

    height: Height
    hash: Annotated[Hash, about("the block's hash")]
    time: Seconds


def block(of: Block | Event | Summary) -> BlockShape:
    """Return the shape of a block. The argument is the block itself, an event in the block, or a
    match whose last event is in the block."""
    return {"height": of.height, "hash": of.hash, "time": of.time}


def tip_ref(tip: Block | None) -> BlockShape:
    """Return the shape of the newest block, or a block of zeros while there is none."""
    return block(tip) if tip else {"height": 0, "hash": "0x" + "0" * 64, "time": 0}
