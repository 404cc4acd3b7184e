"""Regenerates the icons for the page's web app manifest, in `frontend-static/icons/`, from
icon.svg. `make icons` runs this module."""

from __future__ import annotations

import re

import resvg_py

from api.static import page

SIZES = (192, 512)
BACKGROUND_COLOR = "#f6f3ec"
"""The page's background in the light theme (`--page`), which the manifest uses too. Operating
systems draw icons in the same way in all themes."""
MARK_SHARE = {"": 0.68, "maskable-": 0.55}
"""The size of the mark relative to the icon's side. The mark is smaller in a maskable icon, because
an operating system can cut off everything outside a circle whose diameter is four fifths of the
side."""
CORNER_RADIUS = {"": 0.22, "maskable-": 0.0}
"""The radius of the background's corners relative to the side. The radius is 0 in a maskable icon,
because the mask of the operating system rounds the corners."""
MARK_SVG = re.compile(r'<svg [^>]*viewBox="0 0 (?P<side>\d+) \d+"[^>]*>(?P<inner>.*)</svg>', re.DOTALL)
DARK_MODE_RULE = re.compile(r"@media[^{]*\{(?:[^{}]|\{[^}]*\})*\}")


def icon(kind: str, size: int) -> bytes:
    """Return an icon as PNG. `kind` is a key of `MARK_SHARE`."""
    found = MARK_SVG.search((page.source_folder() / "icon.svg").read_text("utf-8"))
    assert found is not None
    scale = size * MARK_SHARE[kind] / int(found["side"])
    edge = size * (1 - MARK_SHARE[kind]) / 2
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}">'
        f'<rect width="{size}" height="{size}" rx="{size * CORNER_RADIUS[kind]}" fill="{BACKGROUND_COLOR}"/>'
        f'<g transform="translate({edge} {edge}) scale({scale})">{DARK_MODE_RULE.sub("", found["inner"])}</g></svg>'
    )
    return resvg_py.svg_to_bytes(svg_string=svg)


def main() -> None:
    folder = page.source_folder() / "icons"
    folder.mkdir(exist_ok=True)
    for kind in MARK_SHARE:
        for size in SIZES:
            (folder / f"{kind}{size}.png").write_bytes(icon(kind, size))


if __name__ == "__main__":
    main()
