"""The accounts' secrets in their matches, such as fleets. A secret is stored on disk before any
transaction is sent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import SystemRandom

import orjson

from bots.opponent import Secrets
from indexer.model import Json


class SecretFiles:
    """A folder with one file per chain, account and match. A file contains the random secrets for
    the match. The key of a secret is the hash of the board before the account had a seat.

    `write` writes a private file, which is on disk when the function returns."""

    def __init__(self, folder: Path, write: Callable[[Path, bytes], None]) -> None:
        self._folder, self._write = folder, write

    def load_or_draw(
        self, secrets: Secrets, chain: str, account: str, match: str, board: Json, hash: str, seat: int
    ) -> Json | None:
        """Return a player's secret. If the player has no seat yet, generate the secret and store
        it. Return None if the secret was lost, or if another program generated it. Raises
        OSError."""
        path = self._folder / chain.replace(":", "-") / f"{match.replace('/', '-')}-{account.lower()}.json"
        stored: Json = orjson.loads(path.read_bytes()) if path.exists() else {}
        if account in board["players"]:
            return next((secret for secret in stored.values() if secrets.fits(board, seat, secret)), None)
        if hash not in stored:
            stored[hash] = secrets.draw(SystemRandom())
            self._write(path, orjson.dumps(stored))
        found: Json = stored[hash]
        return found
