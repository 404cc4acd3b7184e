"""Tests that the follower polls for a new head at the right times. The tests use a simulated
clock."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from indexer.follow.poll_schedule import PollSchedule
from indexer.model import Block


def block(height: int, at: int) -> Block:
    return Block(height, f"0x{height:064x}", f"0x{height - 1:064x}", at)


def chain(intervals: Sequence[int], start: int = 10_000) -> list[Block]:
    blocks = [block(1, start)]
    for interval in intervals:
        blocks.append(block(blocks[-1].height + 1, blocks[-1].time + interval))
    return blocks


@pytest.mark.parametrize(
    ("intervals", "rhythm"),
    [
        ([2] * 10, 2),
        ([12] * 10, 12),
        ([12, 12, 12, 24, 12, 12, 12, 12, 12, 36], 12),
        ([2] * 5, None),
        ([1] * 20, None),
        ([0] * 20, None),
        ([3, 1, 9, 4, 17, 2, 6, 30, 1, 5], None),
        ([3600] * 10, None),
    ],
)
def test_a_rhythm_is_seen_in_the_blocks_times(intervals: list[int], rhythm: float | None) -> None:
    polls = PollSchedule()
    polls.record_blocks(chain(intervals))
    assert polls.interval == rhythm
    if rhythm is None:
        assert polls.seconds(False) is polls.seconds(True) is None


@pytest.mark.parametrize(("interval", "delay"), [(2, 0.4), (12, 0.1), (12, 3.0), (5, -700.0)])
def test_a_block_costs_hardly_more_than_one_poll(monkeypatch: pytest.MonkeyPatch, interval: int, delay: float) -> None:
    """Tests blocks that appear `delay` seconds after their timestamps. The delay can be negative,
    because the chain's clock can be ahead of ours."""
    now = 10_000.0 + 20 * interval + delay + 0.7 * interval
    monkeypatch.setattr(time, "time", lambda: now)
    blocks = chain([interval] * 1000)
    polls = PollSchedule()
    polls.record_blocks(blocks[:21])
    polls.record_poll(True)
    known, asked, late = 20, 0, []
    while known < 500:
        now += polls.seconds(False) or 1.0
        asked += 1
        newest = int((now - delay - 10_000) // interval)
        polls.record_blocks(blocks[known + 1 : newest + 1])
        polls.record_poll(newest > known)
        if newest > known:
            late.append(now - delay - blocks[newest].time)
        known = newest
    assert asked <= 1.2 * (known - 20)
    assert max(late[50:]) <= 0.7, "new blocks are seen soon"


def test_while_a_websocket_announces_blocks_only_a_late_one_is_polled_for(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 10_240.1
    monkeypatch.setattr(time, "time", lambda: now)
    polls = PollSchedule()
    polls.record_blocks(chain([12] * 20))
    polls.record_poll(True)
    assert polls.seconds(True) == pytest.approx(18, abs=0.5)
    now += 18
    polls.record_poll(False)
    assert polls.seconds(True) == 12
