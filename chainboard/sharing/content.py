"""Parses announcements between programs of different versions. A newer writer can send additional
fields, and an older writer can omit some."""

from __future__ import annotations

from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from indexer.model import Json
from indexer.store.db.engine import StoreError

T = TypeVar("T")


def parse(kind: TypeAdapter[T], content: Json) -> T:
    """Parse JSON into a dataclass. Ignore unknown fields, and give missing fields their defaults.
    Raises StoreError if a field has a wrong type, or if a field without a default is missing."""
    try:
        return kind.validate_python(content)
    except ValidationError as error:
        fields = ", ".join(".".join(map(str, one["loc"])) for one in error.errors())
        raise StoreError(
            f"the writer's announcement can't be read (wrong fields: {fields}): run the same version of Chainboard "
            "everywhere"
        ) from error
