"""Blocks, and how events and matches refer to blocks."""

from typing import Annotated

from api.shapes.fields import Hash, Height, Seconds, Shape, about
from indexer.model import Block, Event, Summary


class BlockShape(Shape):
    """An indexed block of the chain."""

    height: Height
    hash: Annotated[Hash, about("the block's hash")]
    time: Seconds


def block(of: Block | Event | Summary) -> BlockShape:
    """Return the shape of a block. `of` is the block itself, or an event in it, or a match with its
    last event in it."""
    return {"height": of.height, "hash": of.hash, "time": of.time}


def tip_ref(tip: Block | None) -> BlockShape:
    """Return the shape of the newest block, or zeros while there is no block."""
    return block(tip) if tip else {"height": 0, "hash": "0x" + "0" * 64, "time": 0}
