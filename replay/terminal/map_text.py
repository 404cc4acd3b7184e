"""Draws a map with characters. They show the lands with their owners and numbers.

A character is twice as high as it is wide, so a map has twice as many columns as lines. Water is
drawn as `~`. A land with an owner is filled with the owner's shape, and a neutral land with the
character for its texture. Borders are blank. In a terminal with colours, each type of ground has
its own colour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rich.style import Style
from rich.text import Text

from indexer.model import Json
from indexer.sanitize import printable
from replay.terminal.badges import badge
from replay.terminal.palette import Colours

WATER = 128
"""The lowest value of a water cell. If a cell's value is lower, it is the number of the land to
which the cell belongs."""
SEA, QUAY, LAND, BORDER = "~", "=", ".", " "
GROUNDS: Mapping[str, str] = {"dune": ":", "tree": "^", "peak": "A", "wave": ",", "grass": '"'}
"""The characters for the textures that are defined in layouts/map/signs.js."""
SIGNS: Mapping[str, str] = {"crown": "♛", "hero": "♞", "fort": "#", "star": "*", "gift": "?"}
"""The characters for signs on a land, such as a capital or a hero. They are written after the
land's number."""
MIN_LINES, MAX_LABEL = 8, 8


@dataclass(frozen=True, slots=True)
class Grid:
    """The size of a drawn map. The map has `width` x `height` cells, and is drawn with `letters`
    columns and `lines` lines of text."""

    letters: int
    lines: int
    width: int
    height: int

    def cell(self, letter: int, line: int) -> int:
        """Return the map's cell in the middle of the area that a character shows."""
        x = (2 * letter + 1) * self.width // (2 * self.letters)
        return (2 * line + 1) * self.height // (2 * self.lines) * self.width + x

    def spot(self, cell: int) -> tuple[int, int]:
        """Return the column and the line of the character that shows a cell of the map."""
        return cell % self.width * self.letters // self.width, cell // self.width * self.lines // self.height


def draw_map(picture: Json, colours: Colours, size: tuple[int, int], colour: bool = True) -> list[Text]:
    """Draw a map, and return the lines of text. `size` is the maximum number of columns and lines.
    The map is divided into sectors. Their letters are in the first line, and their numbers at the
    start of lines."""
    drawn, width, height = picture["map"], picture["width"], picture["height"]
    sector = max(1, int(drawn["sector"]))
    edge = len(str(-(-height // sector))) + 1
    lines = max(MIN_LINES, min(height, size[1] - 1, (size[0] - edge) // 2))
    grid = Grid(min(2 * lines, max(1, size[0] - edge)), lines, width, height)
    signs = {cell: QUAY for region in drawn["regions"] for cell in region["ports"]}
    board = [[_ground(drawn, grid, (x, y), colours, colour) for x in range(grid.letters)] for y in range(lines)]
    for cell, sign in signs.items():
        x, y = grid.spot(cell)
        board[y][x] = (sign, board[y][x][1])
    for region in drawn["regions"]:
        _write(board, grid, region, colours, colour)
    names = _names(grid, sector)
    text = [Text(" " * edge + names, "dim", no_wrap=True)]
    for y, row in enumerate(board):
        number = y * height // lines // sector + 1
        is_first = y == 0 or (y - 1) * height // lines // sector + 1 != number
        line = Text((str(number) if is_first else "").rjust(edge - 1) + " ", "dim", no_wrap=True)
        for letter, style in row:
            line.append(letter, style)
        text.append(line)
    return text


def _ground(drawn: Json, grid: Grid, spot: tuple[int, int], colours: Colours, colour: bool) -> tuple[str, Style]:
    number = drawn["cells"][grid.cell(*spot)]
    if number >= WATER:
        return SEA, Style(dim=True, bgcolor=colours.field("water") if colour else None)
    region = drawn["regions"][number]
    if region["colour"] < 0:
        letter, ground = GROUNDS.get(region["texture"], LAND), colours.field(printable(region["ground"]))
    else:
        letter, ground = badge(region), colours.owner(region["colour"])
    if any(number != other < WATER for other in _after(drawn, grid, *spot)):
        letter = BORDER
    return letter, _style(region, colours, ground if colour else None, dim=True)


def _after(drawn: Json, grid: Grid, x: int, y: int) -> list[int]:
    """Return the values of the map's cells at two characters: the character to the right of (x, y),
    and the character below (x, y). Leave out characters outside the drawn map."""
    spots = ([(x + 1, y)] if x + 1 < grid.letters else []) + ([(x, y + 1)] if y + 1 < grid.lines else [])
    return [drawn["cells"][grid.cell(*spot)] for spot in spots]


def _style(region: Json, colours: Colours, ground: str | None, **more: Any) -> Style:
    ink = colours.text_on(region["colour"]) if region["colour"] >= 0 and ground else None
    return Style(color=ink, bgcolor=ground, **more)


def _write(board: list[list[tuple[str, Style]]], grid: Grid, region: Json, colours: Colours, colour: bool) -> None:
    """Write a land's number and signs in the middle of the land. Leave them out if they would cover
    the number or signs of another land."""
    label = printable(region["label"]) + "".join(SIGNS.get(sign, "") for sign in region["signs"])
    label = label[:MAX_LABEL]
    x, y = grid.spot(region["cell"])
    first = max(0, min(x - len(label) // 2, grid.letters - len(label)))
    ground = colours.owner(region["colour"]) if region["colour"] >= 0 else colours.field(printable(region["ground"]))
    style = _style(region, colours, ground if colour else None, bold=True)
    if len(label) > grid.letters or any(one[1].bold for one in board[y][first : first + len(label)]):
        return
    for at, letter in enumerate(label):
        board[y][first + at] = (letter, style)


def _names(grid: Grid, sector: int) -> str:
    """Return a line with the letters of the sectors, each above the first column of its sector. The
    letters of very narrow sectors can be missing."""
    text, last = "", -1
    for x in range(grid.letters):
        number = x * grid.width // grid.letters // sector
        text += chr(ord("A") + number % 26) if number != last else " "
        last = number
    return text
