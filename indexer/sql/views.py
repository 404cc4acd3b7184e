"""Views for users' SQL queries: some for all games, and one for each event of each game.

They are temporary views of the querying connection: so they fit the program that reads, also over a database of another
version, no writer has to make them, and a fresh index has the same rows and nothing else."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from indexer.decode.abi_types import JSON_SAFE_BITS
from indexer.model import Deployment, Json

INTEGER, TEXT = "INTEGER", "TEXT"

MATCHES = """
SELECT m.game, m."match", m.status, m.ply, m.seq, json_array_length(m.players),
       json_extract(m.board, '$.winner'), json_extract(m.board, '$.reason'), m.created_height, c.time,
       CASE WHEN m.status IN ('finished', 'cancelled') THEN
           (SELECT b.time FROM main.event e JOIN main.block b ON b.height = e.height
            WHERE e.game = m.game AND e."match" = m."match" AND +e.name = 'MatchEnded' ORDER BY e.seq DESC LIMIT 1) END,
       m.height, l.time
FROM main."match" m
JOIN main.block c ON c.height = m.created_height
JOIN main.block l ON l.height = m.height
"""
"""The plus keeps SQLite from looking at the ends of all matches: that of one is among its last events."""

SEATS = """
SELECT s.address, s.game, s."match", (SELECT j.key FROM json_each(m.players) j WHERE j.value = s.address)
FROM main.seat s JOIN main."match" m ON m.game = s.game AND m."match" = s."match"
"""

EVENTS = """
SELECT e.game, e."match", e.seq, e.name, e.args, e.height, b.hash, e.log_index, e.tx, b.time
FROM main.event e JOIN main.block b ON b.height = e.height
"""

RESULTS = """
SELECT r.game, r."match", r.address, r.outcome, r.rating / 100.0, r.played, r.won, r.lost, r.drawn,
       r.height, r.log_index
FROM main.result r
"""


@dataclass(frozen=True, slots=True)
class SqlView:
    """A view: what a row is, its columns with their types, the table that it can't do without, and its query."""

    name: str
    description: str
    columns: Mapping[str, str]
    table: str
    query: str

    @property
    def statement(self) -> str:
        columns = ", ".join(f'"{column}"' for column in self.columns)
        return f'CREATE TEMP VIEW "{self.name}" ({columns}) AS {self.query}'


def _columns(definitions: str) -> dict[str, str]:
    """The types of columns by their names, as CREATE TABLE lists them."""
    return dict(definition.split(" ") for definition in definitions.split(", "))


GENERAL = (
    SqlView(
        "matches",
        "a match after its last event; times are in seconds since 1970, ended is empty while it goes on",
        _columns(
            "game TEXT, match INTEGER, status TEXT, ply INTEGER, events INTEGER, players INTEGER, winner TEXT, "
            "reason TEXT, created_block INTEGER, created INTEGER, ended INTEGER, last_block INTEGER, last_time INTEGER"
        ),
        "match",
        MATCHES,
    ),
    SqlView(
        "seats",
        "a player of a match; seats count from 0",
        _columns("address TEXT, game TEXT, match INTEGER, seat INTEGER"),
        "seat",
        SEATS,
    ),
    SqlView(
        "events",
        "an event of any game; args is JSON, time in seconds since 1970",
        _columns(
            "game TEXT, match INTEGER, seq INTEGER, name TEXT, args TEXT, block INTEGER, block_hash TEXT, "
            "log_index INTEGER, tx TEXT, time INTEGER"
        ),
        "event",
        EVENTS,
    ),
    SqlView(
        "blocks",
        "a block since the first contract; time in seconds since 1970",
        _columns("height INTEGER, hash TEXT, parent TEXT, time INTEGER"),
        "block",
        "SELECT height, hash, parent, time FROM main.block",
    ),
    SqlView(
        "results",
        "what a finished match was for a player, and the player's rating and counts in that game after it",
        _columns(
            "game TEXT, match INTEGER, address TEXT, outcome TEXT, rating REAL, played INTEGER, won INTEGER, "
            "lost INTEGER, drawn INTEGER, height INTEGER, log_index INTEGER"
        ),
        "result",
        RESULTS,
    ),
)
RESERVED = frozenset((
    "add", "all", "alter", "and", "as", "autoincrement", "between", "case", "check", "collate", "commit",
    "constraint", "create", "default", "deferrable", "delete", "distinct", "drop", "else", "escape", "exists",
    "foreign", "from", "group", "having", "in", "index", "insert", "intersect", "into", "is", "isnull", "join",
    "limit", "not", "notnull", "null", "on", "or", "order", "primary", "references", "returning", "select", "set",
    "table", "then", "to", "transaction", "union", "unique", "update", "using", "values", "when", "where",
))  # fmt: skip
"""Words that SQLite takes for no column's name without quotes: https://www.sqlite.org/lang_keywords.html"""
LEADING_COLUMNS = _columns("match INTEGER, seq INTEGER")
TRAILING_COLUMNS = _columns("block INTEGER, block_hash TEXT, log_index INTEGER, tx TEXT, time INTEGER")


def views(deployments: Iterable[Deployment], tables: Collection[str]) -> list[SqlView]:
    """All views over a database that has these tables and follows these contracts."""
    return [*(one for one in GENERAL if one.table in tables), *event_views(deployments)]


def event_views(deployments: Iterable[Deployment]) -> list[SqlView]:
    """One for each kind of event of each game. Contracts of one game share theirs: an argument that one of them lacks
    is NULL there."""
    kinds: dict[tuple[str, str], dict[str, str]] = {}
    for one in deployments:
        for entry in one.abi:
            if entry["type"] == "event" and {"matchId", "seq"} <= {each["name"] for each in entry["inputs"]}:
                _merge_columns(kinds.setdefault((one.game, entry["name"]), {}), entry["inputs"])
    return [_event_view(game, name, arguments) for (game, name), arguments in sorted(kinds.items())]


def _merge_columns(arguments: dict[str, str], inputs: Iterable[Json]) -> None:
    for one in inputs:
        if one["name"] not in ("matchId", "seq"):
            column = column_type(one["type"])
            arguments[one["name"]] = column if arguments.get(one["name"], column) == column else TEXT


def column_type(kind: str) -> str:
    """The SQL type of a Solidity type's stored values: integers up to 48 bits, and 0 or 1 for a bool;
    larger numbers are decimal text, bytes and addresses 0x hex, lists JSON."""
    found = re.fullmatch(r"u?int([0-9]*)", kind)
    short = found is not None and int(found[1] or 256) <= JSON_SAFE_BITS
    return INTEGER if short or kind == "bool" else TEXT


def _event_view(game: str, event: str, arguments: Mapping[str, str]) -> SqlView:
    own = {_column(name): (name, kind) for name, kind in arguments.items()}
    arguments_of = [f"CAST(json_extract(e.args, '$.{name}') AS {kind})" for name, kind in own.values()]
    values = ['e."match"', "e.seq", *arguments_of, "e.height", "b.hash", "e.log_index", "e.tx", "b.time"]
    query = (
        f"SELECT {', '.join(values)} "
        "FROM main.event e JOIN main.block b ON b.height = e.height "
        f"WHERE e.game = '{game}' AND e.name = '{event}'"
    )
    columns = {**LEADING_COLUMNS, **{column: kind for column, (_, kind) in own.items()}, **TRAILING_COLUMNS}
    return SqlView(snake(f"{game}_{event}"), f"the event {event} of {game}", columns, "event", query)


def _column(argument: str) -> str:
    """An argument's column; a suffix keeps it apart from a column that every event has, and from a word of SQL."""
    name = snake(argument)
    return f"{name}_argument" if name in LEADING_COLUMNS | TRAILING_COLUMNS or name in RESERVED else name


def snake(name: str) -> str:
    """`fromX` is from_x, `two-words` two_words."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.replace("-", "_")).lower()
