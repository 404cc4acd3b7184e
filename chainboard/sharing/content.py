"""Content of announcements, as a gateway reads it: a writer of a newer version may say more, one of an older less."""

from __future__ import annotations

from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from indexer.model import Json
from indexer.store.db.engine import StoreError

T = TypeVar("T")


def parse(kind: TypeAdapter[T], content: Json) -> T:
    """A dataclass of JSON: unknown fields are ignored, missing ones have their defaults. Raises StoreError where one
    without a default is missing, or of another type."""
    try:
        return kind.validate_python(content)
    except ValidationError as error:
        fields = ", ".join(".".join(map(str, one["loc"])) for one in error.errors())
        raise StoreError(f"the writer's announcement can't be read ({fields}): run one version everywhere") from error
