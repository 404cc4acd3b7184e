"""Column types for values of which a database can have millions.

SQLite stores these values as text. PostgreSQL stores bytes and codes instead, because text would
take four times the space in each index."""

from __future__ import annotations

from typing import Any

from eth_utils.address import to_checksum_address
from sqlalchemy import BigInteger, Dialect, Integer, LargeBinary, String, TypeDecorator
from sqlalchemy.types import TypeEngine

from indexer.store.db import codes


class NumberColumn(TypeDecorator[int]):
    """The number of a block, match or event. PostgreSQL stores only numbers below 2**31, but a
    query can compare the column with any number."""

    impl = BigInteger
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor((Integer if is_packed(dialect) else BigInteger)())

    def coerce_compared_value(self, _operator: Any, _value: Any) -> Any:
        return BigInteger()


class PackedType(TypeDecorator[str]):
    """A column type for text that PostgreSQL stores in a shorter form."""

    impl = String
    cache_ok = True
    packed_type: type[TypeEngine[Any]]

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor((self.packed_type if is_packed(dialect) else String)())

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        return self.pack(value) if is_packed(dialect) and isinstance(value, str) else value

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return self.unpack(value) if is_packed(dialect) and value is not None else value

    def pack(self, text: str) -> Any:
        raise NotImplementedError

    def unpack(self, value: Any) -> str:
        raise NotImplementedError


class HashColumn(PackedType):
    """A hash. It is 0x hex in Python, and bytes on PostgreSQL."""

    packed_type = LargeBinary
    cache_ok = True

    def pack(self, text: str) -> bytes:
        return bytes.fromhex(text[2:])

    def unpack(self, value: bytes) -> str:
        return "0x" + value.hex()


class AddressColumn(HashColumn):
    """An address. It is checksummed in Python, and 20 bytes on PostgreSQL."""

    cache_ok = True

    def unpack(self, value: bytes) -> str:
        return to_checksum_address(value) if len(value) == 20 else super().unpack(value)


class NameColumn(PackedType):
    """The name of a game or an event. On PostgreSQL, it is a code of four bytes."""

    packed_type = Integer
    cache_ok = True

    def pack(self, text: str) -> int:
        return codes.code_of(text)

    def unpack(self, value: int) -> str:
        return codes.name_of(value)


class RawNameColumn(NameColumn):
    """Like NameColumn, but an unknown code becomes a number instead of an error. The database can
    have any content."""

    cache_ok = True

    def unpack(self, value: int) -> str:
        try:
            return codes.name_of(value)
        except codes.UnknownCode:
            return f"code {value}"


def is_packed(dialect: Dialect) -> bool:
    return dialect.name == "postgresql"
