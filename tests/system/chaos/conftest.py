"""Fixtures for the chaos scenarios: the games that the scenarios play, and a new database for each
scenario."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from chaos.game import Play
from tests.support.services.postgres import PostgresServer
from tests.system.chaos.plays import PLAYS


@pytest.fixture(scope="session")
def chaos_plays() -> Sequence[Play]:
    return PLAYS


@pytest.fixture(scope="session")
def chaos_database(postgres: PostgresServer) -> Callable[[], str]:
    return postgres.new_database
