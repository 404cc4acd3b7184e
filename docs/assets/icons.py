"""Makes `frontend-static/icons/` anew from icon.svg: what the page's manifest names. `make icons` runs it."""

from __future__ import annotations

import re

import resvg_py

from api.static import page

SIZES = (192, 512)
GROUND = "#f6f3ec"
"""--page of the light scheme, as the manifest has it: a system draws an icon without knowing the scheme."""
SHARE = {"": 0.68, "maskable-": 0.55}
"""How much of the icon's side the mark takes. A mask may leave a circle of four fifths of it."""
ROUND = {"": 0.22, "maskable-": 0.0}
"""How round the ground's corners are; a mask cuts its own."""
MARK = re.compile(r'<svg [^>]*viewBox="0 0 (?P<side>\d+) \d+"[^>]*>(?P<inner>.*)</svg>', re.DOTALL)
DARK = re.compile(r"@media[^{]*\{(?:[^{}]|\{[^}]*\})*\}")


def icon(kind: str, size: int) -> bytes:
    """An icon as PNG; `kind`: of SHARE."""
    found = MARK.search((page.folder() / "icon.svg").read_text("utf-8"))
    assert found is not None
    scale = size * SHARE[kind] / int(found["side"])
    edge = size * (1 - SHARE[kind]) / 2
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}">'
        f'<rect width="{size}" height="{size}" rx="{size * ROUND[kind]}" fill="{GROUND}"/>'
        f'<g transform="translate({edge} {edge}) scale({scale})">{DARK.sub("", found["inner"])}</g></svg>'
    )
    return resvg_py.svg_to_bytes(svg_string=svg)


def main() -> None:
    folder = page.folder() / "icons"
    folder.mkdir(exist_ok=True)
    for kind in SHARE:
        for size in SIZES:
            (folder / f"{kind}{size}.png").write_bytes(icon(kind, size))


if __name__ == "__main__":
    main()
