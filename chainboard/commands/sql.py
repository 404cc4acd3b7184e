"""`chainboard sql`: runs a query on the index, and prints the result as a table, CSV or JSON."""

from __future__ import annotations

import csv
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from typing import Any, Literal, TypeAlias

import orjson
from rich import box
from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from chainboard.data_folder import existing_database
from chainboard.errors import UserError
from chainboard.settings import Settings
from indexer.sql.errors import QueryError
from indexer.sql.query import open_database
from indexer.store.db.engine import StoreError

Format: TypeAlias = Literal["table", "csv", "json"]
Rows: TypeAlias = Iterator[Sequence[Any]]

MAX_ROWS, MAX_CELL_LETTERS = 500, 300
"""The maximum number of rows in a table, and of letters in a cell. CSV and JSON have no such
limits."""
NUMBER = re.compile(r"-?[0-9.]+|NULL")


def run_query(settings: Settings, query: str, format: Format, seconds: float) -> None:
    """Run a query and print the resulting rows. Raises UserError if the database rejects the query
    or the query takes too long."""
    existing_database(settings)
    with _user_errors(), closing(open_database(settings.database_url, seconds)) as database:
        if database.note:
            print(f"Note: {database.note}", file=sys.stderr)
        WRITERS[format](*database.run(query, seconds))


def list_views(settings: Settings, seconds: float = 30) -> None:
    """Print the name, the meaning and the columns of each view in the database. Raises UserError if
    the database can't be read."""
    existing_database(settings)
    console = Console()
    with _user_errors(), closing(open_database(settings.database_url, seconds)) as database:
        for view in database.views:
            columns = ", ".join(f"{name} {kind}" for name, kind in view.columns.items())
            _print(console, Text.assemble((view.name, "bold"), f": {view.description}"), Text(f"  {columns}", "dim"))


@contextmanager
def _user_errors() -> Iterator[None]:
    """Turn database errors into UserError, and flush the output at the end. If the reader of the
    output has closed the pipe, stop without an error."""
    try:
        yield
        sys.stdout.flush()
    except (StoreError, QueryError) as error:
        raise UserError(str(error)) from error
    except BrokenPipeError:  # Python would otherwise report the error again when it exits
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _csv(columns: Sequence[str], rows: Rows) -> None:
    """Print the rows as CSV according to RFC 4180. NULL becomes an empty field."""
    writer = csv.writer(sys.stdout, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([_plain(value) for value in row] for row in rows)


def _json(columns: Sequence[str], rows: Rows) -> None:
    """Print the rows as a JSON array of objects, with one object per line."""
    if len(set(columns)) < len(columns):
        raise UserError("two columns have the same name. Rename one of them with AS, because JSON keys must be unique")
    before = "["
    for row in rows:
        values = (_plain(value) for value in row)
        sys.stdout.write(before + "\n" + orjson.dumps(dict(zip(columns, values, strict=True))).decode())
        before = ","
    sys.stdout.write("[]\n" if before == "[" else "\n]\n")


def _plain(value: Any) -> Any:
    return "0x" + value.hex() if isinstance(value, bytes) else value


def _table(columns: Sequence[str], rows: Rows) -> None:
    """Print the rows as a table. If the table doesn't fit in the terminal, print each row with one
    column per line."""
    console = Console()
    rows_shown = [[_cell(value) for value in row] for row in islice(rows, MAX_ROWS)]
    more = next(rows, None) is not None
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True)
    for number, column in enumerate(columns):
        numbers = rows_shown != [] and all(NUMBER.fullmatch(row[number].plain) for row in rows_shown)
        table.add_column(_printable(column), justify="right" if numbers else "left", no_wrap=True)
    for row in rows_shown:
        table.add_row(*row)
    if Measurement.get(console, console.options.update(max_width=10**6), table).maximum <= console.width:
        _print(console, table)
    else:
        _print(console, *(_record(number, columns, row) for number, row in enumerate(rows_shown, 1)))
    if more:
        print(f"Only the first {MAX_ROWS} rows are shown. Use --format csv or json to get all of them", file=sys.stderr)


def _print(console: Console, *found: RenderableType) -> None:
    """Let Rich format the text, and write it to stdout without Rich. When the reader closes the
    pipe, Rich would exit with a failure."""
    with console.capture() as printed:
        console.print(*found, sep="\n")
    sys.stdout.write(printed.get())


def _record(number: int, columns: Iterable[str], row: Iterable[Text]) -> Table:
    table = Table(
        box=None, pad_edge=False, title=f"row {number}", title_justify="left", title_style="bold", show_header=False
    )
    table.add_column(style="dim", overflow="fold")
    table.add_column(overflow="fold")
    for column, value in zip(columns, row, strict=True):
        table.add_row(_printable(column), value)
    return table


def _cell(value: Any) -> Text:
    if value is None:
        return Text("NULL", "dim")
    text = str(_plain(value))
    cut = text if len(text) <= MAX_CELL_LETTERS else f"{text[:MAX_CELL_LETTERS]}… ({len(text)} characters)"
    return Text(_printable(cut))


def _printable(text: str) -> str:
    """Escape control characters. Otherwise, text from other people could control the terminal."""
    return "".join(
        char if char.isprintable() or char == "\n" else char.encode("unicode_escape").decode() for char in text
    )


WRITERS: Mapping[Format, Callable[[Sequence[str], Rows], None]] = {"table": _table, "csv": _csv, "json": _json}
