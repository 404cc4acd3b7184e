"""Yields a chain with contracts, which the tests of backups and upgrades share. Each of these tests
uses its own databases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.services.anvil import anvil
from tests.support.services.postgres import PostgresServer
from tests.system.deploy.deployed import DeployedSite


@pytest.fixture(scope="session")
def deployed(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeployedSite]:
    with anvil() as node:
        yield DeployedSite(node, tmp_path_factory.mktemp("deployed") / "data", postgres)
