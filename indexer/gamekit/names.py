"""Parses names that users enter: `<game>/<id>` for a match, and an address for an account."""

from __future__ import annotations

import re
from collections.abc import Mapping

from indexer.gamekit.game import Game

MAX_MATCH = 2**48 - 1
"""The largest id of a match. The contracts store ids as uint48."""

NAME = re.compile(r"(?P<game>[a-z0-9-]{1,64})/(?P<match>[1-9][0-9]{0,14})")
ADDRESS = re.compile("0x[0-9a-fA-F]{40}")


class BadName(ValueError):
    """The name is invalid. The message explains why."""


def parse_match(games: Mapping[str, Game], name: str) -> tuple[Game, int]:
    """Split `<game>/<id>` into its game and its number. Raises BadName if it is malformed."""
    found = NAME.fullmatch(name)
    if found is None or not 1 <= int(found["match"]) <= MAX_MATCH:
        raise BadName(f"A match is named <game>/<id> with an id from 1 to {MAX_MATCH}, not {name[:100]!r}.")
    if found["game"] not in games:
        raise BadName(f"There is no game {found['game']!r}; the games are: {', '.join(sorted(games)) or 'none'}.")
    return games[found["game"]], int(found["match"])


def parse_address(text: str) -> str:
    """Return the checksummed address.
    Raises BadName if the text is not an address, or if it has mixed case and a wrong checksum."""
    from eth_utils.address import is_checksum_address, to_checksum_address  # a slow import: it loads pydantic

    digits = text[2:]
    if not ADDRESS.fullmatch(text) or (
        digits not in (digits.lower(), digits.upper()) and not is_checksum_address(text)
    ):
        raise BadName(
            f"{text[:60]!r} is not an address: use 0x and 40 hex digits. If you mix upper and lower case, "
            "the checksum must be valid"
        )
    return to_checksum_address(text)
