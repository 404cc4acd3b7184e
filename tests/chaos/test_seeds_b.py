"""A quarter of the seeds: whatever happens to node, chain and process, all agree in the end."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.mark.chaos(1, 4)
@pytest.mark.usefixtures("chaos_seed")
def test_a_story_ends_well(chaos: Callable[[], None]) -> None:
    chaos()
