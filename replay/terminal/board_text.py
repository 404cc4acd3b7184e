"""Draws a board with characters in a terminal. One row of cells takes one or more lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from indexer.model import Json
from indexer.sanitize import printable
from replay.terminal.badges import badge
from replay.terminal.map_text import draw_map
from replay.terminal.palette import Colours

MARKS = {"burst": "*", "cross": "x", "dot": "•", "splash": "o"}
SUNK, EMPTY, SEVERAL = "x", "·", "+"
SIZES = ((7, 3), (3, 1), (2, 1), (1, 1))
"""The possible sizes of a cell, in columns and lines of text. The largest is first."""
CHIP = 3
"""The number of columns of text that a piece takes in a large cell."""
GAP = 3
"""The number of columns of text between two boards."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of a drawn board. A block of text with `letters` columns and `lines` lines shows
    `columns` x `rows` cells of the board."""

    columns: int
    rows: int
    letters: int
    lines: int


@dataclass(slots=True)
class Cell:
    """The contents of a cell. `ink` is the text's colour, and `ground` is the cell's colour. If
    there is a piece, `chip` is the colour behind the text."""

    text: str = ""
    ink: str | None = None
    ground: str | None = None
    chip: str | None = None
    bold: bool = False


def draw_boards(picture: Json, colours: Colours, size: tuple[int, int], colour: bool = True) -> list[Text]:
    """Draw all boards in a picture side by side, and return the lines of text. `size` is the
    maximum number of columns and lines of text. If the boards have too many cells, several cells
    share a block of text."""
    if picture.get("map"):
        return draw_map(picture, colours, size, colour)
    parts: list[Json] = picture.get("parts") or [picture]
    titles = [printable(part.get("title") or "") for part in parts]
    high = size[1] - 1 - any(titles)
    wide = (size[0] - GAP * (len(parts) - 1)) // len(parts) - len(str(picture["height"])) - 1
    scale = _scale(picture["width"], picture["height"], max(1, wide), max(1, high))
    drawn = [_board(part, colours, scale, colour) for part in parts]
    if any(titles):
        drawn = [[_title(title, lines), *lines] for title, lines in zip(titles, drawn, strict=True)]
    return [Text(" " * GAP).join(row) for row in zip(*drawn, strict=True)]


def _title(title: str, lines: list[Text]) -> Text:
    text = Text(title, style="bold", no_wrap=True)
    text.truncate(lines[0].cell_len, pad=True, overflow="ellipsis")
    return text


def _scale(width: int, height: int, wide: int, high: int) -> Scale:
    for letters, lines in SIZES:
        if width * letters <= wide and height * lines <= high:
            return Scale(1, 1, letters, lines)
    rows = -(-height // high)
    columns = max(-(-width // wide), rows // 2, 1)  # a character is twice as high as it is wide
    return Scale(columns, rows, min(SIZES[1][0], wide // -(-width // columns)), 1)


def _board(part: Json, colours: Colours, scale: Scale, colour: bool) -> list[Text]:
    cells = _cells(part, colours)
    if (empty := printable(part.get("empty") or "")) and scale.columns == scale.rows == 1:
        for at in range(part["width"] * part["height"]):
            cell = cells.setdefault(at, Cell())
            cell.text, cell.ink = cell.text or empty, cell.ink or colours.quiet
    merged = _merge_cells(cells, part["width"], scale)
    width, height = -(-part["width"] // scale.columns), -(-part["height"] // scale.rows)
    edge = len(str(part["height"]))
    names = [_name(part, column * scale.columns) for column in range(width)]
    lines = [_columns(names, scale, edge)]
    for row in range(height):
        for line in range(scale.lines):
            middle = line == scale.lines // 2
            text = Text((str(row * scale.rows + 1) if middle else "").rjust(edge) + " ", style="dim", no_wrap=True)
            for column in range(width):
                cell = merged.get((column, row), Cell())
                behind = cell.ground or (colours.other if (row + column) % 2 else colours.ground)
                text.append(_drawn(cell, behind, scale.letters, middle, EMPTY if not colour else ""))
            lines.append(text)
    return lines


def _merge_cells(cells: dict[int, Cell], width: int, scale: Scale) -> dict[tuple[int, int], Cell]:
    """Merge the cells that share a block of text. Among them, a piece takes precedence over a
    mark."""
    found: dict[tuple[int, int], Cell] = {}
    for at, cell in sorted(cells.items()):
        position = (at % width // scale.columns, at // width // scale.rows)
        known = found.get(position)
        if known is None or (cell.chip and not known.chip) or (cell.text and not known.text):
            found[position] = cell
        elif cell.chip:
            found[position] = replace(known, text=SEVERAL)
    return found


def _drawn(cell: Cell, behind: str, width: int, middle: bool, empty: str) -> Text:
    """Return one line of a cell. Only the middle line contains the cell's text. If the cell has a
    piece, the colour behind this text is that of the piece."""
    style = Style(color=cell.ink, bgcolor=behind, bold=cell.bold)
    if not middle or not cell.chip:
        return Text(_fitted((cell.text or empty) if middle else "", width), style)
    sides = " " * max(0, (width - CHIP) // 2)
    chip = Text(_fitted(cell.text, width - 2 * len(sides)), style + Style(bgcolor=cell.chip))
    return Text.assemble((sides, style), chip, (sides, style))


def _fitted(letters: str, width: int) -> str:
    if cell_len(letters) > width:
        letters = letters[:1] if width == 1 and cell_len(letters[:1]) == 1 else _last(letters, width)
    left = (width - cell_len(letters)) // 2
    return " " * left + letters + " " * (width - cell_len(letters) - left)


def _last(letters: str, width: int) -> str:
    """Return the end of the text, with as many characters as fit into `width` columns. A Chinese
    character takes two columns."""
    while cell_len(letters) > width:
        letters = letters[1:]
    return letters


def _columns(names: list[str], scale: Scale, edge: int) -> Text:
    """Return a line of text with the names of the board's columns. If the names take too much
    space, show only every 2nd name, or only every 4th, 8th and so on."""
    each = 1
    while each * scale.letters < max(map(len, names)) + (scale.letters < CHIP):
        each *= 2
    text = ""
    for at, name in enumerate(names):
        if at % each == 0:
            text = text.ljust(edge + 1 + at * scale.letters + max(0, (scale.letters - len(name)) // 2)) + name
    line_width = edge + 1 + len(names) * scale.letters
    return Text(text[:line_width].ljust(line_width), style="dim", no_wrap=True)


def _name(part: Json, number: int) -> str:
    """Return a column's name. A game can define its own names, which have one letter each."""
    own = printable(part.get("columns") or "")
    return own[number] if number < len(own) else _column(number)


def _column(number: int) -> str:
    """Return a column's standard name: A to Z, then AA, like coordinate() in lib/board.js."""
    last = chr(ord("A") + number % 26)
    return last if number < 26 else _column(number // 26 - 1) + last


def _cells(part: Json, colours: Colours) -> dict[int, Cell]:
    found: dict[int, Cell] = {}
    for field in part["fields"]:
        cell = found.setdefault(field["cell"], Cell())
        cell.ground = colours.field(field["kind"])
        if field.get("shape") == "dot":
            cell.text = EMPTY
        cell.text = printable(field.get("text") or "") or cell.text
    for line in part["lines"]:
        if not colours.dashed(line["kind"]):
            for at in _between(line["from"], line["to"], part["width"]):
                found.setdefault(at, Cell()).ground = colours.line(line["kind"])
    for mark in part["marks"]:
        cell = found.setdefault(mark["cell"], Cell())
        cell.text, cell.ink, cell.bold = (
            MARKS.get(mark.get("shape", "splash"), MARKS["splash"]),
            colours.mark(mark["kind"]),
            True,
        )
    for piece in part["pieces"]:
        _put(found.setdefault(piece["cell"], Cell()), piece, colours)
    return found


def _put(cell: Cell, piece: Json, colours: Colours) -> None:
    """Draw a piece into a cell, over the cell's other contents."""
    if piece["sunk"]:
        cell.text, cell.ink, cell.bold = SUNK, colours.sunk(piece["colour"]), False
        return
    cell.text = printable(piece.get("text") or "") or badge(piece) + printable(piece["label"])
    cell.ink, cell.chip, cell.bold = colours.text_on(piece["colour"]), colours.owner(piece["colour"]), True


def _between(first: int, last: int, width: int) -> Iterator[int]:
    """Yield the cells on a straight line between two cells, including these two."""
    (x, y), (to_x, to_y) = (first % width, first // width), (last % width, last // width)
    steps = max(abs(to_x - x), abs(to_y - y), 1)
    for at in range(steps + 1):
        yield round(y + (to_y - y) * at / steps) * width + round(x + (to_x - x) * at / steps)
