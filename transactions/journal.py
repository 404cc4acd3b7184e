"""The journal of transactions, a SQLite file that several processes can use. Each transaction is
written to disk before it is sent."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from transactions.durable_file import DurableFile
from transactions.fees import Fees
from transactions.model import Attempt, Tx, TxRequest
from transactions.states import QUEUED, TRACKED, TxState, check_transition

VERSION = 1
TABLE = """CREATE TABLE IF NOT EXISTS transactions (
 id INTEGER PRIMARY KEY AUTOINCREMENT, chain TEXT NOT NULL, account TEXT NOT NULL, key TEXT, state TEXT NOT NULL,
 nonce INTEGER, closed INTEGER NOT NULL, story TEXT NOT NULL)"""
INDEXES = (
    "CREATE UNIQUE INDEX IF NOT EXISTS by_key ON transactions (chain, account, key) WHERE key IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS by_state ON transactions (chain, account, closed, state)",
)
STORED_KEYS = {"request": "order", "is_done": "closed", "max_fee": "most", "priority_fee": "tip"}
"""The fields whose names in the file differ from those in the code, each with its name in the
file."""


class JournalError(Exception):
    """The journal can't be used. The message explains why."""


class Journal:
    """A file with the transactions of all chains and accounts. Any thread can use it. Raises
    JournalError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = DurableFile(path, "the journal of transactions", VERSION, (TABLE, *INDEXES), JournalError)

    def close(self) -> None:
        self._file.close()

    def add(self, request: TxRequest) -> Tx:
        """Insert a transaction and return it. If there already is a transaction with the key of
        this request, return that transaction instead."""
        with self._file.writing() as database:
            existing = _by_key(database, request)
            return existing or _insert(database, request)

    def replace(self, tx: Tx, request: TxRequest) -> Tx:
        """Insert a transaction to replace `tx`, which was not mined and never will be. The new
        transaction takes over the key of `tx`."""
        with self._file.writing() as database:
            existing = _by_key(database, request)
            if existing is not None and existing.id != tx.id:  # another process has already replaced `tx`
                return existing
            database.execute("UPDATE transactions SET key = NULL WHERE id = ?", (tx.id,))
            return _insert(database, request)

    def get(self, id: int) -> Tx:
        """Return the transaction with this id in its current state."""
        return self._select("WHERE id = ?", (id,))[0]

    def queued(self, chain: str, account: str, limit: int = -1) -> list[Tx]:
        """Return at most `limit` transactions that haven't been sent yet. Transactions that were
        signed before a crash come first, and the others follow in the order of submission."""
        return self._in_states(chain, account, QUEUED, f"state != 'signed', id LIMIT {limit:d}")

    def tracked(self, chain: str, account: str, min_nonce: int = 0) -> list[Tx]:
        """Return the transactions that have been sent and can still change, sorted by nonce. Leave
        out nonces below `min_nonce`."""
        return self._in_states(chain, account, TRACKED, "nonce, id", min_nonce)

    def is_idle(self, account: str) -> bool:
        """Return True if none of this account's transactions on any chain can change any more."""
        states = (*QUEUED, *TRACKED)
        where = f"WHERE account = ? AND closed = 0 AND state IN ({_placeholders(states)}) LIMIT 1"
        return not self._select(where, (account, *states))

    def all(self, chain: str, account: str) -> list[Tx]:
        """Return all transactions of an account on a chain, in the order of submission."""
        return self._select("WHERE chain = ? AND account = ? ORDER BY id", (chain, account))

    def states(self) -> dict[str, int]:
        """Return the number of transactions in each state, over all chains and accounts."""
        with self._file.reading() as database:
            return dict(database.execute("SELECT state, count(*) FROM transactions GROUP BY state"))

    def transition(self, tx: Tx, state: TxState, **changes: Any) -> Tx:
        """Move the transaction to its next state, and store it. Raises InvalidTransition if that
        state can't follow the current state."""
        check_transition(tx.state, state)
        return self.update(tx, state=state, **changes)

    def update(self, tx: Tx, **changes: Any) -> Tx:
        """Store changes to the transaction, and return the changed transaction. Unlike
        `transition`, this doesn't check the state."""
        changed = replace(tx, **changes)
        values = (changed.state, changed.nonce, changed.is_done, _to_json(changed), tx.id)
        with self._file.writing() as database:
            database.execute("UPDATE transactions SET state = ?, nonce = ?, closed = ?, story = ? WHERE id = ?", values)
        return changed

    def _in_states(
        self, chain: str, account: str, states: Sequence[TxState], order_by: str, min_nonce: int = 0
    ) -> list[Tx]:
        where = f"WHERE chain = ? AND account = ? AND closed = 0 AND state IN ({_placeholders(states)})"
        where += f" AND coalesce(nonce, 0) >= ? ORDER BY {order_by}"
        return self._select(where, (chain, account, *states, min_nonce))

    def _select(self, where: str, values: Sequence[Any]) -> list[Tx]:
        with self._file.reading() as database:
            return _read(database, where, values)


def _placeholders(values: Sequence[Any]) -> str:
    return ", ".join("?" * len(values))


def _by_key(database: sqlite3.Connection, request: TxRequest) -> Tx | None:
    if request.key is None:
        return None
    found = _read(
        database, "WHERE chain = ? AND account = ? AND key = ?", (request.chain, request.account, request.key)
    )
    return found[0] if found else None


def _insert(database: sqlite3.Connection, request: TxRequest) -> Tx:
    fresh = Tx(0, request)
    values = (request.chain, request.account, request.key, fresh.state, False, _to_json(fresh))
    into = "INSERT INTO transactions (chain, account, key, state, closed, story) VALUES (?, ?, ?, ?, ?, ?)"
    id = database.execute(into, values).lastrowid
    assert id is not None
    return replace(fresh, id=id)


def _read(database: sqlite3.Connection, where: str, values: Sequence[Any]) -> list[Tx]:
    return [_from_json(*row) for row in database.execute(f"SELECT id, story FROM transactions {where}", values)]


def _to_json(tx: Tx) -> str:
    fields = {name: value for name, value in asdict(tx).items() if name != "id"}
    return json.dumps(_with_keys(fields, STORED_KEYS))


def _from_json(id: int, story: str) -> Tx:
    fields = _with_keys(json.loads(story), {key: name for name, key in STORED_KEYS.items()})
    attempts = tuple(Attempt(**{**one, "fees": Fees(**one["fees"])}) for one in fields["attempts"])
    return Tx(**{**fields, "id": id, "request": TxRequest(**fields["request"]), "attempts": attempts})


def _with_keys(value: Any, keys: Mapping[str, str]) -> Any:
    """Return the same JSON value with its keys renamed, including those of nested objects. `keys`
    maps old keys to new keys."""
    if isinstance(value, dict):
        return {keys.get(key, key): _with_keys(one, keys) for key, one in value.items()}
    return [_with_keys(one, keys) for one in value] if isinstance(value, (list, tuple)) else value
