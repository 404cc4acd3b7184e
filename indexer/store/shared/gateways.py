"""The players and viewers at each gateway (presence). If a gateway has sent no heartbeat recently,
its presence is ignored."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Engine, delete, select, update

from indexer.model import Json
from indexer.store.db.schema import GATEWAY
from indexer.store.shared.session import clock, transaction, upsert

EXPIRY_SECONDS = 2.5
DELETE_SECONDS = 60.0


class Gateways:
    """Stores the presence at each gateway in the database. A gateway writes only its own row.
    Raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def write(self, gateway: str, version: int, presence: Json) -> None:
        """Write this gateway's presence, which is also a heartbeat. Delete the rows of gateways
        that have stopped."""
        now = clock(self._engine)
        row = {"id": gateway, "version": version, "presence": presence, "heartbeat_at": now}
        with transaction(self._engine) as connection:
            connection.execute(delete(GATEWAY).where(GATEWAY.c.heartbeat_at < now - DELETE_SECONDS))
            connection.execute(upsert(self._engine, GATEWAY, "id", row))

    def heartbeat(self, gateway: str) -> bool:
        """Write a heartbeat for this gateway. Return False if its row is missing, for example after
        the database server crashed."""
        beating = update(GATEWAY).where(GATEWAY.c.id == gateway).values(heartbeat_at=clock(self._engine))
        with transaction(self._engine) as connection:
            return connection.execute(beating.returning(GATEWAY.c.id)).first() is not None

    def others(self, gateway: str, known: Mapping[str, int]) -> dict[str, tuple[int, Json] | None]:
        """Return the version and the presence of each other gateway that is alive. If the
        version is still the one in `known`, return None instead. `known`: the versions that the
        caller has."""
        alive = GATEWAY.c.heartbeat_at > clock(self._engine) - EXPIRY_SECONDS
        with transaction(self._engine, writing=False) as connection:
            rows = connection.execute(
                select(GATEWAY.c.id, GATEWAY.c.version).where(alive, GATEWAY.c.id != gateway)
            ).all()
            changed = [row.id for row in rows if known.get(row.id) != row.version]
            found = select(GATEWAY.c.id, GATEWAY.c.version, GATEWAY.c.presence).where(GATEWAY.c.id.in_(changed))
            read = {row.id: (row.version, row.presence) for row in connection.execute(found)} if changed else {}
        return {row.id: read.get(row.id) for row in rows}
