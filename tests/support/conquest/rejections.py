"""Commands that Conquest rejects. Each entry also contains the position and the expected error."""

from __future__ import annotations

from typing import Any

from indexer.rules.conquest_state.state import ACTION, CAPITAL, MOVE, REINFORCEMENT
from tests.support.conquest.maps import bits, graph_bytes, row_of_lands

LANDS = 8
GRAPH = graph_bytes(LANDS, [(land, land + 1) for land in range(7)], [[0, 5, 3], [6]])
OWNED = [[0, 1, 3], [7, 4, 6]]


def pairs(*lands: int) -> str:
    return "0x" + bytes(lands).hex()


REJECTED: list[tuple[int, dict[str, Any], str, dict[str, Any], tuple[Any, ...]]] = [
    (ACTION, {}, "chooseCapital", {"land": 2}, ("WrongPhase", 1, 3)),
    (CAPITAL, {}, "chooseCapital", {"land": 8}, ("NoSuchLand", 8, 8)),
    (CAPITAL, {}, "chooseCapital", {"land": 7}, ("NotNeutral", 7, 1)),
    (ACTION, {}, "reinforce", {"land": 0}, ("WrongPhase", 1, 0)),
    (CAPITAL, {}, "reinforce", {"land": 0}, ("WrongPhase", 3, 0)),
    (REINFORCEMENT, {}, "reinforce", {"land": 255}, ("NoSuchLand", 255, 8)),
    (REINFORCEMENT, {}, "reinforce", {"land": 2}, ("NotYourLand", 2, 255)),
    (REINFORCEMENT, {}, "reinforce", {"land": 7}, ("NotYourLand", 7, 1)),
    (MOVE, {}, "buildPort", {"land": 0}, ("WrongPhase", 2, 1)),
    (ACTION, {}, "buildPort", {"land": 9}, ("NoSuchLand", 9, 8)),
    (ACTION, {}, "buildPort", {"land": 7}, ("NotYourLand", 7, 1)),
    (ACTION, {}, "buildPort", {"land": 1}, ("NoWater", 1)),
    (ACTION, {"ports": [0]}, "buildPort", {"land": 0}, ("PortThere", 0)),
    (REINFORCEMENT, {}, "pass", {"phaseOnly": True}, ("WrongPhase", 0, 1)),
    (MOVE, {}, "pass", {"phaseOnly": True}, ("WrongPhase", 2, 1)),
    (CAPITAL, {}, "pass", {"phaseOnly": False}, ("WrongPhase", 3, 255)),
    (CAPITAL, {"stored": {0: 1}}, "useItem", {}, ("WrongPhase", 3, 255)),
    (ACTION, {}, "useItem", {}, ("NoItem",)),
    (MOVE, {}, "capture", {"from": 1, "to": 2}, ("WrongPhase", 2, 1)),
    (ACTION, {}, "capture", {"from": 8, "to": 2}, ("NoSuchLand", 8, 8)),
    (ACTION, {}, "capture", {"from": 1, "to": 99}, ("NoSuchLand", 99, 8)),
    (ACTION, {}, "capture", {"from": 7, "to": 2}, ("NotYourLand", 7, 1)),
    (ACTION, {}, "capture", {"from": 3, "to": 4}, ("NotNeutral", 4, 1)),
    (ACTION, {}, "capture", {"from": 1, "to": 1}, ("NotNeutral", 1, 0)),
    (ACTION, {}, "capture", {"from": 0, "to": 2}, ("NotConnected", 0, 2)),
    (ACTION, {}, "capture", {"from": 0, "to": 5}, ("NotConnected", 0, 5)),
    (REINFORCEMENT, {}, "attack", {"pairs": pairs(3, 4)}, ("WrongPhase", 0, 1)),
    (ACTION, {}, "attack", {"pairs": pairs(3, 4, 3)}, ("BadCount", 3, 1, 16)),
    (ACTION, {}, "attack", {"pairs": pairs()}, ("BadCount", 0, 1, 16)),
    (ACTION, {}, "attack", {"pairs": pairs(*[3, 4] * 17)}, ("BadCount", 17, 1, 16)),
    (ACTION, {}, "attack", {"pairs": pairs(3, 96)}, ("NoSuchLand", 96, 8)),
    (ACTION, {}, "attack", {"pairs": pairs(7, 4)}, ("NotYourLand", 7, 1)),
    (ACTION, {}, "attack", {"pairs": pairs(1, 2)}, ("NotEnemy", 2, 255)),
    (ACTION, {}, "attack", {"pairs": pairs(1, 0)}, ("NotEnemy", 0, 0)),
    (ACTION, {}, "attack", {"pairs": pairs(1, 4)}, ("NotConnected", 1, 4)),
    (ACTION, {}, "attack", {"pairs": pairs(3, 4)}, ("NotStronger", 0, 200, 200)),
    (
        ACTION,
        {"soldiers": [9, 9, 9, 20, 9, 9, 9, 9]},
        "attack",
        {"pairs": pairs(*[3, 4] * 3)},
        ("NotStronger", 0, 400, 540),
    ),
    (ACTION, {"soldiers": [9, 9, 9, 20, 9, 9, 9, 9]}, "attack", {"pairs": pairs(3, 4, 1, 2)}, ("NotEnemy", 2, 255)),
    (ACTION, {}, "move", {"from": 0, "to": 1, "quarters": 2, "hero": False}, ("WrongPhase", 1, 2)),
    (MOVE, {}, "move", {"from": 8, "to": 1, "quarters": 2, "hero": False}, ("NoSuchLand", 8, 8)),
    (MOVE, {}, "move", {"from": 7, "to": 1, "quarters": 2, "hero": False}, ("NotYourLand", 7, 1)),
    (MOVE, {}, "move", {"from": 1, "to": 2, "quarters": 2, "hero": False}, ("NotYourLand", 2, 255)),
    (MOVE, {}, "move", {"from": 0, "to": 1, "quarters": 0, "hero": False}, ("BadRatio", 0)),
    (MOVE, {}, "move", {"from": 0, "to": 1, "quarters": 5, "hero": False}, ("BadRatio", 5)),
    (MOVE, {}, "move", {"from": 0, "to": 0, "quarters": 1, "hero": False}, ("NotConnected", 0, 0)),
    (MOVE, {}, "move", {"from": 0, "to": 3, "quarters": 1, "hero": False}, ("NotConnected", 0, 3)),
    (MOVE, {}, "move", {"from": 0, "to": 1, "quarters": 1, "hero": True}, ("NoHero", 0)),
    (MOVE, {"heroes": {0: 1}}, "move", {"from": 0, "to": 1, "quarters": 1, "hero": True}, ("NoHero", 0)),
    (MOVE, {"soldiers": [3] * 8}, "move", {"from": 0, "to": 1, "quarters": 1, "hero": False}, ("NothingToMove", 0)),
    (
        MOVE,
        {"soldiers": [3, 99_999, *[0] * 6]},
        "move",
        {"from": 0, "to": 1, "quarters": 4, "hero": False},
        ("NothingToMove", 0),
    ),
]
"""Each entry has the phase, further properties of the position, the function, its arguments, and
the name and values of the expected error."""


def with_row(index: int, value: int, lands: int = 8, **more: Any) -> bytes:
    """Return a map in which the lands form a row. One 12-byte row of its data is replaced by
    `value`."""
    data = row_of_lands(lands, **more)
    return data[: 2 + 12 * index] + value.to_bytes(12) + data[14 + 12 * index :]


ROW = row_of_lands(8, waters=[[0, 3]])
BAD_MAPS = [
    (b"", 1, 0),
    (b"\x08", 1, 1),
    (ROW[:-1], 1, len(ROW) - 1),
    (ROW + b"\x00", 1, len(ROW) + 1),
    (row_of_lands(97), 2, 97),
    (row_of_lands(97)[:-1], 2, 97),
    (row_of_lands(7), 2, 7),
    (row_of_lands(8, waters=[[0]] * 9), 3, 9),
    (with_row(2, 0b1010 | 1 << 8), 4, 2),
    (with_row(8, 1 << 95, waters=[[0, 3]]), 4, 8),
    (with_row(11, 1 << 8), 4, 11),
    (with_row(3, bits([2, 3, 4])), 5, 3),
    (with_row(3, bits([2])), 6, 4),
    (with_row(8, 0, waters=[[0, 3]]), 7, 0),
    (row_of_lands(8, types={5: 0}), 8, 5),
    (row_of_lands(8, types={6: 6}), 8, 6),
    (row_of_lands(8, types={0: 7}), 8, 0),
    (row_of_lands(8, soldiers=[100] * 6 + [101, 102]), 9, 6),
    (graph_bytes(8, [(land, land + 1) for land in range(7) if land != 4]), 10, 5),
]
"""Invalid graphs. Each entry also has the number and the place of the fault."""
ISLANDS_JOINED_BY_WATER = graph_bytes(8, [(land, land + 1) for land in range(7) if land != 4], [[0, 7]])
"""A graph of two parts that have no common border. Only a body of water connects them."""
