"""The games that chaos stories play here."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from chaos.game import Play
from tests.chaos.plays import PLAYS


@pytest.fixture(scope="session")
def chaos_plays() -> Sequence[Play]:
    return PLAYS
