"""Texts of the page's tables for what the server writes itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal, get_args

import orjson

from api.static import page

Language = Literal["en", "fr", "zh"]
LANGUAGES: tuple[str, ...] = get_args(Language)
"""Those of the page (i18n/language.js); the first one where none is chosen."""
ARGUMENT = re.compile(r"\{(\w+)\}")


@lru_cache(maxsize=len(LANGUAGES))
def table(language: str) -> Mapping[str, str]:
    """All texts that games share, by their keys."""
    found: Mapping[str, str] = orjson.loads((page.folder() / "i18n" / "messages" / f"{language}.json").read_bytes())
    return found


def text(language: str, key: str, **values: Any) -> str:
    """A text without plurals, with its `{arguments}` filled in."""
    return ARGUMENT.sub(lambda found: str(values.get(found[1], "")), table(language)[key])
