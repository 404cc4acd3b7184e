"""Converts PostgreSQL's values to the types that SQLite returns: numbers, text, bytes and NULL.

A bool becomes 0 or 1. An exact number becomes an integer or a float. JSON becomes text without
spaces. Any other value becomes the text in which PostgreSQL writes it."""

from __future__ import annotations

import json
from typing import Any

from psycopg.abc import Buffer
from psycopg.adapt import AdaptersMap, Loader
from psycopg.types.numeric import FloatLoader, IntLoader
from psycopg.types.string import ByteaLoader

from indexer.sql.limits import MAX_VALUE_BYTES

MAX_INTEGER = 2**63 - 1


class ValueTooBig(Exception):
    """A value in a query's result is too large."""


class _TextLoader(Loader):
    def load(self, data: Buffer) -> Any:
        if len(data) > MAX_VALUE_BYTES:
            raise ValueTooBig("string or blob too big")
        return bytes(data).decode("utf-8", "backslashreplace")


class _BytesLoader(ByteaLoader):
    def load(self, data: Buffer) -> bytes:
        if len(data) > 2 * MAX_VALUE_BYTES:
            raise ValueTooBig("string or blob too big")
        return super().load(bytes(data))


class _BoolLoader(Loader):
    def load(self, data: Buffer) -> int:
        return int(bytes(data) == b"t")


class _NumericLoader(_TextLoader):
    def load(self, data: Buffer) -> Any:
        """Return a number. An integer that is too large for SQLite remains decimal text."""
        text = super().load(data)
        if not text.lstrip("-").isdigit():
            return float(text)
        number = int(text) if len(text) < 30 else MAX_INTEGER + 1
        return number if abs(number) <= MAX_INTEGER else text


class _JsonLoader(_TextLoader):
    def load(self, data: Buffer) -> Any:
        """Return JSON text without spaces. If a surrogate has no partner, it stays escaped, because
        UTF-8 can't encode it."""
        text = super().load(data)
        try:
            compact = json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False)
            return compact.encode("utf-8", "backslashreplace").decode()
        except (ValueError, RecursionError):
            return text


LOADERS: dict[str | int, type[Loader]] = {
    "bool": _BoolLoader,
    "int2": IntLoader,
    "int4": IntLoader,
    "int8": IntLoader,
    "float4": FloatLoader,
    "float8": FloatLoader,
    "numeric": _NumericLoader,
    "bytea": _BytesLoader,
    "json": _JsonLoader,
    "jsonb": _JsonLoader,
    0: _TextLoader,
}
"""For each PostgreSQL type, the class that converts its values. The key 0 stands for all other
types."""


def _adapters() -> AdaptersMap:
    from psycopg.postgres import types

    found = AdaptersMap(types=types)
    for name, loader in LOADERS.items():
        found.register_loader(name, loader)
    return found


ADAPTERS = _adapters()
