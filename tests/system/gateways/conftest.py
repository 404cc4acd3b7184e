"""Runs an `up` process with a PostgreSQL database. Tests start gateways next to this process, and
no gateway uses the process's data folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.server import node_url, up
from tests.support.services.postgres import PostgresServer
from tests.system.gateways.cluster import Cluster


@pytest.fixture(scope="session")
def cluster(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder, database = tmp_path_factory.mktemp("cluster"), postgres.new_database()
    data: Path = folder / "writer"
    with up(data, "--database", database, "--opponents", "5") as writer:
        yield Cluster(writer, database, node_url(data), folder)
