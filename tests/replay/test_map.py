"""Tests that a map shows each land's terrain, owner and number, both as text in the terminal and as
a drawing."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from rich.text import Text

from indexer.model import Json
from replay.render.css import StyleSheets
from replay.render.node_renderer import NodeRenderer
from replay.terminal.badges import badge
from replay.terminal.map_text import BORDER, GROUNDS, SEA, WATER, draw_map
from replay.terminal.palette import Colours
from replay.timeline import Timeline
from tests.replay.recorded_replays import of_transcript

MATCH = "conquest/six"
SIZE = (120, 60)


@pytest.fixture(scope="module")
def colours() -> Colours:
    return Colours("conquest", "light")


@pytest.fixture(scope="module")
def pictures() -> list[Json]:
    """Return three pictures of the replay: of an early frame, in which no land has an owner yet, of
    the middle frame, and of the last frame."""
    timeline = Timeline(of_transcript(MATCH))
    frames = timeline.frames()
    with NodeRenderer("conquest") as renderer:
        chosen = [frames[at] for at in (8, len(frames) // 2, -1)]
        return [renderer.still(timeline.still_input(frame))["picture"] for frame in chosen]


def letters(lines: list[Text]) -> str:
    return "\n".join(line.plain for line in lines)


@pytest.mark.parametrize("size", [SIZE, (80, 23), (48, 20), (200, 70), (24, 9)])
@pytest.mark.parametrize("at", range(3))
def test_a_map_fits(pictures: list[Json], colours: Colours, at: int, size: tuple[int, int]) -> None:
    lines = draw_map(pictures[at], colours, size)
    assert len(lines) <= size[1]
    assert {line.cell_len for line in lines} == {lines[0].cell_len}
    assert lines[0].cell_len <= size[0]


def test_it_says_of_each_land_whose_it_is_and_what_is_there(pictures: list[Json], colours: Colours) -> None:
    picture = pictures[1]
    text = letters(draw_map(picture, colours, SIZE, colour=False))
    regions = picture["map"]["regions"]
    numbers = re.findall(r"\d+", "\n".join(line[3:] for line in text.splitlines()[1:]))
    written = [number for number in numbers if number in {region["label"] for region in regions}]
    assert len(written) >= len(regions) * 0.9, "a label that would hide another one is left out"
    owners = {badge(region) for region in regions if region["colour"] >= 0}
    assert len(owners) > 2
    assert all(owner in text for owner in owners)
    assert SEA in text
    assert any(ground in text for ground in GROUNDS.values())
    assert "♛" in text


def test_each_letter_is_what_is_under_it(pictures: list[Json], colours: Colours) -> None:
    """Tests that each letter on the printed map shows the content of its cell. The map is printed
    at full size, with two letters for each cell."""
    picture = pictures[0]
    lines = draw_map(picture, colours, (200, 70), colour=False)[1:]
    assert len(lines) == 64
    for y, line in enumerate(lines):
        for x, letter in enumerate(line.plain[3:]):
            number = picture["map"]["cells"][64 * y + x // 2]
            assert (letter == SEA) <= (number >= WATER)
            if letter in GROUNDS.values() and number < WATER:
                assert letter == GROUNDS[picture["map"]["regions"][number]["texture"]]
    assert BORDER in letters(lines)


def test_colours_are_those_of_the_page(pictures: list[Json], colours: Colours) -> None:
    owner = next(region for region in pictures[1]["map"]["regions"] if region["colour"] >= 0)
    styles = {str(span.style) for line in draw_map(pictures[1], colours, SIZE) for span in line.spans}
    assert any(colours.owner(owner["colour"]) in style for style in styles)
    assert any(colours.field("water") in style for style in styles)


def test_a_drawing_keeps_its_numbers_before_their_outlines() -> None:
    """Tests that the drawing contains each number after the number's outline. Otherwise, a renderer
    without the page's styles would paint the outline over the number."""
    timeline = Timeline(of_transcript(MATCH))
    with NodeRenderer("conquest") as renderer:
        svg = renderer.svg(timeline.still_input(timeline.frames()[-1]))
    drawn = ElementTree.fromstring(StyleSheets("conquest").inlined(svg))
    numbers = [one for one in drawn.iter() if one.tag.endswith("text") and one.get("stroke")]
    assert numbers
    assert {one.get("paint-order") for one in numbers} == {"stroke"}
