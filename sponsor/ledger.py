"""The ledger of grants (transfers to players), in a SQLite file. Before a grant is sent, it is
written to disk. From then on, it counts against the budgets."""

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
"""The number of days after which a network address is deleted from its grant. It is personal data,
so the ledger keeps it only for a short time."""
DIGITS = 12
"""The number of decimal digits in the lower part of an amount. The file stores wei as text, because
SQLite's integers can't hold 18 ether in wei. Queries add up the lower and the higher parts
separately."""
LOW_PART = int(10**DIGITS)
_HIGH = f"CAST(substr(reserved, 1, length(reserved) - {DIGITS}) AS INTEGER)"
_LOW = f"CAST(substr(reserved, -{DIGITS}) AS INTEGER)"
_OF_DAY = "FROM grants WHERE chain = :chain AND day = :day AND state IN ('paid', 'reserved')"

GrantState: TypeAlias = Literal["reserved", "paid", "void"]
"""The state of a grant. `reserved`: the grant's transaction is pending, or in a block that isn't
final. `paid`: the transaction was mined, and its cost is final. `void`: the transaction was never
mined and never will be."""


class LedgerError(Exception):
    """The ledger can't be used. The message explains why."""


class RecipientChanged(Exception):
    """Another process has reserved ether for the recipient since the caller read its facts."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A request for ether: the recipient's address, the network address from which the request
    came, and the game."""

    address: str
    network: str
    game: str


@dataclass(frozen=True, slots=True)
class Grant:
    """A transfer of `value` wei to a player. `reserved` is the amount, in wei and including the
    fee, that counts against the budgets of the UTC day `day`. `tx` is the id of the transaction in
    the journal. It is None until the transaction is in the journal."""

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
    """The known facts about an address that has received ether. All its transactions with nonces
    below `nonce`, up to the block at `height`, have been checked. `unspent` is the number of
    sponsored wei that remain after these transactions. If the address has lost its allowance,
    `lost` is the hash of the transaction that caused this."""

    nonce: int
    height: int
    unspent: int
    lost: str | None


class Ledger:
    """The grants on one chain, from all accounts that have sent grants. Any thread can use the
    ledger. Raises LedgerError."""

    def __init__(self, path: Path, chain: str, budgets: Budgets) -> None:
        self.path, self.chain, self.budgets = path, chain, budgets
        self._file = DurableFile(path, "the sponsor's ledger", VERSION, TABLES, LedgerError)

    def close(self) -> None:
        self._file.close()

    def day(self, now: float) -> int:
        """Return the UTC day whose budget pays for a grant at `now` (seconds since 1970). If the
        clock was set back, return the day of the latest grant instead, so that no day's budget is
        used twice."""
        with self._file.reading() as database:
            return self._day(database, now)

    def reserve(
        self, now: float, sender: str, claim: Claim, wanted: int, minimum: int, cost: int, seen: Recipient
    ) -> Grant:
        """Reserve a grant of `wanted` wei. If the budgets don't allow that, reserve less, but at
        least `minimum`. The grant and its maximum fee, `cost` wei, count against the budgets.
        `seen` is what the caller knows about the recipient. Raises BudgetSpent, or RecipientChanged
        if `seen` is out of date."""
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
        """Raise BudgetSpent if the budgets don't currently allow a grant of `minimum` wei."""
        with self._file.reading() as database:
            allowance(self.budgets, self._spent(database, self._day(database, now), claim), minimum, minimum, 0)

    def charge(self, now: float, sender: str, cost: int) -> None:
        """Count a fee against the day's budget. The fee is in wei and belongs to no grant. Raises
        BudgetSpent if the fee is higher than the rest of the budget."""
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
        """The grant's transaction has the id `tx` in the journal. Store this id in the grant."""
        with self._file.writing() as database:
            database.execute("UPDATE grants SET tx = ? WHERE id = ?", (tx, grant.id))

    def settle(self, grant: Grant, paid: int, arrived: bool = True) -> None:
        """Store the final cost of a grant, in wei. It is 0 if the transaction was never mined.
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
        """Return the grants from this sender whose cost isn't final yet, oldest first."""
        where = "WHERE chain = ? AND sender = ? AND state = 'reserved' ORDER BY id"
        with self._file.reading() as database:
            return self._grants(database, where, (self.chain, sender))

    def open_grant(self, address: str) -> Grant | None:
        """Return the newest grant to this address whose cost isn't final yet, or None."""
        where = "WHERE chain = ? AND state = 'reserved' AND address = ? ORDER BY id DESC LIMIT 1"
        with self._file.reading() as database:
            found = self._grants(database, where, (self.chain, address))
        return found[0] if found else None

    def recipient(self, address: str) -> Recipient | None:
        """Return the known facts about an address. Return None if the ledger has none."""
        with self._file.reading() as database:
            return self._recipient(database, address)

    def note_recipient(self, address: str, seen: Recipient) -> None:
        """Store what is now known about an address."""
        with self._file.writing() as database:
            self._write_recipient(database, address, seen)

    def spent(self, now: float) -> int:
        """Return how many wei of the day's budget have been paid or reserved."""
        with self._file.reading() as database:
            return self._paid(database, self._day(database, now))

    def forget_networks(self, now: float) -> None:
        """Delete the network addresses in all grants that are more than NETWORK_DAYS days old."""
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
        """Return how much of each budget is used. One scan of the index computes all sums."""
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
