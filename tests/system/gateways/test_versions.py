"""Tests of gateways and writers of different versions. They must ignore unknown fields, and
continue their streams."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import orjson
import psycopg
import pytest

from bots.service.messages import ComputerPlayer, ServiceStatus
from chainboard.sharing.content import parse
from chainboard.sharing.facts import FACTS, Facts
from chainboard.sharing.status import STATUS, WriterStatus
from indexer.follow.health import Counters, Health
from indexer.store.db.engine import StoreError
from tests.system.gateways.cluster import Cluster
from tests.system.gateways.test_presence import wait_for_presence, watching

KNOWN_STATUS = WriterStatus(
    Health("ok", 7, "", Counters(blocks=3)),
    5,
    {"saves": 1.0},
    True,
    [ComputerPlayer("nim", "careful", 1, ("0xAbc",))],
    ServiceStatus(1, 2, 10**19, ("opponents-full", {"limit": 2})),
)
INSERT_UNKNOWN_GATEWAY = "INSERT INTO gateway VALUES ('foreign', 1, %s, extract(epoch FROM clock_timestamp()) + 3600)"


def extended(content: Any) -> Any:
    """Return a copy of the content in which each object has an additional field that the program
    doesn't know."""
    if isinstance(content, dict):
        return {name: extended(value) for name, value in content.items()} | {"unknown": 0}
    return [extended(one) for one in content] if isinstance(content, list) else content


def test_what_a_newer_writer_announces_more_is_ignored() -> None:
    content = orjson.loads(orjson.dumps(asdict(KNOWN_STATUS)))
    opponents, service = content["opponents"], content["service"]
    newer = content | {"health": extended(content["health"]), "opponents": extended(opponents), "unknown": []}
    service["unknown"] = 0
    assert parse(STATUS, newer) == parse(STATUS, content) == KNOWN_STATUS
    assert parse(FACTS, {"manifest": None, "development": True, "block_time": 2, "unknown": 0}) == Facts(None, True, 2)


def test_what_an_older_writer_does_not_announce_has_its_default() -> None:
    assert parse(STATUS, {"health": {"state": "ok"}}) == WriterStatus(Health("ok"))


@pytest.mark.parametrize("content", [{"health": 5}, {"health": {"node_head": []}}, {"opponents": [{"game": "nim"}]}])
def test_what_can_not_be_read_is_a_sentence(content: Any) -> None:
    with pytest.raises(
        StoreError, match=r"announcement can't be read \(wrong fields: (health|opponents).*the same version"
    ):
        parse(STATUS, content)


@pytest.mark.parametrize("presence", ["[]", '{"watchers": 5}', '{"claims": {"a": 1}}'])
async def test_a_gateway_of_another_version_ends_no_stream(cluster: Cluster, presence: str) -> None:
    with psycopg.connect(cluster.database, autocommit=True) as connection:
        connection.execute(INSERT_UNKNOWN_GATEWAY, [presence])
        try:
            with cluster.gateway() as gateway:
                async with watching(cluster.writer) as one, watching(gateway) as two:
                    await wait_for_presence(one, 2, False)
                    await wait_for_presence(two, 2, False)
        finally:
            connection.execute("DELETE FROM gateway WHERE id = 'foreign'")
