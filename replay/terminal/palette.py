"""The colours of a game's board in a terminal. They are read from the page's style sheets."""

from __future__ import annotations

from functools import lru_cache

from replay.render.css import StyleSheets

STRENGTH = 0.55
"""The share of a line's colour in the cells that the line crosses. With a higher share, the text in
these cells would be hard to read."""


class Colours:
    """The colours of one game in one theme. Each colour has the form `#rrggbb`."""

    def __init__(self, slug: str, theme: str) -> None:
        self._styles = StyleSheets(slug, theme)
        self._colour = lru_cache(maxsize=256)(self._compute_colour)
        self.ground = self._colour("var(--ground)")
        self.other = mix(self.ground, self._colour("var(--ground-line)"), 0.25)
        """The colour of every second cell, as on a chessboard. It is needed because there are no
        lines between the cells."""
        self.quiet = self._colour("var(--quiet)")
        self.dashed = lru_cache(maxsize=64)(self._dashed)

    def _compute_colour(self, paint: str, group_classes: str = "") -> str:
        return self._styles.attributes("rect", "", paint, group_classes).get("fill", "#808080")

    def owner(self, number: int) -> str:
        return self._colour("var(--owner)", f"owner-{number}")

    def flag(self, number: int) -> str:
        """Return the flag colour that has this number. A flag has one colour for its cloth and one
        for its charge (the sign on it)."""
        return self._colour(f"var(--flag-{number})")

    def text_on(self, number: int) -> str:
        """Return the colour of text on an owner's pieces. `number` is the owner's colour number."""
        return self._colour("var(--on)", f"owner-{number}")

    def sunk(self, number: int) -> str:
        """Return the colour of an owner's sunk pieces. `number` is the owner's colour number."""
        return mix(self.owner(number), self._colour("var(--ink)"), STRENGTH)

    def field(self, kind: str) -> str:
        return self._colour(f"var(--field-{kind}, var(--ground-line))")

    def mark(self, kind: str) -> str:
        return self._colour(f"var(--mark-{kind}, var(--accent))")

    def line(self, kind: str) -> str:
        return mix(self.ground, self._colour(f"var(--line-{kind}, var(--accent))"), STRENGTH)

    def _dashed(self, kind: str) -> bool:
        """Return True if lines of this kind are dashed. A dashed line connects two cells and isn't
        drawn on the cells in between."""
        return self._styles.attributes("line", f"tracer {kind}").get("stroke-dasharray", "none") != "none"


def mix(one: str, other: str, share: float) -> str:
    """Return a mixture of two colours. `share` is the share of the second colour, from 0 to 1."""
    pairs = [(int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)
