"""Tests that standalone SVG drawings look like the drawings that a browser displays with the page's
style sheets."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser

from api.static import page
from replay.render.css import StyleSheets
from replay.render.node_renderer import NodeRenderer
from replay.timeline import Timeline
from tests.replay.recorded_replays import of_transcript

PAINTED = """svg => [svg, ...svg.querySelectorAll("*")].filter(one => one.tagName !== "title").map(one => {
  const style = getComputedStyle(one);
  const seen = (name) => {
    const [red, green, blue, alpha = 1] = (style[name].match(/[\\d.]+/g) ?? []).map(Number);
    const opacity = alpha * Number(style[`${name}Opacity`]);
    return style[name] === "none" ? "none" : [red, green, blue, Math.round(opacity * 100)].join();
  };
  const words = ["strokeWidth", "strokeDasharray", "strokeLinecap", "opacity", "fontSize", "fontWeight", "textAnchor"];
  const text = one.tagName === "text" ? words : words.filter(name => !name.startsWith("font"));
  return [one.tagName, seen("fill"), seen("stroke"), ...text.map(name => style[name])].join(" | ");
})"""
"""A script that returns how the browser paints each element of a drawing. The returned colours
include the opacity."""


def sheets(slug: str) -> str:
    return "".join(sheet.read_text("utf-8") for sheet in page.style_sheets(slug))


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.soak)])
@pytest.mark.parametrize(
    "name", ["tic-tac-toe/two-lines", "battleship/lie", "touche-coule/fought-out", "deblockle/sheet"]
)
def test_a_drawing_that_stands_alone_is_painted_as_in_the_page(chromium: Browser, name: str, theme: str) -> None:
    timeline = Timeline(of_transcript(name))
    slug = timeline.replay["game"]["slug"]
    steps = timeline.frames()
    tab = chromium.new_page(reduced_motion="reduce")
    with NodeRenderer(slug) as renderer:
        for frame in (steps[0], steps[len(steps) // 2], steps[-1]):
            drawing = renderer.svg(timeline.still_input(frame))
            assert painted(tab, StyleSheets(slug, theme).inlined(drawing)) == in_the_page(tab, drawing, slug, theme)
    tab.close()


def painted(tab: Any, svg: str) -> list[str]:
    tab.set_content(svg)
    found: list[str] = tab.locator("svg").evaluate(PAINTED)
    return found


def in_the_page(tab: Any, svg: str, slug: str, theme: str) -> list[str]:
    place = f'<main data-game="{slug}" data-status="playing"><div id="board" class="board">{svg}</div></main>'
    tab.set_content(f'<html data-theme="{theme}"><style>{sheets(slug)}</style><body>{place}</body></html>')
    found: list[str] = tab.locator("#board > svg").evaluate(PAINTED)
    return found
