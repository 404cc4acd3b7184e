"""Tests that the follower needs few requests for 3,000 blocks. The provider has limits and answers
after 80 ms. The tests count requests instead of measuring time."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.backfill.provider import MOST_REFUSED, MOST_REQUESTS, PLAN, WAYS, long_chain, measure

pytestmark = [pytest.mark.soak, pytest.mark.timeout(600)]


@pytest.mark.parametrize("name", WAYS)
async def test_blocks_cost_hardly_more_than_the_least_requests_and_hardly_any_is_rejected(
    tmp_path: Path, name: str
) -> None:
    assert (MOST_REQUESTS, MOST_REFUSED, PLAN.latency, PLAN.rate) == (1.1, 0.02, 0.08, 50)
    way, rate = WAYS[name]
    async with long_chain(tmp_path / "chain") as chain:
        with way():
            figures = await measure(*chain, rate)
    assert figures.is_met, str(figures)
