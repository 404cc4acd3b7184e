"""Tests the names, columns, types and rows of the SQL views. The tests need no chain."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from indexer.model import Deployment, Json
from indexer.sql.query import ReadOnlyDatabase
from indexer.sql.views import GENERAL_VIEWS, RESERVED_WORDS, column_type, event_views, snake_case


@pytest.mark.parametrize(
    ("kind", "column"),
    [
        ("uint8", "INTEGER"),
        ("int48", "INTEGER"),
        ("uint48", "INTEGER"),
        ("bool", "INTEGER"),
        ("uint56", "TEXT"),
        ("uint256", "TEXT"),
        ("int", "TEXT"),
        ("address", "TEXT"),
        ("bytes32", "TEXT"),
        ("string", "TEXT"),
        ("uint8[]", "TEXT"),
        ("uint8[3]", "TEXT"),
    ],
)
def test_a_type_has_a_column(kind: str, column: str) -> None:
    assert column_type(kind) == column


@pytest.mark.parametrize(
    ("name", "snaked"),
    [("fromX", "from_x"), ("tic-tac-toe_GameWon", "tic_tac_toe_game_won"), ("by", "by"), ("a1B", "a1_b")],
)
def test_names_become_snakes(name: str, snaked: str) -> None:
    assert snake_case(name) == snaked


def event(name: str, **arguments: str) -> Json:
    inputs = {"matchId": "uint48", "seq": "uint32", **arguments}
    return {"type": "event", "name": name, "inputs": [{"name": one, "type": kind} for one, kind in inputs.items()]}


def deployment(*abi: Json) -> Deployment:
    return Deployment("two-words", "TwoWords", "0x", [*abi], 1, "0x", "0x", 1)


def test_contracts_of_one_game_share_a_view_with_the_arguments_of_all() -> None:
    older = deployment(event("Moved", row="uint8", stake="uint48"), event("Left"))
    newer = deployment(event("Moved", row="uint8", stake="uint96", time="uint40"), {"type": "error", "name": "No"})
    left, moved = event_views([older, newer])
    assert (left.name, moved.name) == ("two_words_left", "two_words_moved")
    own = {name: kind for name, kind in moved.columns.items() if name not in left.columns}
    assert own == {"row": "INTEGER", "stake": "TEXT", "time_argument": "INTEGER"}


def test_an_argument_that_is_a_word_of_sql_has_a_suffix() -> None:
    (taken,) = event_views([deployment(event("Taken", **{"from": "uint8", "to": "uint8", "by": "uint8"}))])
    own = [name for name in taken.columns if name.startswith(("from", "to", "by"))]
    assert own == ["from_argument", "to_argument", "by"]
    assert "'$.from'" in taken.query


def test_the_words_of_sql_are_those_that_sqlite_does_not_take_for_names() -> None:
    """Tests each word with SQLite's own parser, which accepts or rejects it as a column name."""
    with closing(sqlite3.connect(":memory:")) as database:
        for word in sorted(RESERVED_WORDS | {"by", "key", "match", "action", "abort", "row", "end"}):
            try:
                database.execute(f"SELECT {word} FROM (SELECT 1 AS {word})")
                taken = True
            except sqlite3.OperationalError:
                taken = False
            assert taken is (word not in RESERVED_WORDS), word


def test_what_belongs_to_no_match_has_no_view() -> None:
    strange = {"type": "event", "name": "Granted", "inputs": [{"name": "seq", "type": "uint32"}]}
    assert event_views([deployment(strange)]) == []


def test_results_are_there_when_their_table_is(tmp_path: Path) -> None:
    file = tmp_path / "index.db"
    with closing(sqlite3.connect(file)) as made:
        made.execute(
            'CREATE TABLE result (game, "match", address, outcome, rating, played, won, lost, drawn, height, log_index)'
        )
        made.execute("INSERT INTO result VALUES ('nim', 3, '0xA', 'won', 151650, 2, 1, 1, 0, 9, 4)")
        made.commit()
    with closing(ReadOnlyDatabase(file)) as database:
        assert [one.name for one in database.views] == ["results"]
        columns, rows = database.run("SELECT * FROM results", 5)
        assert dict(zip(columns, next(rows), strict=True)) == {
            "game": "nim",
            "match": 3,
            "address": "0xA",
            "outcome": "won",
            "rating": 1516.5,
            "played": 2,
            "won": 1,
            "lost": 1,
            "drawn": 0,
            "height": 9,
            "log_index": 4,
        }
        assert columns == list(next(one for one in GENERAL_VIEWS if one.name == "results").columns)
