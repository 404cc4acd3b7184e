"""The differences between SQLite's and PostgreSQL's SQL that matter for users' queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from indexer.model import Deployment
from indexer.store.db.codes import CODE_SQL, code_of, names_in

INTEGER, TEXT = "INTEGER", "TEXT"


def quoted(text: str) -> str:
    """Return the text as an SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


@dataclass(frozen=True, slots=True)
class SqlDialect:
    """The parts of the views' SQL that differ between SQLite and PostgreSQL."""

    schema: str
    field: str
    """A template: the expression for the field {1} of the JSON object {0}."""
    bool_field: str
    safe_json: str
    """A template: the expression that makes JSON in the column {} acceptable to every function."""
    casts: Mapping[str, str]
    hundred_literal: str
    unindexed_prefix: str
    seat: str
    hash: str
    """A template: the expression that converts the hash in the column {} to 0x hex."""
    packs_names: bool
    """True if the tables contain codes instead of the names of games and events."""

    def name(self, text: str) -> str:
        """Return an SQL literal to compare with the stored name or code of a game or an event."""
        return str(code_of(text)) if self.packs_names else quoted(text)

    def names(self, deployments: Iterable[Deployment]) -> dict[str, str]:
        """Return parts of SQL from which the views get the names of games and events.

        PostgreSQL stores codes instead of names. The views join a table of names by code, so that a
        query for a name can use the indexes."""
        ended = self.name("MatchEnded")
        if not self.packs_names:
            return {"game": "e.game", "name": "e.name", "names": "", "game_of_match": "m.game", "match_ended": ended}
        known = ", ".join(f"({code_of(name)}, {quoted(name)})" for name in sorted(names_in(deployments))) or "(0, '')"
        joins = (f"LEFT JOIN (VALUES {known}) {one} (code, name) ON {one}.code = e.{one}" for one in ("game", "name"))
        return {
            "game": 'game.name COLLATE "C"',
            "name": 'name.name COLLATE "C"',
            "names": " ".join(joins),
            "game_of_match": CODE_SQL.format("m.game"),
            "match_ended": ended,
        }


SQLITE = SqlDialect(
    schema="main",
    field="json_extract({0}, '$.{1}')",
    bool_field="json_extract({0}, '$.{1}')",
    safe_json="{}",
    casts={INTEGER: INTEGER, TEXT: TEXT},
    hundred_literal="100.0",
    unindexed_prefix="+",
    seat="SELECT j.key FROM json_each(m.players) j WHERE j.value = s.address",
    hash="{}",
    packs_names=False,
)
"""SQL for SQLite. A unary plus before a column keeps SQLite from using an index."""


def server_dialect(schema: str) -> SqlDialect:
    """Return the SQL parts for PostgreSQL. `schema`: the schema that contains the tables.

    Text from a chain can contain U+0000. Text in PostgreSQL can't, so this character becomes U+FFFD
    (https://www.postgresql.org/docs/current/datatype-json.html). Text is sorted as on SQLite."""
    quoted = schema.replace('"', '""')
    return SqlDialect(
        schema=f'"{quoted}"',
        field="""({0} ->> '{1}') COLLATE "C\"""",
        bool_field="""CASE {0} ->> '{1}' WHEN 'true' THEN '1' WHEN 'false' THEN '0' ELSE {0} ->> '{1}' END""",
        safe_json=r"CAST(replace(CAST({} AS text), '\u0000', '\ufffd') AS json)",
        casts={INTEGER: "bigint", TEXT: "text"},
        hundred_literal="CAST(100 AS double precision)",
        unindexed_prefix="",
        seat="SELECT j.number - 1 FROM json_array_elements_text(m.players) WITH ORDINALITY j (value, number) "
        "WHERE j.value = s.address",
        hash="""('0x' || encode({}, 'hex')) COLLATE "C\"""",
        packs_names=True,
    )
