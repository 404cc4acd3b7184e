"""Tests that the fonts for pictures have a glyph for each character in the page's texts and names.
The font files must be small and have licences."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from PIL import ImageFont

from api.static import page
from replay.export.raster import FONT_FILES

LATIN = [file for file in FONT_FILES if "DejaVu" in file]
CHINESE = [file for file in FONT_FILES if "DejaVu" not in file]
NOWHERE = "\U000f0000"
"""A private-use character, which no font has."""
MAX_BYTES = 700_000


def tables() -> list[Path]:
    return [*page.source_folder().rglob("messages/*.json"), page.source_folder() / "names/words.json"]


@cache
def font(file: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(file, 32)


def has(file: str, letter: str) -> bool:
    """Return True if the font draws this letter differently from a missing glyph."""
    return bytes(font(file).getmask(letter)) != bytes(font(file).getmask(NOWHERE))


def test_every_character_of_the_tables_has_a_glyph() -> None:
    """Tests that the fonts have a glyph for every character in the page's texts. If this test
    fails, run `make fonts`."""
    letters = {one for file in tables() for one in json.dumps(json.loads(file.read_text("utf-8")), ensure_ascii=False)}
    assert len(letters) > 700
    missing = [
        letter
        for letter in sorted(letters - {" ", "\u00a0", "\u202f"})
        if not all(has(file, letter) for file in (LATIN if letter < "\u2e80" else CHINESE))
    ]
    assert missing == []


@pytest.mark.parametrize("letter", ["é", "É", "ç", "œ", "’", "…", "●", "✓", "❚", "▶"])
def test_accents_and_signs_are_there_in_each_weight(letter: str) -> None:
    assert all(has(file, letter) for file in LATIN)


def test_they_are_small_and_their_licence_is_beside_them() -> None:
    assert len(CHINESE) == 1
    assert Path(CHINESE[0]).stat().st_size < MAX_BYTES
    assert "Apache License" in Path(CHINESE[0]).with_name("DroidSansFallback.LICENSE.txt").read_text("utf-8")
