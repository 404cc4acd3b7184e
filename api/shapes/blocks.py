"""Blocks, and references to them."""

from api.shapes.fields import Hash, Height, Seconds, Shape
from indexer.model import Block, Event, Summary


class BlockShape(Shape):
    """An indexed block of the chain."""

    height: Height
    hash: Hash
    time: Seconds


def block(of: Block | Event | Summary) -> BlockShape:
    """Return the shape of a block, or of the block with an event or with a match's last event."""
    return {"height": of.height, "hash": of.hash, "time": of.time}


def tip_ref(tip: Block | None) -> BlockShape:
    """Return the newest block, or zeros while there is none."""
    return block(tip) if tip else {"height": 0, "hash": "0x" + "0" * 64, "time": 0}
