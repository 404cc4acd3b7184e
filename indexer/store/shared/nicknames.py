"""The nicknames that accounts have signed, and the words that the operator has blocked. They are
not on the chain, so the indexer can't rebuild them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Engine, delete, select, update
from sqlalchemy.exc import IntegrityError

from indexer.store.db.schema import NICKNAME, NICKNAME_BLOCK
from indexer.store.shared.session import transaction, upsert

FIELDS = (NICKNAME.c.account, NICKNAME.c.name, NICKNAME.c.issued, NICKNAME.c.signature)


@dataclass(frozen=True, slots=True)
class Nickname:
    """An account's signed nickname. `issued`: the time of the signature, in seconds since 1970.

    An empty name asks to remove the nickname."""

    account: str
    name: str
    issued: int
    signature: str


class NicknameTaken(Exception):
    """Another account already has this name, or a name that looks like it."""


class NicknameBlocked(Exception):
    """The name contains a word that the operator has blocked."""


class NicknameSuperseded(Exception):
    """The account has already sent a request with a later signature."""


class Nicknames:
    """The nicknames in a database. Several gateways can write them. Raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def of(self, accounts: Collection[str]) -> list[Nickname]:
        """Return the nicknames of these accounts, sorted by account."""
        return self._read(NICKNAME.c.account.in_(accounts)) if accounts else []

    def find_by_skeleton(self, skeleton: str) -> Nickname | None:
        """Return the nickname with this skeleton, or None. A skeleton is a text that is the same
        for all names that look alike."""
        return next(iter(self._read(NICKNAME.c.skeleton == skeleton)), None)

    def all(self) -> list[Nickname]:
        return self._read(NICKNAME.c.name.is_not(None))

    def store(self, nickname: Nickname, skeleton: str, keys: Collection[str]) -> None:
        """Set or remove an account's nickname. `keys`: the skeletons of the words that would block
        the name.

        Raises NicknameTaken, NicknameBlocked or NicknameSuperseded."""
        named = {"name": nickname.name or None, "skeleton": skeleton if nickname.name else None}
        row = {"account": nickname.account, **named, "issued": nickname.issued, "signature": nickname.signature}
        statement = upsert(self._engine, NICKNAME, "account", row, later="issued").returning(NICKNAME.c.account)
        with transaction(self._engine) as connection:
            blocked = select(NICKNAME_BLOCK.c.text).where(NICKNAME_BLOCK.c.skeleton.in_(keys))
            if connection.execute(blocked).first():
                raise NicknameBlocked
            try:
                kept = connection.execute(statement).first()
            except IntegrityError as error:  # another account's name has this skeleton
                raise NicknameTaken from error
            if kept is None:
                raise NicknameSuperseded

    def remove(self, found: Nickname, skeleton: str) -> None:
        """Remove a nickname for the operator. Block its name and all names with this skeleton. The
        account can't set the name again with an older signature."""
        removed = {"name": None, "skeleton": None, "signature": None}
        with transaction(self._engine) as connection:
            connection.execute(update(NICKNAME).where(NICKNAME.c.account == found.account).values(removed))
            self._block(connection, skeleton, found.name)

    def block(self, skeleton: str, text: str) -> None:
        with transaction(self._engine) as connection:
            self._block(connection, skeleton, text)

    def unblock(self, skeleton: str) -> bool:
        """Allow a word again. Return False if it was not blocked."""
        statement = delete(NICKNAME_BLOCK).where(NICKNAME_BLOCK.c.skeleton == skeleton)
        with transaction(self._engine) as connection:
            return connection.execute(statement.returning(NICKNAME_BLOCK.c.text)).first() is not None

    def blocked(self) -> list[str]:
        """Return the blocked words, in the operator's spelling."""
        with transaction(self._engine, writing=False) as connection:
            return list(connection.scalars(select(NICKNAME_BLOCK.c.text).order_by(NICKNAME_BLOCK.c.text)))

    def _block(self, connection: Connection, skeleton: str, text: str) -> None:
        connection.execute(upsert(self._engine, NICKNAME_BLOCK, "skeleton", {"skeleton": skeleton, "text": text}))

    def _read(self, condition: ColumnElement[bool]) -> list[Nickname]:
        statement = select(*FIELDS).where(condition, NICKNAME.c.name.is_not(None)).order_by(NICKNAME.c.account)
        with transaction(self._engine, writing=False) as connection:
            return [Nickname(*row) for row in connection.execute(statement)]
