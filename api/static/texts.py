"""Reads the web page's texts, so that the server can use them in its responses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal, get_args

import orjson

from api.static import page

Language = Literal["en", "fr", "zh"]
LANGUAGES: tuple[str, ...] = get_args(Language)
"""The page's languages (i18n/language.js). The first one is the default."""
ARGUMENT = re.compile(r"\{(\w+)\}")


@lru_cache(maxsize=len(LANGUAGES))
def table(language: str) -> Mapping[str, str]:
    """Return a map from keys to the page's texts in this language, without the texts of single
    games."""
    found: Mapping[str, str] = orjson.loads(
        (page.source_folder() / "i18n" / "messages" / f"{language}.json").read_bytes()
    )
    return found


def text(language: str, key: str, **values: Any) -> str:
    """Return a text without plurals, with its `{arguments}` filled in."""
    return ARGUMENT.sub(lambda found: str(values.get(found[1], "")), table(language)[key])
