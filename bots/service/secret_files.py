"""What accounts alone know of their matches, such as fleets: on the disk before anything is sent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import SystemRandom

import orjson

from bots.opponent import Secrets
from indexer.model import Json


class SecretFiles:
    """A folder with a file for each chain, account and match: the secrets that were drawn there, by the hash of the
    board before the account had a seat.

    `write` writes a private file, so that it is on the disk when it returns."""

    def __init__(self, folder: Path, write: Callable[[Path, bytes], None]) -> None:
        self._folder, self._write = folder, write

    def find_or_draw(
        self, secrets: Secrets, chain: str, account: str, match: str, board: Json, hash: str, seat: int
    ) -> Json | None:
        """The secret of a player; drawn and kept when it holds no seat yet. None: another program has it, or it was
        lost. Raises OSError."""
        path = self._folder / chain.replace(":", "-") / f"{match.replace('/', '-')}-{account.lower()}.json"
        kept: Json = orjson.loads(path.read_bytes()) if path.exists() else {}
        if account in board["players"]:
            return next((secret for secret in kept.values() if secrets.fits(board, seat, secret)), None)
        if hash not in kept:
            kept[hash] = secrets.draw(SystemRandom())
            self._write(path, orjson.dumps(kept))
        found: Json = kept[hash]
        return found
