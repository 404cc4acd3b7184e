"""Draws a frame of a match in the terminal: the heading, the board, the players and the events."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from api.static.texts import text as words
from indexer.model import Json
from indexer.sanitize import printable
from replay.terminal.badges import badge
from replay.terminal.board_text import draw_boards
from replay.terminal.palette import Colours

MIN_SIDE_LETTERS = 30
"""The minimum number of columns for the text next to the board. If less space is left, the text is
below the board."""
MAX_SEATS, MAX_SENTENCES = 8, 8
FEW_SEATS, FEW_SENTENCES = 4, 4
"""The maximum numbers of players and of sentences if the text is below the board. Each line of the
text makes the board smaller."""
FLAG = "▚▞"
"""A flag's characters, in its two colours. Characters can't draw the shape on the flag."""
TONES = {"hit": "bold red", "loud": "bold", "quiet": "dim"}


def heading(still: Json, event: Json) -> Text:
    """Return a frame's heading: the match's name, and the number and time of the event."""
    time = datetime.fromtimestamp(event["time"], UTC).strftime("%Y-%m-%d %H:%M:%S") if event["time"] < 2**35 else "?"
    text = Text(no_wrap=True, overflow="ellipsis")
    return text.append(printable(still["title"]), "bold").append(
        f"  {printable(still['position'])} · {time} UTC", "dim"
    )


def draw_frame(
    still: Json, colours: Colours, size: tuple[int, int], language: str, colour: bool = True
) -> RenderableType:
    """Draw the board and the text so that both fit into `size`, which is in columns and lines."""
    narrow = draw_boards(still["picture"], colours, (size[0], size[1]), colour)
    width = max(line.cell_len for line in narrow)
    if size[0] - width >= MIN_SIDE_LETTERS:
        side = Table.grid(padding=(0, 0, 0, 2), expand=False)
        side.add_column(width=width, no_wrap=True)
        side.add_column(width=size[0] - width - 2)
        side.add_row(Group(*narrow), Group(*side_text(still, colours, MAX_SEATS, MAX_SENTENCES, language, colour)))
        return side
    side_lines = side_text(still, colours, FEW_SEATS, FEW_SENTENCES, language, colour)
    lines = draw_boards(still["picture"], colours, (size[0], max(6, size[1] - len(side_lines))), colour)
    return Group(*lines, *side_lines)


def side_text(
    still: Json, colours: Colours, seats: int, sentences: int, language: str, colour: bool = True
) -> list[Text]:
    """Return the text next to or below the board: the players, whose turn it is, and the events."""
    return [
        *_seats(still["seats"], colours, seats, language, colour),
        Text(printable(still["turnText"]), "italic", overflow="ellipsis", no_wrap=True),
        *sentences_of(still, sentences, language),
    ]


def _seats(seats: list[Any], colours: Colours, limit: int, language: str, colour: bool) -> list[Text]:
    lines = []
    for seat in seats[:limit]:
        moves = "terminal.to-move" if seat["moves"] else "" if seat["alive"] else "terminal.out"
        key = "terminal.won" if seat["wins"] else moves
        state = words(language, key) if key else ""
        notes = "".join(f" · {one}" for one in (seat.get("note"), state) if one)
        text = Text(no_wrap=True, overflow="ellipsis").append(
            badge(seat) + " ", f"bold {colours.owner(seat['colour'])}"
        )
        if colour:
            text.append(FLAG, f"{colours.flag(seat['flag']['charge'])} on {colours.flag(seat['flag']['ground'])}")
            text.append(" ")
        lines.append(
            text.append(printable(seat["name"]), "bold" if seat["wins"] else "").append(printable(notes), "dim")
        )
    if len(seats) > limit:
        lines.append(Text(words(language, "terminal.more", n=len(seats) - limit), "dim"))
    return lines


def sentences_of(still: Json, limit: int, language: str) -> list[Text]:
    """Return at most `limit` lines with the sentences about the events. If there are too many,
    leave out minor events first."""
    sentences: list[Json] = still["sentences"]
    selected: Sequence[int] = range(len(sentences))
    if len(sentences) > limit:
        selected = sorted(sorted(selected, key=lambda at: bool(sentences[at].get("minor")))[: limit - 1])
    lines = [
        Text(printable(one["text"]), TONES.get(one["tone"], ""), no_wrap=True, overflow="ellipsis")
        for one in map(sentences.__getitem__, selected)
    ]
    more = len(sentences) - len(lines)
    return [*lines, Text(words(language, "terminal.more", n=more), "dim")] if more else lines
