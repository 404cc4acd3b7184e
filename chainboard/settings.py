"""The settings that commands share, and the paths in the data folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from indexer.store.db.engine import sqlite_file

DEFAULT_PORT = 8000
RPC_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Settings:
    """What flags and CHAINBOARD_* variables say. Times are in seconds; no `rpc` means the embedded Anvil."""

    data: Path = Path(".chainboard")
    database: str | None = None
    rpc: tuple[str, ...] = ()
    dev: bool = False
    host: str = "127.0.0.1"
    port: int | None = None
    block_time: int = 0
    tokens: tuple[str, ...] = ()
    rpc_timeout: float = RPC_SECONDS
    connections: int | None = None
    proxies: tuple[str, ...] = ()
    opponents: int = 50

    @property
    def database_url(self) -> str:
        """SQLAlchemy's URL of the database; the data folder's SQLite file unless one is set."""
        return self.database or f"sqlite:///{self.data / 'index.db'}"

    @property
    def database_file(self) -> Path | None:
        """The SQLite file; None for a database server."""
        return sqlite_file(self.database_url)

    @property
    def manifest(self) -> Path:
        return self.data / "deployment.json"

    @property
    def journal(self) -> Path:
        """The faucet's transactions."""
        return self.data / "transactions.db"

    @property
    def keys(self) -> Path:
        """Of a development chain's deployer and faucet, and of opponents."""
        return self.data / "keys"

    @property
    def opponents_journal(self) -> Path:
        """The transactions of opponents and of the keeper."""
        return self.data / "opponents.db"

    @property
    def secrets(self) -> Path:
        """What opponents alone know, such as their fleets."""
        return self.data / "secrets"

    @property
    def chain(self) -> Path:
        """The embedded chain's folder."""
        return self.data / "chain"

    @property
    def running(self) -> Path:
        """Tells readers where the `up` of this folder is: node and page."""
        return self.data / "running.json"

    @property
    def development(self) -> bool:
        """Faucet, development accounts, mining on need: the embedded chain or a declared one; no id says so."""
        return not self.rpc or self.dev
