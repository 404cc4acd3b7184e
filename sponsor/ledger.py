"""The ledger of grants (transfers to players), in a SQLite file. A grant is written to disk before
it is sent, and counts against the budgets from then on."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from sponsor.budgets import Budgets, BudgetSpent, Spent, allowance, day_of
from transactions.durable_file import DurableFile

VERSION = 1
TABLES = (
    """CREATE TABLE IF NOT EXISTS grants (
 id INTEGER PRIMARY KEY AUTOINCREMENT, chain TEXT NOT NULL, sender TEXT NOT NULL, day INTEGER NOT NULL,
 address TEXT NOT NULL, network TEXT NOT NULL, game TEXT NOT NULL, value TEXT NOT NULL, reserved TEXT NOT NULL,
 state TEXT NOT NULL, tx INTEGER)""",
    "DROP INDEX IF EXISTS by_day",
    "CREATE INDEX IF NOT EXISTS of_day ON grants (chain, day, state, game, network, address, reserved)",
    "CREATE INDEX IF NOT EXISTS with_network ON grants (day) WHERE network != ''",
    "CREATE INDEX IF NOT EXISTS by_state ON grants (chain, sender, state)",
    """CREATE TABLE IF NOT EXISTS recipients (
 chain TEXT NOT NULL, address TEXT NOT NULL, nonce INTEGER NOT NULL, height INTEGER NOT NULL, unspent TEXT NOT NULL,
 lost TEXT, PRIMARY KEY (chain, address))""",
)

NETWORK_DAYS = 7
"""A network address is personal data, so it is deleted from its grant after this number of days."""
DIGITS = 12
"""The number of digits in the lower part of an amount. The file stores wei as text, because 18
ether exceed SQLite's integers. Queries add up the lower digits and the higher digits separately."""
LOW_PART = int(10**DIGITS)
_HIGH = f"CAST(substr(reserved, 1, length(reserved) - {DIGITS}) AS INTEGER)"
_LOW = f"CAST(substr(reserved, -{DIGITS}) AS INTEGER)"
_OF_DAY = "FROM grants WHERE chain = :chain AND day = :day AND state IN ('paid', 'reserved')"

GrantState: TypeAlias = Literal["reserved", "paid", "void"]
"""The state of a grant. `reserved`: its transaction is pending or in a block that is not final.
`paid`: its transaction was mined, and the cost is final. `void`: its transaction was never mined
and never will be."""


class LedgerError(Exception):
    """The ledger can't be used. The message contains the reason."""


class RecipientChanged(Exception):
    """Another process has sent ether to the address in the meantime."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A request for ether: the recipient's address, the network address that sent the request, and
    the game."""

    address: str
    network: str
    game: str


@dataclass(frozen=True, slots=True)
class Grant:
    """A transfer of `value` wei. `reserved` is the amount, in wei and including the fee, that
    counts against the budgets of the UTC day `day`. `tx` is the id of the transfer's transaction in
    the journal, or None before it is added there."""

    id: int
    chain: str
    sender: str
    day: int
    address: str
    network: str
    game: str
    value: int
    reserved: int
    state: GrantState
    tx: int | None


@dataclass(frozen=True, slots=True)
class Recipient:
    """The known facts about an address that has received ether. Its transactions with nonces below
    `nonce`, up to the block at `height`, have been checked. They have left `unspent` wei of the
    sponsored ether. If a transaction has cost the address its allowance, `lost` is the hash of that
    transaction."""

    nonce: int
    height: int
    unspent: int
    lost: str | None


class Ledger:
    """The grants on one chain, from all accounts that send grants. The ledger can be used from any
    thread. Raises LedgerError."""

    def __init__(self, path: Path, chain: str, budgets: Budgets) -> None:
        self.path, self.chain, self.budgets = path, chain, budgets
        self._file = DurableFile(path, "the sponsor's ledger", VERSION, TABLES, LedgerError)

    def close(self) -> None:
        self._file.close()

    def day(self, now: float) -> int:
        """Return the UTC day whose budget pays at `now` (seconds since 1970). If the clock is set
        back, return the last day with a grant instead, so that no day's budget is used twice."""
        with self._file.reading() as database:
            return self._day(database, now)

    def reserve(
        self, now: float, sender: str, claim: Claim, wanted: int, minimum: int, cost: int, seen: Recipient
    ) -> Grant:
        """Reserve a grant of `wanted` wei, or less if the budgets don't allow that, but at least
        `minimum`. The grant and its maximum fee `cost` (in wei) count against the budgets. `seen`
        is what the caller knows about the address. Raises BudgetSpent, or RecipientChanged if
        `seen` is out of date."""
        with self._file.writing() as database:
            if (self._recipient(database, claim.address) or replace(seen, unspent=0)) != seen:
                raise RecipientChanged(claim.address)
            day = self._day(database, now)
            value = allowance(self.budgets, self._spent(database, day, claim), wanted, minimum, cost)
            into = (
                "INSERT INTO grants (chain, sender, day, address, network, game, value, reserved, state) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'reserved')"
            )
            who = (claim.address, claim.network, claim.game)
            values = (self.chain, sender, day, *who, str(value), str(value + cost))
            id = database.execute(into, values).lastrowid
            assert id is not None
            later = Recipient(seen.nonce, seen.height, seen.unspent + value, seen.lost)
            self._write_recipient(database, claim.address, later)
        return Grant(id, self.chain, sender, day, *who, value, value + cost, "reserved", None)

    def check(self, now: float, claim: Claim, minimum: int = 1) -> None:
        """Raise BudgetSpent if the budgets don't allow a grant of `minimum` wei now."""
        with self._file.reading() as database:
            allowance(self.budgets, self._spent(database, self._day(database, now), claim), minimum, minimum, 0)

    def charge(self, now: float, sender: str, cost: int) -> None:
        """Charge the day's budget with a fee (in wei) that belongs to no grant. Raises BudgetSpent
        if the day's budget does not cover the fee."""
        with self._file.writing() as database:
            day = self._day(database, now)
            if self._paid(database, day) + cost > self.budgets.day:
                raise BudgetSpent("day")
            into = (
                "INSERT INTO grants (chain, sender, day, address, network, game, value, reserved, state) "
                "VALUES (?, ?, ?, ?, '', '', '0', ?, 'paid')"
            )
            database.execute(into, (self.chain, sender, day, sender, str(cost)))

    def note_sent(self, grant: Grant, tx: int) -> None:
        """Store the id of the grant's transaction in the journal."""
        with self._file.writing() as database:
            database.execute("UPDATE grants SET tx = ? WHERE id = ?", (tx, grant.id))

    def settle(self, grant: Grant, paid: int, arrived: bool = True) -> None:
        """Store what a grant has cost in the end, in wei, or 0 if its transaction was never mined.
        `arrived` is True if the recipient has received the grant's value."""
        state: GrantState = "paid" if paid else "void"
        with self._file.writing() as database:
            known = self._grants(database, "WHERE id = ?", (grant.id,))[0]
            if known.state != "reserved":
                return
            database.execute("UPDATE grants SET state = ?, reserved = ? WHERE id = ?", (state, str(paid), grant.id))
            seen = self._recipient(database, grant.address)
            if seen is not None and not (paid and arrived):
                left = max(0, seen.unspent - grant.value)
                self._write_recipient(database, grant.address, Recipient(seen.nonce, seen.height, left, seen.lost))

    def open_grants(self, sender: str) -> list[Grant]:
        """Return the sender's grants whose cost is not final yet, oldest first."""
        where = "WHERE chain = ? AND sender = ? AND state = 'reserved' ORDER BY id"
        with self._file.reading() as database:
            return self._grants(database, where, (self.chain, sender))

    def open_grant(self, address: str) -> Grant | None:
        """Return the newest grant for this address whose cost is not final yet, or None."""
        where = "WHERE chain = ? AND state = 'reserved' AND address = ? ORDER BY id DESC LIMIT 1"
        with self._file.reading() as database:
            found = self._grants(database, where, (self.chain, address))
        return found[0] if found else None

    def recipient(self, address: str) -> Recipient | None:
        """Return the known facts about an address, or None if it has received nothing yet."""
        with self._file.reading() as database:
            return self._recipient(database, address)

    def note_recipient(self, address: str, seen: Recipient) -> None:
        """Store the known facts about an address."""
        with self._file.writing() as database:
            self._write_recipient(database, address, seen)

    def spent(self, now: float) -> int:
        """Return how many wei of the day's budget are paid or reserved."""
        with self._file.reading() as database:
            return self._paid(database, self._day(database, now))

    def forget_networks(self, now: float) -> None:
        """Delete the network addresses from all grants that are older than NETWORK_DAYS days."""
        with self._file.reading() as database:
            before = self._day(database, now) - NETWORK_DAYS
            old = "FROM grants WHERE network != '' AND day < ?"
            if database.execute(f"SELECT 1 {old} LIMIT 1", (before,)).fetchone() is None:
                return
        with self._file.writing() as database:
            database.execute("UPDATE grants SET network = '' WHERE network != '' AND day < ?", (before,))

    def _day(self, database: sqlite3.Connection, now: float) -> int:
        [latest] = database.execute("SELECT max(day) FROM grants").fetchone()
        return max(day_of(now), latest or 0)

    def _spent(self, database: sqlite3.Connection, day: int, claim: Claim) -> Spent:
        """Return the sums for all four budgets, computed in one scan of the index."""
        limits = ("game", "network", "address")
        parts = [f"sum({part}) FILTER (WHERE {limit} = :{limit})" for limit in limits for part in (_HIGH, _LOW)]
        query = f"SELECT sum({_HIGH}), sum({_LOW}), {', '.join(parts)} {_OF_DAY}"
        values = {"chain": self.chain, "day": day, **asdict(claim)}
        row = database.execute(query, values).fetchone()
        return Spent(*(_wei(row[at], row[at + 1]) for at in range(0, len(row), 2)))

    def _paid(self, database: sqlite3.Connection, day: int) -> int:
        query = f"SELECT sum({_HIGH}), sum({_LOW}) {_OF_DAY}"
        return _wei(*database.execute(query, {"chain": self.chain, "day": day}).fetchone())

    def _grants(self, database: sqlite3.Connection, where: str, values: Sequence[Any]) -> list[Grant]:
        columns = ", ".join(one.name for one in fields(Grant))
        rows = database.execute(f"SELECT {columns} FROM grants {where}", values)
        return [_grant(row) for row in rows]

    def _recipient(self, database: sqlite3.Connection, address: str) -> Recipient | None:
        query = "SELECT nonce, height, unspent, lost FROM recipients WHERE chain = ? AND address = ?"
        row = database.execute(query, (self.chain, address)).fetchone()
        return Recipient(row[0], row[1], int(row[2]), row[3]) if row else None

    def _write_recipient(self, database: sqlite3.Connection, address: str, seen: Recipient) -> None:
        nonce, height, unspent, lost = astuple(seen)
        values = (self.chain, address, nonce, height, str(unspent), lost)
        database.execute("INSERT OR REPLACE INTO recipients VALUES (?, ?, ?, ?, ?, ?)", values)


def _wei(high: int | None, low: int | None) -> int:
    return (high or 0) * LOW_PART + (low or 0)


def _grant(row: tuple[Any, ...]) -> Grant:
    id, chain, sender, day, address, network, game, value, reserved, state, tx = row
    return Grant(id, chain, sender, day, address, network, game, int(value), int(reserved), state, tx)
