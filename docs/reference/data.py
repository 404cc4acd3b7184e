"""The pages of the SQL views and of the replay file: from the views themselves, and from the file's JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from contracts import artifacts
from docs.reference.markdown import code, page, table
from indexer.games import GAMES
from indexer.model import Deployment, Json
from indexer.sql.allow_list import (
    COLLECTORS,
    FUNCTION_KINDS,
    LIKE_OPERATORS,
    MAX_COLLECTED,
    MAX_CONSTANT,
    MAX_WORK,
    PRODUCT_OPERATORS,
    PRODUCTS,
    TYPES,
)
from indexer.sql.views import GENERAL, LEADING_COLUMNS, TRAILING_COLUMNS, event_views

SCHEMA = Path(__file__).parents[1] / "replay.schema.json"

SQL = """For `chainboard sql`, which [operate.md](../operate.md#questions-in-sql) is about. `chainboard sql --views`
lists those of your database. Times are in seconds since 1970: `strftime('%Y-%m-%d', time, 'unixepoch')` makes a day
of one. Addresses are checksummed, so compare them as they are shown. A whole number of at most 48 bits in Solidity is
INTEGER, a larger one decimal TEXT, a bool 0 or 1, bytes are 0x hex, a list is JSON."""

ALLOWED = """A question there may use these and no others; SQLite has [its own](https://www.sqlite.org/lang_corefunc.html).
After their first value {} take only constants of at most {} characters, as in
`replace(name, 'a', 'b')`, and of `LIKE`, `ILIKE`, {} one side is such a constant; of `-`, too, in a question that makes
arrays of other values than such constants, or joins them; `@@` takes a path in a `::jsonb`. In a row are at most
{} multiplications, divisions, roots and powers: a column of a subquery that calculates counts wherever a name
stands around it, unless the subquery ends with `OFFSET 0`. The server can't end any of these before they are done.
What collects rows in one value ({}) stands in a question {} times at most: nothing bounds the memory of one.
Behind a dot stands a column whose name is none of PostgreSQL's other functions, which a dot would call too.
"""

REPLAY = """One match, whole. [replay.schema.json](../replay.schema.json) is its JSON Schema (2020-12);
[trust.md](../trust.md#what-a-replay-file-proves) says how it is checked. An integer is a JSON number when its
Solidity type has at most 48 bits, else a decimal string. Addresses are checksummed (EIP-55), bytes are 0x hex. A
board holds no null, so that in a patch `null` always means "gone". Canonical JSON: keys sorted by code point, no
spaces, UTF-8. Every field can be checked against the chain. Whoever only wants to *show* a match needs no rules:
begin with `start`, apply one patch after the other."""

EACH = """Named after game and event; a new game has its views by itself. Each begins with {},
and ends with {};
between them are the event's arguments, which [events.md](events.md) explains.
"""


def sql() -> str:
    text = page("SQL views", SQL) + "\n## For all games\n"
    text += table(
        ("view", "a row is", "columns"), [(code(one.name), one.description, _columns(one.columns)) for one in GENERAL]
    )
    text += "\n## One for each kind of event\n\n" + EACH.format(_columns(LEADING_COLUMNS), _columns(TRAILING_COLUMNS))
    deployments = [
        Deployment(game.slug, game.contract, "", artifacts.load(game.contract).abi, 0, "", "", 1)
        for game in GAMES.values()
    ]
    shared = LEADING_COLUMNS.keys() | TRAILING_COLUMNS.keys()
    rows = [
        (code(view.name), _columns({name: kind for name, kind in view.columns.items() if name not in shared}))
        for view in event_views(deployments)
    ]
    text += table(("view", "its arguments"), rows) + "\n## Functions and types on PostgreSQL\n\n"
    listed = (PRODUCTS, PRODUCT_OPERATORS - LIKE_OPERATORS, COLLECTORS)
    products, operators, collectors = (", ".join(map(code, sorted(names))) for names in listed)
    text += ALLOWED.format(products, MAX_CONSTANT, operators, MAX_WORK, collectors, MAX_COLLECTED)
    functions = [(kind, ", ".join(map(code, names.split()))) for kind, names in FUNCTION_KINDS.items()]
    return text + table(("for", "functions"), [*functions, ("types", ", ".join(map(code, sorted(TYPES))))])


def _columns(found: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {kind}" for name, kind in found.items())


def replay() -> str:
    schema: Json = json.loads(SCHEMA.read_text("utf-8"))
    return page("The replay file", REPLAY) + table(
        ("field", "", "where the chain says so"), _fields(schema, schema["$defs"])
    )


def _fields(shape: Json, shared: Json, prefix: str = "") -> Iterator[tuple[str, str, str]]:
    for name, one in shape.get("properties", {}).items():
        inner = one.get("items", one)
        named = shared[inner["$ref"].rpartition("/")[2]] if "$ref" in inner else inner
        path = f"{prefix}{name}{'[]' if 'items' in one else ''}"
        yield code(path), one.get("description") or named.get("description", ""), one.get("x-chain", "")
        yield from _fields(named, shared, f"{path}.")
