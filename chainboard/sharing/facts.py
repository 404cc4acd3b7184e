"""Facts that hold for as long as the contracts do: the writer announces them, so that a gateway needs no data
folder."""

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
    """The deployment manifest, if there is any, whether it is a development chain, and its block time in seconds."""

    manifest: Json | None
    development: bool
    block_time: float

    @property
    def contracts(self) -> list[str]:
        """Addresses of the contracts that all games share."""
        return shared_of(self.manifest)

    @property
    def libraries(self) -> Mapping[str, dict[str, Any]]:
        """The newest contract of each name that others link or call."""
        return libraries_of(self.manifest)


FACTS = TypeAdapter(Facts)


def own_facts(settings: Settings) -> Facts:
    """Those of this process's data folder and options."""
    return Facts(read_manifest(settings), settings.development, settings.block_time)


def announce_facts(store: Store, settings: Settings) -> None:
    """Announces this process's to the gateways of a database server; who shares a SQLite file shares the folder. Raises
    StoreError."""
    if store.is_server:
        store.announcements.announce(TOPIC, asdict(own_facts(settings)))


def announced_facts(store: Store) -> Facts | None:
    """None where no writer has announced any. Raises StoreError."""
    found = store.announcements.latest(TOPIC)
    return parse(FACTS, found.content) if found else None
