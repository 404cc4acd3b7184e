"""Generates the reference pages for the SQL views and the replay file from the views and the JSON
Schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from contracts import artifacts
from docs.reference.markdown import code, page, table
from indexer.games import GAMES
from indexer.model import Deployment, Json
from indexer.sql.allow_list import (
    COLLECTING_FUNCTIONS,
    FUNCTION_KINDS,
    LIKE_OPERATORS,
    MAX_COLLECTED,
    MAX_CONSTANT,
    MAX_WORK,
    PRODUCT_FUNCTIONS,
    PRODUCT_OPERATORS,
    TYPES,
)
from indexer.sql.views import GENERAL_VIEWS, LEADING_COLUMNS, TRAILING_COLUMNS, event_views

SCHEMA = Path(__file__).parents[1] / "replay.schema.json"

SQL = """These are the views for `chainboard sql`. [Query the index](../how-to/query.md) shows how to use
them. `chainboard sql --views` lists the views of your database.

- Times are seconds since 1970. `strftime('%Y-%m-%d', time, 'unixepoch')` returns the day.
- Addresses are checksummed. Compare them in that form.
- A Solidity integer of at most 48 bits is INTEGER. A larger integer is a decimal TEXT.
- A bool is 0 or 1, bytes are 0x hex, and a list is JSON."""

ALLOWED = """A query on PostgreSQL can use only the functions and types in the table. SQLite has [its own
functions](https://www.sqlite.org/lang_corefunc.html). PostgreSQL can't interrupt a single
expression or limit the memory of an expression, so these rules hold:

- After their first argument, {} take only constants of at most {} characters, as in
  `replace(name, 'a', 'b')`.
- One side of `LIKE`, `ILIKE`, {} must be a constant of at most that size. The same is true of `-` if
  the query joins arrays, or creates arrays from values other than these constants.
- `@@` takes a path in a `::jsonb`.
- At most {} multiplications, divisions, roots and powers may be chained. A calculated column of a
  subquery counts wherever it is used, unless the subquery ends with `OFFSET 0`.
- Functions that collect rows into one value ({}) may occur at most {} times.
- After a dot, a column must not have the name of another PostgreSQL function, because the dot would
  call that function.
"""

REPLAY = """A replay file contains one complete match. Its JSON Schema (2020-12) is
[replay.schema.json](../replay.schema.json).
[Trust](../explanation/trust.md#what-a-replay-file-proves) explains how to check a file.

- An integer whose Solidity type has at most 48 bits is a JSON number. A larger integer is a decimal
  string.
- Addresses are checksummed (EIP-55).
- Bytes are 0x hex.
- A board contains no null, so `null` in a patch always means "removed".
- Canonical JSON is UTF-8 without spaces, with keys sorted by code point.

Every field can be checked against the chain. To only *show* a match, you don't need the rules.
Begin with `start` and apply the patches in order."""

EVENT_VIEWS = """Each kind of event of each game has a view. A new game gets its views automatically. A view begins
with the columns {}. It ends with the columns {}. The columns between them are the event's
arguments, which [events.md](events.md) explains.
"""


def sql() -> str:
    text = page("SQL views", SQL) + "\n## For all games\n"
    text += table(
        ("view", "one row is", "columns"),
        [(code(one.name), one.description, _columns(one.columns)) for one in GENERAL_VIEWS],
    )
    text += "\n## For one kind of event\n\n" + EVENT_VIEWS.format(_columns(LEADING_COLUMNS), _columns(TRAILING_COLUMNS))
    deployments = [
        Deployment(game.slug, game.contract, "", artifacts.load(game.contract).abi, 0, "", "", 1)
        for game in GAMES.values()
    ]
    shared = LEADING_COLUMNS.keys() | TRAILING_COLUMNS.keys()
    rows = [
        (code(view.name), _columns({name: kind for name, kind in view.columns.items() if name not in shared}))
        for view in event_views(deployments)
    ]
    text += table(("view", "columns of the event's arguments"), rows) + "\n## Functions and types on PostgreSQL\n\n"
    listed = (PRODUCT_FUNCTIONS, PRODUCT_OPERATORS - LIKE_OPERATORS, COLLECTING_FUNCTIONS)
    products, operators, collectors = (", ".join(map(code, sorted(names))) for names in listed)
    text += ALLOWED.format(products, MAX_CONSTANT, operators, MAX_WORK, collectors, MAX_COLLECTED)
    functions = [(kind, ", ".join(map(code, names.split()))) for kind, names in FUNCTION_KINDS.items()]
    return text + table(("kind", "names"), [*functions, ("types", ", ".join(map(code, sorted(TYPES))))])


def _columns(found: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {kind}" for name, kind in found.items())


CHECKED_FIELDS = """
## Checks

`chainboard verify FILE` makes these checks:

- **The chain.** The node's chain id and genesis must be those in the file.
- **The contract.** It must have been created in that block at that address, have that code, and
  begin with that match. The command also reports whether this program has that code under that
  name, because a stranger's contract could emit the same events.
- **All receipts of each block in the file.** Log indexes must have no gap. The logs must give the
  header's bloom, the receipts its receipts root, and the header the block's hash. The command
  reports chains whose headers or receipts make this impossible.
- **The events.** All fields must equal the decoded logs, and the event numbers must have no gap.
- **The boards.** Folding the events must give each patch, the start, the last board and its hash.
- **The contract's views.** `board(matchId)` and `seqOf(matchId)` must match the file after each
  of these blocks. If the node no longer has a block's state, the block counts as pruned.

## Limits

Files can come from strangers, so Chainboard rejects a file that exceeds these limits:

- A board has 1 to 64 squares per side.
- Integers are below 2^53.
- A file has at most 200,000 events.
- An object has at most 10,000 members.
- A text or key has at most 20,000 characters (code points).
- Each event, and each other part of the file, has at most 50 levels of nesting.
- Drawing takes at most 30 seconds and 1 GiB.
"""


def replay() -> str:
    schema: Json = json.loads(SCHEMA.read_text("utf-8"))
    fields = table(("field", "meaning", "how to check it on the chain"), _fields(schema, schema["$defs"]))
    return page("The replay file", REPLAY) + fields + CHECKED_FIELDS


def _fields(shape: Json, shared: Json, prefix: str = "") -> Iterator[tuple[str, str, str]]:
    for name, one in shape.get("properties", {}).items():
        inner = one.get("items", one)
        named = shared[inner["$ref"].rpartition("/")[2]] if "$ref" in inner else inner
        path = f"{prefix}{name}{'[]' if 'items' in one else ''}"
        yield code(path), one.get("description") or named.get("description", ""), one.get("x-chain", "")
        yield from _fields(named, shared, f"{path}.")
