"""Texts of the page for what is written by the server: the same tables, and the language that a browser wants."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import orjson

from api.names import ENGLISH, LANGUAGES
from api.static import page

MAX_TAGS = 20
"""Languages of a browser that are looked at."""
ARGUMENT = re.compile(r"\{(\w+)\}")
QUALITY = re.compile(r"q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)")


@lru_cache(maxsize=len(LANGUAGES))
def _table(language: str) -> Mapping[str, str]:
    found: Mapping[str, str] = orjson.loads((page.folder() / "i18n" / "messages" / f"{language}.json").read_bytes())
    return found


def text(language: str, key: str, **values: Any) -> str:
    """A text without plurals, with its `{arguments}` filled in."""
    return ARGUMENT.sub(lambda found: str(values.get(found[1], "")), _table(language)[key])


def wanted_language(header: str) -> str:
    """Of LANGUAGES the one that an Accept-Language header asks for first, by its weights; English for none."""
    tags: list[tuple[float, str]] = []
    for part in header.split(",")[:MAX_TAGS]:
        tag, _, weight = part.strip().lower().partition(";")
        found = QUALITY.fullmatch(weight.replace(" ", "")) if weight else None
        if not weight or found:
            tags.append((-float(found[1]) if found else -1.0, tag.split("-")[0].strip()))
    known = (tag for weight, tag in sorted(tags, key=lambda one: one[0]) if weight and tag in LANGUAGES)
    return next(known, ENGLISH)
