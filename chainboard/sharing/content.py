"""Parses announcements. A newer writer may send more fields, an older one fewer."""

from __future__ import annotations

from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from indexer.model import Json
from indexer.store.db.engine import StoreError

T = TypeVar("T")


def parse(kind: TypeAdapter[T], content: Json) -> T:
    """Return a dataclass parsed from JSON. Unknown fields are ignored, missing ones get their
    defaults. Raises StoreError if a field without a default is missing or has a wrong type."""
    try:
        return kind.validate_python(content)
    except ValidationError as error:
        fields = ", ".join(".".join(map(str, one["loc"])) for one in error.errors())
        raise StoreError(
            f"the writer's announcement can't be read ({fields}): run the same version everywhere"
        ) from error
