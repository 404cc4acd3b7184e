"""A picture of the page's as letters: a line of text for each row of cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from chainboard.replay.colours import Colours
from chainboard.replay.text import plain
from indexer.model import Json

SHAPES = "●■◆⬢▲⬟XO"
"""In the order of layouts/shapes.js."""
MARKS = {"burst": "*", "cross": "x", "dot": "•", "splash": "o"}
SUNK, EMPTY = "x", "·"
SIZES = ((7, 3), (3, 1), (2, 1), (1, 1))
"""Letters and lines that a cell may take, the largest first."""
GAP = 3
"""Between two boards."""


@dataclass(frozen=True, slots=True)
class Window:
    """The cells that are shown: columns and rows from `left` and `top` on."""

    left: int
    top: int
    width: int
    height: int


@dataclass(slots=True)
class Cell:
    """What is in a cell: its letters, their colour, what is behind them."""

    text: str = ""
    ink: str | None = None
    ground: str | None = None
    bold: bool = False


def boards(picture: Json, colours: Colours, room: tuple[int, int], colour: bool = True) -> list[Text]:
    """The lines of all boards of a picture, beside each other; at most `room` letters wide and lines high, of which
    what happened last is shown when there is no room for all."""
    parts: list[Json] = picture.get("parts") or [picture]
    titles = [plain(part.get("title") or "") for part in parts]
    high = room[1] - 1 - any(titles)
    wide = (room[0] - GAP * (len(parts) - 1)) // len(parts) - len(str(picture["height"])) - 1
    size = _size(picture, wide, high)
    drawn = [_board(part, colours, size, (wide // size[0], high // size[1]), colour) for part in parts]
    if any(titles):
        drawn = [[_title(title, lines), *lines] for title, lines in zip(titles, drawn, strict=True)]
    return [Text(" " * GAP).join(row) for row in zip(*drawn, strict=True)]


def _title(title: str, lines: list[Text]) -> Text:
    text = Text(title, style="bold", no_wrap=True)
    text.truncate(lines[0].cell_len, pad=True, overflow="ellipsis")
    return text


def _size(picture: Json, wide: int, high: int) -> tuple[int, int]:
    width, height = picture["width"], picture["height"]
    for letters, lines in SIZES:
        if width * letters <= wide and (lines == 1 or height * lines <= high):
            return letters, lines
    return SIZES[-1]


def _board(part: Json, colours: Colours, size: tuple[int, int], most: tuple[int, int], colour: bool) -> list[Text]:
    window, cells = _window(part, most), _cells(part, colours)
    edge = len(str(part["height"]))
    lines = [_columns(window, size[0], edge)]
    for row in range(window.top, window.top + window.height):
        for line in range(size[1]):
            middle = line == size[1] // 2
            text = Text((str(row + 1) if middle else "").rjust(edge) + " ", style="dim", no_wrap=True)
            for column in range(window.left, window.left + window.width):
                cell = cells.get(row * part["width"] + column, Cell())
                behind = cell.ground or (colours.other if (row + column) % 2 else colours.ground)
                letters = cell.text or ("" if colour else EMPTY)
                text.append(
                    _fitted(letters if middle else "", size[0]), Style(color=cell.ink, bgcolor=behind, bold=cell.bold)
                )
            lines.append(text)
    return lines


def _fitted(letters: str, width: int) -> str:
    if cell_len(letters) > width:
        letters = letters[-width:] if width > 1 else letters[:1]
    left = (width - cell_len(letters)) // 2
    return " " * left + letters + " " * (width - cell_len(letters) - left)


def _columns(window: Window, width: int, edge: int) -> Text:
    """The letters of the columns, as many as there is room for."""
    names = [_column(number) for number in range(window.left, window.left + window.width)]
    longest = max(map(len, names))
    each = 1
    while each * width < longest + (width < 3):
        each *= 2
    shown = [name if (window.left + at) % each == 0 else "" for at, name in enumerate(names)]
    text = ""
    for at, name in enumerate(shown):
        start = edge + 1 + at * width + max(0, (width - len(name)) // 2)
        text = text.ljust(start) + name if name else text
    return Text(
        text[: edge + 1 + window.width * width].ljust(edge + 1 + window.width * width), style="dim", no_wrap=True
    )


def _column(number: int) -> str:
    """A to Z, then AA; as coordinate() in board.js."""
    last = chr(ord("A") + number % 26)
    return last if number < 26 else _column(number // 26 - 1) + last


def _window(part: Json, most: tuple[int, int]) -> Window:
    """Around the middle of what happened last, where not all can be shown."""
    width, height = part["width"], part["height"]
    wide, high = min(width, max(1, most[0])), min(height, max(1, most[1]))
    seen = (
        [mark["cell"] for mark in (*part["marks"], *part["fields"])] or [one["cell"] for one in part["pieces"]] or [0]
    )
    x, y = (sum(values) // len(seen) for values in ([one % width for one in seen], [one // width for one in seen]))
    return Window(min(max(0, x - wide // 2), width - wide), min(max(0, y - high // 2), height - high), wide, high)


def _cells(part: Json, colours: Colours) -> dict[int, Cell]:
    found: dict[int, Cell] = {}
    for field in part["fields"]:
        cell = found.setdefault(field["cell"], Cell())
        cell.ground = colours.field(field["kind"])
        if field.get("shape") == "dot":
            cell.text = EMPTY
    for line in part["lines"]:
        if not colours.dashed(line["kind"]):
            for at in _between(line["from"], line["to"], part["width"]):
                found.setdefault(at, Cell()).ground = colours.line(line["kind"])
    for mark in part["marks"]:
        cell = found.setdefault(mark["cell"], Cell())
        cell.text, cell.ink, cell.bold = MARKS[mark.get("shape", "splash")], colours.mark(mark["kind"]), True
    for piece in part["pieces"]:
        _put(found.setdefault(piece["cell"], Cell()), piece, colours)
    return found


def _put(cell: Cell, piece: Json, colours: Colours) -> None:
    """A piece over what is there; a mark stays beside its number."""
    cell.ink, cell.bold = colours.owner(piece["colour"]), not piece["sunk"]
    letters = SUNK if piece["sunk"] else SHAPES[piece["shape"] % len(SHAPES)]
    cell.text = letters if piece["sunk"] else letters + plain(piece["label"])


def _between(first: int, last: int, width: int) -> Iterator[int]:
    """The cells of a straight line, both ends included."""
    (x, y), (to_x, to_y) = (first % width, first // width), (last % width, last // width)
    steps = max(abs(to_x - x), abs(to_y - y), 1)
    for at in range(steps + 1):
        yield round(y + (to_y - y) * at / steps) * width + round(x + (to_x - x) * at / steps)


def badge(seat: Any) -> str:
    """The shape that stands for a seat."""
    return SHAPES[seat["shape"] % len(SHAPES)]
