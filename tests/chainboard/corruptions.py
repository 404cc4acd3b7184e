"""Ways to corrupt a database. Each function makes a change in the database, and returns texts that
the report must contain."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

Corruption: TypeAlias = Callable[[Random, sqlite3.Connection], list[str]]
"""A function (random, database) that corrupts the database. It returns parts of lines, and each
part must be in the output."""

HASH = "0x" + 32 * "fe"
STRANGER = "0x00000000000000000000000000000000DeaDBeef"
KINDS: list[Corruption] = []


def kind(corruption: Corruption) -> Corruption:
    KINDS.append(corruption)
    return corruption


def one(random: Random, database: sqlite3.Connection, query: str, *values: Any) -> dict[str, Any]:
    """Return a random row from the results of the query."""
    database.row_factory = sqlite3.Row
    return dict(random.choice(database.execute(query, values).fetchall()))


def middle(random: Random, database: sqlite3.Connection) -> int:
    """Return the height of a random block. It is never the first block or one of the last two."""
    return int(one(random, database, "SELECT height FROM block ORDER BY height LIMIT -1 OFFSET 2")["height"]) - 2


def event(random: Random, database: sqlite3.Connection) -> tuple[dict[str, Any], str]:
    """Return a random event, and the name that reports use for it."""
    row = one(random, database, "SELECT * FROM event")
    return row, f"event {row['height']}/{row['log_index']}"


def match(random: Random, database: sqlite3.Connection) -> tuple[tuple[str, int], dict[str, Any], str]:
    row = one(random, database, 'SELECT * FROM "match"')
    return (row["game"], row["match"]), row, f"match {row['game']}/{row['match']}"


# ---- blocks


@kind
def a_wrong_hash(random: Random, database: sqlite3.Connection) -> list[str]:
    height = middle(random, database)
    database.execute("UPDATE block SET hash = ? WHERE height = ?", (HASH, height))
    return [f"block {height}: hash is {HASH}, on the chain 0x"]


@kind
def the_newest_hash(_random: Random, database: sqlite3.Connection) -> list[str]:
    (height,) = database.execute("SELECT max(height) FROM block").fetchone()
    database.execute("UPDATE block SET hash = ? WHERE height = ?", (HASH, height))
    return [f"block {height}: hash is {HASH}"]


@kind
def a_wrong_parent(random: Random, database: sqlite3.Connection) -> list[str]:
    height = middle(random, database)
    database.execute("UPDATE block SET parent = ? WHERE height = ?", (HASH, height))
    return [f"block {height}: parent is {HASH}"]


@kind
def a_wrong_time(random: Random, database: sqlite3.Connection) -> list[str]:
    height, seconds = middle(random, database), random.choice((-1, 1, 3600))
    database.execute("UPDATE block SET time = time + ? WHERE height = ?", (seconds, height))
    return [f"block {height}: time is "]


@kind
def two_blocks_swapped(random: Random, database: sqlite3.Connection) -> list[str]:
    height = middle(random, database)
    found = dict(database.execute("SELECT height, hash FROM block WHERE height IN (?, ?)", (height, height + 1)))
    for at, hash in ((height, "for a moment"), (height + 1, found[height]), (height, found[height + 1])):
        database.execute("UPDATE block SET hash = ? WHERE height = ?", (hash, at))
    return [f"block {height}: hash is {found[height + 1]}", f"block {height + 1}: hash is {found[height]}"]


@kind
def a_block_missing(random: Random, database: sqlite3.Connection) -> list[str]:
    height = middle(random, database)
    database.execute("DELETE FROM block WHERE height = ?", (height,))
    return [f"block {height}: missing from the database"]


@kind
def a_block_too_many(_random: Random, database: sqlite3.Connection) -> list[str]:
    (height,) = database.execute("SELECT max(height) + 1 FROM block").fetchone()
    database.execute("INSERT INTO block (height, hash, parent, time) VALUES (?, ?, ?, 1)", (height, HASH, HASH))
    return [f"block {height}: not on the chain; values in the database: hash {HASH}"]


@kind
def a_height_that_is_no_number(random: Random, database: sqlite3.Connection) -> list[str]:
    height = middle(random, database)
    database.execute("UPDATE block SET height = 'high' WHERE height = ?", (height,))
    return [f"block {height}: missing from the database", "block high: not on the chain"]


@kind
def a_tail_of_blocks_missing(random: Random, database: sqlite3.Connection) -> list[str]:
    """Delete the last blocks, but keep their events."""
    (height,) = database.execute("SELECT max(height) FROM event").fetchone()
    first = height - random.randrange(5)
    database.execute("DELETE FROM block WHERE height >= ?", (first,))
    return [f"block {height}: missing from the database"]


@kind
def a_tail_cut_off(random: Random, database: sqlite3.Connection) -> list[str]:
    """Delete the last blocks of a match, as a cascade would. The board disappears with the match's
    last block."""
    row = one(random, database, 'SELECT * FROM "match" WHERE created_height < height')
    database.execute("PRAGMA foreign_keys=ON")
    database.execute("DELETE FROM block WHERE height >= ?", (row["height"],))
    return [f"match {row['game']}/{row['match']}: missing from the database"]


# ---- events


@kind
def an_event_missing(random: Random, database: sqlite3.Connection) -> list[str]:
    row, name = event(random, database)
    database.execute("DELETE FROM event WHERE height = ? AND log_index = ?", (row["height"], row["log_index"]))
    return [f"{name}: missing from the database; values on the chain: game {row['game']}, match {row['match']}"]


@kind
def an_event_invented(random: Random, database: sqlite3.Connection) -> list[str]:
    row, _name = event(random, database)
    values = row | {"log_index": 99, "seq": 1000}
    database.execute(f"INSERT INTO event ({', '.join(values)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [*values.values()])
    return [f"event {row['height']}/99: not on the chain"]


@kind
def another_argument(random: Random, database: sqlite3.Connection) -> list[str]:
    row = one(random, database, "SELECT * FROM event WHERE args != '{}'")
    args = json.loads(row["args"])
    key = random.choice(sorted(args))
    args[key] = "something else"
    _set_event(database, row, "args", json.dumps(args, sort_keys=True, separators=(",", ":")))
    return [f"event {row['height']}/{row['log_index']}: args.{key} is something else, on the chain "]


@kind
def another_name(random: Random, database: sqlite3.Connection) -> list[str]:
    row, name = event(random, database)
    _set_event(database, row, "name", "Cheated")
    return [f"{name}: name is Cheated, on the chain {row['name']}"]


@kind
def another_transaction(random: Random, database: sqlite3.Connection) -> list[str]:
    row, name = event(random, database)
    _set_event(database, row, "tx", HASH)
    return [f"{name}: tx is {HASH}, on the chain {row['tx']}"]


@kind
def an_event_in_another_block(random: Random, database: sqlite3.Connection) -> list[str]:
    row, name = event(random, database)
    _set_event(database, row, "height", row["height"] - 1, log_index=50)
    return [f"{name}: missing from the database", f"event {row['height'] - 1}/50: not on the chain"]


@kind
def an_event_far_above_the_chain(random: Random, database: sqlite3.Connection) -> list[str]:
    row, name = event(random, database)
    _set_event(database, row, "height", 10**12)
    return [f"{name}: missing from the database", f"event {10**12}/{row['log_index']}: not on the chain"]


@kind
def another_place_in_the_block(random: Random, database: sqlite3.Connection) -> list[str]:
    row, name = event(random, database)
    _set_event(database, row, "log_index", 77)
    return [f"{name}: missing from the database", f"event {row['height']}/77: not on the chain"]


@kind
def an_event_of_another_match(random: Random, database: sqlite3.Connection) -> list[str]:
    row, name = event(random, database)
    _set_event(database, row, "match", 4711)
    return [f"{name}: match is 4711, on the chain {row['match']}"]


@kind
def numbers_swapped(random: Random, database: sqlite3.Connection) -> list[str]:
    row = one(random, database, "SELECT * FROM event WHERE seq > 1")
    other = one(
        random,
        database,
        'SELECT * FROM event WHERE game = ? AND "match" = ? AND seq = ?',
        row["game"],
        row["match"],
        row["seq"] - 1,
    )
    for target, seq in ((row, 0), (other, row["seq"]), (row, other["seq"])):
        _set_event(database, target, "seq", seq)
    return [
        f"event {one['height']}/{one['log_index']}: seq is {seq}, on the chain {one['seq']}"
        for one, seq in ((row, other["seq"]), (other, row["seq"]))
    ]


@kind
def a_number_that_is_none(random: Random, database: sqlite3.Connection) -> list[str]:
    row, name = event(random, database)
    _set_event(database, row, "seq", "first")
    return [f"{name}: seq is first, on the chain {row['seq']}"]


@kind
def no_events_at_all(_random: Random, database: sqlite3.Connection) -> list[str]:
    database.execute("DELETE FROM event")
    return [": missing from the database; values on the chain: game", "more"]


def _set_event(database: sqlite3.Connection, row: dict[str, Any], column: str, value: Any, **others: Any) -> None:
    values = {column: value, **others}
    setting = ", ".join(f'"{name}" = ?' for name in values)
    where = (row["height"], row["log_index"])
    database.execute(f"UPDATE event SET {setting} WHERE height = ? AND log_index = ?", (*values.values(), *where))


# ---- mentions


@kind
def a_mention_missing(random: Random, database: sqlite3.Connection) -> list[str]:
    row = one(random, database, "SELECT * FROM mention")
    database.execute("DELETE FROM mention WHERE address = ? AND height = ? AND log_index = ?", _mention(row))
    return [f"mention {row['height']}/{row['log_index']} of {row['address']}: missing from the database"]


@kind
def a_mention_too_many(random: Random, database: sqlite3.Connection) -> list[str]:
    row, _name = event(random, database)
    values = (STRANGER, row["height"], row["log_index"], row["game"], row["name"])
    database.execute("INSERT INTO mention (address, height, log_index, game, name) VALUES (?, ?, ?, ?, ?)", values)
    return [f"mention {row['height']}/{row['log_index']} of {STRANGER}: not on the chain"]


@kind
def a_mention_of_another(random: Random, database: sqlite3.Connection) -> list[str]:
    row = one(random, database, "SELECT * FROM mention")
    where = "address = ? AND height = ? AND log_index = ?"
    database.execute(f"UPDATE mention SET address = ? WHERE {where}", (STRANGER, *_mention(row)))
    place = f"mention {row['height']}/{row['log_index']} of"
    return [f"{place} {row['address']}: missing from the database", f"{place} {STRANGER}: not on the chain"]


@kind
def a_mention_under_another_name(random: Random, database: sqlite3.Connection) -> list[str]:
    row = one(random, database, "SELECT * FROM mention")
    where = "address = ? AND height = ? AND log_index = ?"
    database.execute(f"UPDATE mention SET name = 'Cheated' WHERE {where}", _mention(row))
    place = f"mention {row['height']}/{row['log_index']} of {row['address']}"
    return [f"{place}: name is Cheated, on the chain {row['name']}"]


def _mention(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["address"], row["height"], row["log_index"]


# ---- matches and seats


@kind
def an_altered_board(random: Random, database: sqlite3.Connection) -> list[str]:
    key, row, name = match(random, database)
    board = json.loads(row["board"])
    place = random.choice([field for field in ("deadline", "ply", "status", "players") if field in board])
    board[place] = {STRANGER: {"seat": 0}} if place == "players" else "altered"
    _set_match(database, key, board=json.dumps(board, sort_keys=True, separators=(",", ":")))
    return [f"{name}: board.{place}"]


@kind
def a_board_that_is_no_json(random: Random, database: sqlite3.Connection) -> list[str]:
    key, row, name = match(random, database)
    _set_match(database, key, board=row["board"][:-1])
    return [f"{name}: board is {{"]


@kind
def a_board_written_otherwise(random: Random, database: sqlite3.Connection) -> list[str]:
    key, row, name = match(random, database)
    _set_match(database, key, board=json.dumps(json.loads(row["board"])))
    return [f"{name}: board is not canonical JSON"]


@kind
def another_status(random: Random, database: sqlite3.Connection) -> list[str]:
    key, row, name = match(random, database)
    _set_match(database, key, status="lost")
    return [f"{name}: status is lost, on the chain {row['status']}"]


@kind
def several_columns(random: Random, database: sqlite3.Connection) -> list[str]:
    key, row, name = match(random, database)
    _set_match(database, key, ply=row["ply"] + 1, seq=row["seq"] - 1, created_index=9)
    return [f"{name}: seq is {row['seq'] - 1}, on the chain {row['seq']}; ply is ", "created_index is 9"]


@kind
def waiting_for_no_reason(random: Random, database: sqlite3.Connection) -> list[str]:
    key, _row, name = match(random, database)
    _set_match(database, key, waits_for=10**6)
    return [f"{name}: waits_for is 1000000, on the chain "]


@kind
def players_that_are_others(random: Random, database: sqlite3.Connection) -> list[str]:
    key, _row, name = match(random, database)
    _set_match(database, key, players=json.dumps([STRANGER]))
    return [f'{name}: players is ["{STRANGER}"]']


@kind
def a_match_missing(random: Random, database: sqlite3.Connection) -> list[str]:
    key, _row, name = match(random, database)
    database.execute('DELETE FROM "match" WHERE game = ? AND "match" = ?', key)
    return [f"{name}: missing from the database"]


@kind
def a_match_invented(random: Random, database: sqlite3.Connection) -> list[str]:
    _key, row, _name = match(random, database)
    values = row | {"game": random.choice(("chess", row["game"])), "match": 99}
    names = ", ".join(f'"{name}"' for name in values)
    database.execute(f'INSERT INTO "match" ({names}) VALUES ({", ".join("?" * len(values))})', [*values.values()])
    return [f"match {values['game']}/99: not on the chain"]


@kind
def a_seat_missing(random: Random, database: sqlite3.Connection) -> list[str]:
    row = one(random, database, "SELECT * FROM seat")
    values = (row["address"], row["game"], row["match"])
    database.execute('DELETE FROM seat WHERE address = ? AND game = ? AND "match" = ?', values)
    return [f"seat {row['game']}/{row['match']} of {row['address']}: missing from the database"]


@kind
def a_seat_too_many(random: Random, database: sqlite3.Connection) -> list[str]:
    key, _row, name = match(random, database)
    database.execute("INSERT INTO seat VALUES (?, ?, ?, 'open', 1, 1)", (STRANGER, *key))
    return [f"{name.replace('match', 'seat')} of {STRANGER}: not on the chain"]


@kind
def a_seat_in_another_kind_of_match(random: Random, database: sqlite3.Connection) -> list[str]:
    row = one(random, database, "SELECT * FROM seat")
    values = (row["address"], row["game"], row["match"])
    database.execute("UPDATE seat SET status = 'lost' WHERE address = ? AND game = ? AND \"match\" = ?", values)
    return [f"seat {row['game']}/{row['match']} of {row['address']}: status is lost, on the chain {row['status']}"]


def _set_match(database: sqlite3.Connection, key: tuple[str, int], **values: Any) -> None:
    setting = ", ".join(f'"{name}" = ?' for name in values)
    database.execute(f'UPDATE "match" SET {setting} WHERE game = ? AND "match" = ?', (*values.values(), *key))


# ---- checkpoints and results


@kind
def an_altered_checkpoint(random: Random, database: sqlite3.Connection) -> list[str]:
    """Alter a checkpoint, so that each board computed from it would be wrong."""
    row = one(random, database, "SELECT * FROM checkpoint")
    board = json.loads(row["board"]) | {"status": "altered"}
    values = (json.dumps(board, sort_keys=True, separators=(",", ":")), row["game"], row["match"], row["seq"])
    database.execute('UPDATE checkpoint SET board = ? WHERE game = ? AND "match" = ? AND seq = ?', values)
    return [f"checkpoint {row['game']}/{row['match']} after event {row['seq']}: board.status is altered"]


@kind
def a_checkpoint_too_many(random: Random, database: sqlite3.Connection) -> list[str]:
    row = one(random, database, "SELECT * FROM checkpoint")
    values = (row["game"], row["match"], row["seq"] - 1, row["height"], row["board"])
    database.execute("INSERT INTO checkpoint VALUES (?, ?, ?, ?, ?)", values)
    return [f"checkpoint {row['game']}/{row['match']} after event {row['seq'] - 1}: not on the chain"]


@kind
def another_rating(random: Random, database: sqlite3.Connection) -> list[str]:
    row, name = result(random, database)
    database.execute("UPDATE result SET rating = 300000, won = 99 WHERE address = ?", (row["address"],))
    return [f"{name}: rating is 300000, on the chain {row['rating']}; won is 99, on the chain {row['won']}"]


@kind
def a_result_missing(random: Random, database: sqlite3.Connection) -> list[str]:
    row, name = result(random, database)
    database.execute("DELETE FROM result WHERE address = ?", (row["address"],))
    return [f"{name}: missing from the database"]


@kind
def a_result_superseded_by_nothing(random: Random, database: sqlite3.Connection) -> list[str]:
    row, name = result(random, database)
    database.execute("UPDATE result SET until_height = 7 WHERE address = ?", (row["address"],))
    return [f"{name}: until_height is 7, on the chain nothing"]


def result(random: Random, database: sqlite3.Connection) -> tuple[dict[str, Any], str]:
    row = one(random, database, "SELECT * FROM result WHERE until_height IS NULL")
    return row, f"result {row['game']}/{row['match']} of {row['address']}"


# ---- the database's own data, and its file


@kind
def another_chain(_random: Random, database: sqlite3.Connection) -> list[str]:
    """Change the chain's genesis in the database. The blocks still belong to the node's chain, as
    the manifest confirms."""
    database.execute("UPDATE chain SET genesis = ?", (HASH,))
    return [f"chain 31337: genesis is {HASH}"]


@kind
def no_chain(_random: Random, database: sqlite3.Connection) -> list[str]:
    database.execute("DELETE FROM chain")
    return ["chain 31337: missing from the database"]


@kind
def counts_confirmed_above_the_chain(_random: Random, database: sqlite3.Connection) -> list[str]:
    """Mark counts as confirmed up to a block above the chain's head. If `chainboard verify`
    believed this, it would no longer compare the counts with the contracts."""
    database.execute("UPDATE confirmed SET height = 1000000")
    return ["confirmation up to block 1000000: not on the chain"]


@kind
def another_contract(random: Random, database: sqlite3.Connection) -> list[str]:
    row = one(random, database, "SELECT * FROM deployment")
    column, value = random.choice((("code_hash", HASH), ("block_hash", HASH), ("first_match", 2), ("height", 1)))
    database.execute(f"UPDATE deployment SET {column} = ? WHERE address = ?", (value, row["address"]))
    return [f"deployment {row['address']}: {column} is {value}, on the chain {row[column]}"]


@kind
def a_contract_missing(random: Random, database: sqlite3.Connection) -> list[str]:
    row = one(random, database, "SELECT * FROM deployment")
    database.execute("DELETE FROM deployment WHERE address = ?", (row["address"],))
    return [f"deployment {row['address']}: missing from the database"]


@kind
def a_contract_too_many(random: Random, database: sqlite3.Connection) -> list[str]:
    row = one(random, database, "SELECT * FROM deployment")
    values = row | {"address": STRANGER}
    places = ", ".join("?" * len(values))
    database.execute(f"INSERT INTO deployment ({', '.join(values)}) VALUES ({places})", [*values.values()])
    return [f"deployment {STRANGER}: not on the chain"]


@kind
def an_index_that_lacks_rows(_random: Random, database: sqlite3.Connection) -> list[str]:
    """Break an SQL index, so that queries by event name don't find existing rows."""
    database.execute("PRAGMA writable_schema=ON")
    [(sql,)] = database.execute("SELECT sql FROM sqlite_master WHERE name = 'event_by_name'").fetchall()
    database.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'event_by_name'", (sql.replace("name, ", "tx, "),))
    return ["file: "]


@kind
def blocks_left_out_above_the_chain(random: Random, database: sqlite3.Connection) -> list[str]:
    """Mark blocks above the chain's head as left out on purpose. If `chainboard verify` believed
    this, it would not report missing blocks."""
    database.execute("INSERT INTO sparse VALUES (1000000)")
    return ["removal of empty blocks up to block 1000000: not on the chain", *a_block_missing(random, database)]
