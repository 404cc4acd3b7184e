"""The colours of a game's board in a terminal, read from the page's style sheets."""

from __future__ import annotations

from functools import lru_cache

from replay.render.css import StyleSheets

STRENGTH = 0.55
"""The share of a line's colour in the cells that the line crosses. It is low enough to keep the
text in these cells legible."""


class Colours:
    """The colours of one game in one theme, as `#rrggbb`."""

    def __init__(self, slug: str, theme: str) -> None:
        self._styles = StyleSheets(slug, theme)
        self._colour = lru_cache(maxsize=256)(self._compute_colour)
        self.ground = self._colour("var(--ground)")
        self.other = mix(self.ground, self._colour("var(--ground-line)"), 0.25)
        """The colour of every second cell, as on a chessboard, because there are no lines between
        cells."""
        self.quiet = self._colour("var(--quiet)")
        self.dashed = lru_cache(maxsize=64)(self._dashed)

    def _compute_colour(self, paint: str, group_classes: str = "") -> str:
        return self._styles.attributes("rect", "", paint, group_classes).get("fill", "#808080")

    def owner(self, number: int) -> str:
        return self._colour("var(--owner)", f"owner-{number}")

    def flag(self, number: int) -> str:
        """Return a colour of a flag. A flag has one for its cloth and one for its charge (the sign
        on it)."""
        return self._colour(f"var(--flag-{number})")

    def text_on(self, number: int) -> str:
        """Return the colour of text on an owner's piece."""
        return self._colour("var(--on)", f"owner-{number}")

    def sunk(self, number: int) -> str:
        """Return the colour for an owner's sunk piece."""
        return mix(self.owner(number), self._colour("var(--ink)"), STRENGTH)

    def field(self, kind: str) -> str:
        return self._colour(f"var(--field-{kind}, var(--ground-line))")

    def mark(self, kind: str) -> str:
        return self._colour(f"var(--mark-{kind}, var(--accent))")

    def line(self, kind: str) -> str:
        return mix(self.ground, self._colour(f"var(--line-{kind}, var(--accent))"), STRENGTH)

    def _dashed(self, kind: str) -> bool:
        """Return True if a line is dashed. A dashed line connects two cells and doesn't cover the
        cells in between."""
        return self._styles.attributes("line", f"tracer {kind}").get("stroke-dasharray", "none") != "none"


def mix(one: str, other: str, share: float) -> str:
    """Mix two colours. `share` is the share of the second colour."""
    pairs = [(int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)
