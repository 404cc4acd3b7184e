"""Facts that change only when the contracts change. The database's writer announces them, so that
gateways need no access to its data folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from pydantic import TypeAdapter

from chainboard.chain.deployment import libraries_of, read_manifest, shared_of
from chainboard.settings import Settings
from chainboard.sharing.content import parse
from indexer.model import Json
from indexer.store.store import Store

TOPIC = "facts"


@dataclass(frozen=True, slots=True)
class Facts:
    """The deployment manifest (or None), True if the chain is a development chain, and the number
    of seconds between blocks."""

    manifest: Json | None
    development: bool
    block_time: float

    @property
    def contracts(self) -> list[str]:
        """The addresses of the contracts that all games share."""
        return shared_of(self.manifest)

    @property
    def libraries(self) -> Mapping[str, dict[str, Any]]:
        """A map from names to the contracts that other contracts link or call. If several contracts
        have the same name, only the newest is included."""
        return libraries_of(self.manifest)


FACTS = TypeAdapter(Facts)


def own_facts(settings: Settings) -> Facts:
    """Return the facts according to this process's own data folder and options."""
    return Facts(read_manifest(settings), settings.development, settings.block_time)


def announce_facts(store: Store, settings: Settings) -> None:
    """Announce this process's facts to the gateways that share a database server. With a SQLite
    file, do nothing, because the gateways then share the data folder, too. Raises StoreError."""
    if store.is_server:
        store.announcements.announce(TOPIC, asdict(own_facts(settings)))


def announced_facts(store: Store) -> Facts | None:
    """Return the facts that a writer has announced, or None if there are none. Raises
    StoreError."""
    found = store.announcements.latest(TOPIC)
    return parse(FACTS, found.content) if found else None
