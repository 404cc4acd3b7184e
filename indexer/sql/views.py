"""The views that users' SQL queries read: some for all games, and one for each kind of event in
each game.

They are temporary views on the connection that runs the query, so no writer has to create them.
Therefore, they always match the version of this program, even if the database has a different
version. In a fresh index of the same chain, they have the same rows."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from indexer.decode.abi_types import JSON_SAFE_BITS
from indexer.model import Deployment, Json
from indexer.sql.dialect import INTEGER, SQLITE, TEXT, SqlDialect

HASH_COLUMNS = {"block_hash": "b.hash", "parent": "b.parent", "tx": "e.tx"}

MATCHES = """
SELECT m.game, m."match", m.status, m.ply, m.seq, json_array_length(m.players),
       {winner}, {reason}, m.created_height, c.time,
       CASE WHEN m.status IN ('finished', 'cancelled') THEN
           (SELECT b.time FROM {schema}.event e JOIN {schema}.block b ON b.height = e.height
            WHERE e.game = {game_of_match} AND e."match" = m."match" AND {unindexed_prefix}e.name = {match_ended}
            ORDER BY e.seq DESC LIMIT 1) END,
       m.height, l.time
FROM {schema}."match" m
JOIN {schema}.block c ON c.height = m.created_height
JOIN {schema}.block l ON l.height = m.height
"""
"""The query for the view `matches`. Because of the unary plus, SQLite looks for a match's end among
the last events of that match, and not among the ends of all matches."""

SEATS = """
SELECT s.address, s.game, s."match", ({seat})
FROM {schema}.seat s JOIN {schema}."match" m ON m.game = s.game AND m."match" = s."match"
"""

EVENTS = """
SELECT {game}, e."match", e.seq, {name}, e.args, e.height, {block_hash}, e.log_index, {tx}, b.time
FROM {schema}.event e JOIN {schema}.block b ON b.height = e.height {names}
"""

BLOCKS = "SELECT b.height, {block_hash}, {parent}, b.time FROM {schema}.block b"

RESULTS = """
SELECT r.game, r."match", r.address, r.outcome, r.rating / {hundred_literal}, r.played, r.won, r.lost, r.drawn,
       r.height, r.log_index
FROM {schema}.result r
"""


@dataclass(frozen=True, slots=True)
class SqlView:
    """A view: its name and description, its columns with their types, its query, and the table
    without which it can't exist."""

    name: str
    description: str
    columns: Mapping[str, str]
    table: str
    query: str

    @property
    def statement(self) -> str:
        return f"CREATE TEMP VIEW {self._header} AS {self.query}"

    @property
    def common_table(self) -> str:
        """The view as part of a WITH clause. PostgreSQL can merge the view into the query."""
        return f"{self._header} AS NOT MATERIALIZED ({self.query})"

    @property
    def _header(self) -> str:
        columns = ", ".join(f'"{column}"' for column in self.columns)
        return f'"{self.name}" ({columns})'


def _columns(definitions: str) -> dict[str, str]:
    """Return each column's name and type. `definitions` is a list as in CREATE TABLE."""
    return dict(definition.split(" ") for definition in definitions.split(", "))


GENERAL_VIEWS = (
    SqlView(
        "matches",
        "a match after its last event; times are in seconds since 1970, and ended is NULL until the match ends",
        _columns(
            "game TEXT, match INTEGER, status TEXT, ply INTEGER, events INTEGER, players INTEGER, winner TEXT, "
            "reason TEXT, created_block INTEGER, created INTEGER, ended INTEGER, last_block INTEGER, last_time INTEGER"
        ),
        "match",
        MATCHES,
    ),
    SqlView(
        "seats",
        "a player's seat in a match; seats are numbered from 0",
        _columns("address TEXT, game TEXT, match INTEGER, seat INTEGER"),
        "seat",
        SEATS,
    ),
    SqlView(
        "events",
        "an event of any game; args is a JSON object, and time is in seconds since 1970",
        _columns(
            "game TEXT, match INTEGER, seq INTEGER, name TEXT, args TEXT, block INTEGER, block_hash TEXT, "
            "log_index INTEGER, tx TEXT, time INTEGER"
        ),
        "event",
        EVENTS,
    ),
    SqlView(
        "blocks",
        "a block since the first contract; old final blocks are absent if they have no events; time is in seconds "
        "since 1970",
        _columns("height INTEGER, hash TEXT, parent TEXT, time INTEGER"),
        "block",
        BLOCKS,
    ),
    SqlView(
        "results",
        "a finished match from one player's side: its outcome, and the player's rating and totals in this game after "
        "the match",
        _columns(
            "game TEXT, match INTEGER, address TEXT, outcome TEXT, rating REAL, played INTEGER, won INTEGER, "
            "lost INTEGER, drawn INTEGER, height INTEGER, log_index INTEGER"
        ),
        "result",
        RESULTS,
    ),
)
RESERVED_WORDS = frozenset((
    "add", "all", "alter", "and", "as", "autoincrement", "between", "case", "check", "collate", "commit",
    "constraint", "create", "default", "deferrable", "delete", "distinct", "drop", "else", "escape", "exists",
    "foreign", "from", "group", "having", "in", "index", "insert", "intersect", "into", "is", "isnull", "join",
    "limit", "not", "notnull", "null", "on", "or", "order", "primary", "references", "returning", "select", "set",
    "table", "then", "to", "transaction", "union", "unique", "update", "using", "values", "when", "where",
))  # fmt: skip
"""Words that SQLite rejects as column names without quotes:
https://www.sqlite.org/lang_keywords.html"""
LEADING_COLUMNS = _columns("match INTEGER, seq INTEGER")
TRAILING_COLUMNS = _columns("block INTEGER, block_hash TEXT, log_index INTEGER, tx TEXT, time INTEGER")


def views(deployments: Iterable[Deployment], tables: Collection[str], dialect: SqlDialect = SQLITE) -> list[SqlView]:
    """Return all views for a database with these tables, made from these contracts."""
    known = list(deployments)
    board = dialect.safe_json.format("m.board") if any(_has_text(one.abi) for one in known) else "m.board"
    placeholders = {name: dialect.field.format(board, name) for name in ("winner", "reason")} | {
        name: getattr(dialect, name) for name in ("schema", "unindexed_prefix", "seat", "hundred_literal")
    }
    placeholders |= {name: dialect.hash.format(column) for name, column in HASH_COLUMNS.items()} | dialect.names(known)
    general = [replace(one, query=one.query.format(**placeholders)) for one in GENERAL_VIEWS if one.table in tables]
    return [*general, *event_views(known, dialect)]


def event_views(deployments: Iterable[Deployment], dialect: SqlDialect = SQLITE) -> list[SqlView]:
    """Return one view for each kind of event in each game.

    All contracts of a game share the view. If a contract's event lacks an argument that another
    contract's event has, the column is NULL."""
    events: dict[tuple[str, str], dict[str, set[str]]] = {}
    for one in deployments:
        for entry in one.abi:
            if entry["type"] == "event" and {"matchId", "seq"} <= {each["name"] for each in entry["inputs"]}:
                _merge_columns(events.setdefault((one.game, entry["name"]), {}), entry["inputs"])
    return [_event_view(game, name, arguments, dialect) for (game, name), arguments in sorted(events.items())]


def _merge_columns(arguments: dict[str, set[str]], inputs: Iterable[Json]) -> None:
    """Add the types of an event's inputs to `arguments`, which maps names to Solidity types."""
    for one in inputs:
        if one["name"] not in ("matchId", "seq"):
            arguments.setdefault(one["name"], set()).add(one["type"])


def column_type(abi_type: str) -> str:
    """Return the SQL type with which values of a Solidity type appear in views.

    Bools (0 or 1) and integers of up to 48 bits are INTEGER. All others are TEXT: larger integers
    are decimal text, bytes and addresses are 0x hex, and lists are JSON."""
    found = re.fullmatch(r"u?int([0-9]*)", abi_type)
    short = found is not None and int(found[1] or 256) <= JSON_SAFE_BITS
    return INTEGER if short or abi_type == "bool" else TEXT


def _event_view(game: str, event: str, arguments: Mapping[str, set[str]], dialect: SqlDialect) -> SqlView:
    columns = {_column(name): _common_type(abi_types) for name, abi_types in arguments.items()}
    texts = any(abi_type.startswith("string") for abi_types in arguments.values() for abi_type in abi_types)
    args = dialect.safe_json.format("e.args") if texts else "e.args"
    own = [_cast(dialect, args, name, abi_types) for name, abi_types in arguments.items()]
    hash, tx = (dialect.hash.format(column) for column in ("b.hash", "e.tx"))
    values = ['e."match"', "e.seq", *own, "e.height", hash, "e.log_index", tx, "b.time"]
    query = (
        f"SELECT {', '.join(values)} "
        f"FROM {dialect.schema}.event e JOIN {dialect.schema}.block b ON b.height = e.height "
        f"WHERE e.game = {dialect.name(game)} AND e.name = {dialect.name(event)}"
    )
    described = f"the event {event} of {game}"
    return SqlView(
        snake_case(f"{game}_{event}"), described, {**LEADING_COLUMNS, **columns, **TRAILING_COLUMNS}, "event", query
    )


def _has_text(abi: Iterable[Json]) -> bool:
    """Return True if an event in the ABI has a text argument, which players can write."""
    return any(each["type"].startswith("string") for one in abi if one["type"] == "event" for each in one["inputs"])


def _common_type(abi_types: Collection[str]) -> str:
    """Return the SQL type of an argument with these Solidity types in a game's contracts."""
    return INTEGER if {column_type(abi_type) for abi_type in abi_types} == {INTEGER} else TEXT


def _cast(dialect: SqlDialect, json: str, name: str, abi_types: Collection[str]) -> str:
    field = dialect.bool_field if "bool" in abi_types else dialect.field
    return f"CAST({field.format(json, name)} AS {dialect.casts[_common_type(abi_types)]})"


def _column(argument: str) -> str:
    """Return the name of the column for an argument. It gets a suffix if it would be an SQL keyword
    or the name of a column that every view of events has."""
    name = snake_case(argument)
    return f"{name}_argument" if name in LEADING_COLUMNS | TRAILING_COLUMNS or name in RESERVED_WORDS else name


def snake_case(name: str) -> str:
    """Return a name in snake case, for example from_x for `fromX` and two_words for `two-words`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.replace("-", "_")).lower()
