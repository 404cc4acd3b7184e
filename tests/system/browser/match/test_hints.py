"""Tests that the hint in a player's first match covers no other element, whatever the window's
size. The first move must remove the hint without moving the board."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.support.page.fit import faults
from tests.support.server import Server
from tests.system.browser.conftest import Visit
from tests.system.browser.lobby.test_play import FIRST_MOVES, press
from tests.system.browser.lobby.test_play import site as site

SIZES: tuple[ViewportSize, ...] = (
    {"width": 1440, "height": 900},
    {"width": 844, "height": 390},
    {"width": 390, "height": 844},
    {"width": 360, "height": 640},
)
AWAITED = """() => {
  const { match, game } = document.querySelector('main').dataset;
  const { boards, state } = window.chainboard;
  return match && (game === 'touche-coule' || boards[match].board.mover === state.me);
}"""
"""A script that returns true if it is the player's turn. In Touché Coulé, all players can move at
any time, so the script returns true as soon as there is a match."""
COVERED_ELEMENTS = """() => {
  const hint = document.querySelector('#hint');
  const controls = [...document.querySelectorAll('button, a[href], summary, input, select, .player, #whose')];
  const points = controls.filter(one => !hint.contains(one) && one.checkVisibility()).map(one => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return [one.id || one.className, left + width / 2, top + height / 2];
  });
  const { left, top, width, height } = document.querySelector('#board').getBoundingClientRect();
  for (let i = 0; i < 400; i++)
    points.push([`board ${i}`, left + (i % 20 + 0.5) / 20 * width, top + (Math.floor(i / 20) + 0.5) / 20 * height]);
  return points.filter(([, x, y]) => hint.contains(document.elementFromPoint(x, y))).map(([name]) => name);
}"""
MOVED_BY_IT = """() => {
  const places = () => [...document.querySelectorAll('#board, #whose, .player, .actions button.loud')].map(one => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [one.id || one.className, x, y, width, height].join(' ');
  });
  const hint = document.querySelector('#hint');
  const before = places();
  hint.classList.add('away');
  const after = places();
  hint.classList.remove('away');
  return before.filter((one, i) => one !== after[i]);
}"""
"""A script that removes the hint and returns the elements that this moves or resizes."""


@pytest.mark.parametrize("slug", FIRST_MOVES)
def test_the_hint_covers_nothing_and_the_first_move_ends_it(
    site: Server, visit: Visit, page_errors: list[str], slug: str
) -> None:
    page = visit(site.url + "/", hints=True)
    press(page, f"#play-{slug}")
    page.wait_for_function(AWAITED)
    page.wait_for_selector("#hint")
    for size in SIZES:
        page.set_viewport_size(size)
        assert faults(page) == []
        page.evaluate("() => window.scrollTo(0, 0)")
        assert page.evaluate(COVERED_ELEMENTS) == [], size
        assert page.evaluate(MOVED_BY_IT) == [], size
        page.evaluate("() => document.querySelector('#hint').scrollIntoView({ block: 'center' })")
        assert page.evaluate(COVERED_ELEMENTS) == [], size
        page.evaluate("() => window.scrollTo(0, 0)")
    FIRST_MOVES[slug][1](page)
    expect(page.locator("#hint")).to_be_hidden()
    page.reload()
    page.wait_for_selector("#board :is(svg, canvas)")
    expect(page.locator("#hint")).to_have_count(0)
    assert page_errors == []
