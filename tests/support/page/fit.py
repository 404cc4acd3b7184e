"""Checks that a page fits into windows of different sizes. The board must be large, and nothing may
be cut off."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page

SIZES = {
    "390x844": (390, 844, 1),
    "844x390": (844, 390, 1),
    "1280x720": (1280, 720, 1),
    "1440x900": (1440, 900, 1),
    "3840x2160": (3840, 2160, 1),
    "zoom-200": (720, 450, 2),
}
"""The sizes of the windows: the width and height in CSS pixels, and the number of device pixels per
CSS pixel."""
LEAST_SHARE = 0.7
LOOKS, DRAWN_MS = 15, 150

MEASURED = """least => {
  const faults = [];
  const [wide, high] = [innerWidth, innerHeight];
  const name = e => `${e.tagName.toLowerCase()}${e.id ? '#' + e.id : ''}${[...e.classList].map(c => '.' + c).join('')}`;
  const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (over > 0) faults.push(`The page is ${over} pixels wider than the window.`);
  const board = document.querySelector('#board');
  if (board) {
    const box = board.getBoundingClientRect();
    const [across, down] = [Math.min(box.right, wide) - Math.max(box.left, 0), Math.min(box.bottom, high) - box.top];
    const share = Math.max(across, down) / Math.min(wide, high);
    if (share < least) faults.push(`The board fills ${Math.round(100 * share)} % of the window's smaller side.`);
    if (box.bottom > high + 1) faults.push(`The board ends ${Math.round(box.bottom - high)} pixels below the window.`);
  }
  const walker = document.createTreeWalker(document.querySelector('#page') ?? document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node; (node = walker.nextNode()); ) {
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest('.unseen, .skip, .effects, select, script')) continue;
    range.selectNodeContents(node);
    const text = range.getBoundingClientRect();
    if (!text.width || !parent.checkVisibility({ visibilityProperty: true })) continue;
    const label = `"${node.data.trim().slice(0, 40)}" in ${name(parent)}`;
    const style = getComputedStyle(parent);
    if (style.overflowX !== 'visible' && parent.scrollWidth > parent.clientWidth + 1 && style.display !== 'inline')
      faults.push(`${label} is cut: ${parent.scrollWidth} > ${parent.clientWidth}.`);
    else if (text.left < -1 || text.right > wide + 1) faults.push(`${label} leaves the window at its side.`);
    else
      for (let e = parent; e; e = e.parentElement) {
        const { overflowX, overflowY, clipPath } = getComputedStyle(e);
        if (clipPath !== 'none') break;
        const [beside, below] = [overflowX, overflowY].map(one => /hidden|clip/.test(one));
        const box = e.getBoundingClientRect();
        if ((beside && (text.left < box.left - 2 || text.right > box.right + 2)) ||
            (below && (text.top < box.top - 4 || text.bottom > box.bottom + 4))) {
          faults.push(`${label} is cut by ${name(e)}.`);
          break;
        }
        if (/auto|scroll/.test(overflowY)) break;
      }
  }
  return [...new Set(faults)];
}"""


def faults(page: Page) -> list[str]:
    """Wait until the page is drawn. Return its layout faults, each as a sentence: for example, a
    small board, a page that is too wide, or text that is cut off."""
    page.evaluate("() => window.scrollTo(0, 0)")
    found: list[str] = []
    for _ in range(LOOKS):
        page.wait_for_timeout(DRAWN_MS)
        found = page.evaluate(MEASURED, LEAST_SHARE)
        if not found:
            break
    return found


def resized(page: Page) -> Iterator[str]:
    """Resize the window to each size in turn, and yield the size's name. At the end, restore the
    original size."""
    before = page.viewport_size
    assert before is not None
    session = page.context.new_cdp_session(page)
    for name, (width, height, scale) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
        session.send("Emulation.setDeviceMetricsOverride", metrics)
        yield name
    session.send("Emulation.clearDeviceMetricsOverride")
    session.detach()
    page.set_viewport_size({"width": 1, "height": 1})
    page.set_viewport_size(before)
