"""Tests that a fleet's encoding, layout and commitment are those in the test vectors. The contract,
Python and the browser share these vectors.

- Given a fleet's string
  - Its encoding and its commitment should be as in the vectors
  - When the string names five ships that are on the grid and don't overlap
    - The fleet should cover the tiles that the vectors list
  - When the string is not a legal fleet
    - The string should be rejected with the first fault that applies
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from indexer.rules.battleship import (
    LENGTHS,
    TILES,
    FleetFault,
    IllegalFleet,
    commitment,
    fault,
    mask,
    parse,
)
from indexer.rules.bipf import bipf

VECTORS = json.loads((Path(__file__).parents[2] / "fixtures/vectors/battleship.json").read_text("utf-8"))
FLEET = "PH12 SH81 DV7 BV51 CH40"


def raw(text: str) -> bytes:
    return bytes.fromhex(text[2:])


@pytest.mark.parametrize("one", VECTORS["commitments"], ids=lambda one: one["note"])
def test_a_fleet_is_sealed_as_the_protocol_does(one: dict[str, str]) -> None:
    assert bipf([one["ships"], raw(one["nonce"])]) == raw(one["encoded"])
    assert commitment(one["ships"], raw(one["nonce"])) == raw(one["commitment"])


@pytest.mark.parametrize("one", VECTORS["not_commitments"], ids=lambda one: one["note"])
def test_ships_and_nonce_put_together_are_no_commitment(one: dict[str, str]) -> None:
    assert commitment(one["ships"], raw(one["nonce"])) != raw(one["commitment"])


@pytest.mark.parametrize("one", VECTORS["legal"], ids=lambda one: one["ships"])
def test_a_legal_fleet_covers_its_tiles(one: dict[str, Any]) -> None:
    assert parse(one["ships"]) == {letter: tuple(tiles) for letter, tiles in one["boats"].items()}
    assert hex(mask(one["ships"])) == one["mask"]
    assert fault(one["ships"]) == FleetFault.NONE


@pytest.mark.parametrize("one", VECTORS["illegal"], ids=lambda one: one["note"])
def test_an_illegal_fleet_is_rejected_with_its_fault(one: dict[str, Any]) -> None:
    assert fault(one["ships"]) == one["fault"]
    with pytest.raises(IllegalFleet) as refused:
        mask(one["ships"])
    assert (refused.value.ships, refused.value.fault) == (one["ships"], one["fault"])


@pytest.mark.parametrize(("letter", "places"), [("P", 178), ("S", 158), ("D", 158), ("B", 138), ("C", 118)])
def test_each_ship_has_as_many_places_as_the_sheet_counts(letter: str, places: int) -> None:
    """Tests a ship at every tile, in both directions. The ship is on the grid if the whole fleet is
    legal, or if the fleet's only fault is that ships overlap."""
    others = {"P": "PH12", "S": "SH81", "D": "DV7", "B": "BV51", "C": "CH40"}
    rest = " ".join(ship for other, ship in others.items() if other != letter)
    faults = [fault(f"{letter}{way}{tile} {rest}") for way in "HV" for tile in range(TILES)]
    assert sum(one in (FleetFault.NONE, FleetFault.OVERLAP) for one in faults) == places
    assert faults.count(FleetFault.OFF_THE_GRID) == 2 * TILES - places


def test_a_fleet_occupies_17_tiles() -> None:
    assert sum(LENGTHS.values()) == mask(FLEET).bit_count() == 17


@pytest.mark.parametrize(
    ("value", "encoded"),
    [
        ("hello", "2868656c6c6f"),
        ("", "00"),
        ("m\u00f4terhead", "506dc3b474657268656164"),
        ({"foo": True}, "3518666f6f0e01"),
        ([], "04"),
        ({}, "05"),
        (None, "06"),
        (True, "0e01"),
        (False, "0e00"),
        (b"\xca\xfe", "11cafe"),
        (-1, "22ffffffff"),
        (100, "2264000000"),
        (1.234, "435839b4c876bef33f"),
        (list(range(1, 10)), "ec02" + "".join(f"220{number}000000" for number in range(1, 10))),
        ({"M": [bytes(range(20)), bytes(range(20, 40)), 26, "X"]},
         f"bd03084d9c03a101{bytes(range(20)).hex()}a101{bytes(range(20, 40)).hex()}221a0000000858"),
        ({"I": [raw(VECTORS["commitments"][0]["commitment"])]},
         f"b502084994028102{VECTORS['commitments'][0]['commitment'][2:]}"),
    ],
)  # fmt: skip
def test_values_are_encoded_as_bipf_says(value: Any, encoded: str) -> None:
    assert bipf(value).hex() == encoded


def test_what_bipf_does_not_know_is_rejected() -> None:
    with pytest.raises(TypeError, match="set"):
        bipf({1, 2})
