"""The outbox: bounded, in order, never waiting for its client."""

from __future__ import annotations

import asyncio

import pytest

from api.outbox import Behind, Close, Outbox


async def test_gives_in_order_and_waits_when_empty() -> None:
    outbox = Outbox(limit=2)
    taking = asyncio.create_task(outbox.take())
    await asyncio.sleep(0)
    assert not taking.done()
    outbox.publish("a", "1")
    outbox.answer("a", "2")
    outbox.publish("a", "3")
    assert [await taking, await outbox.take(), await outbox.take()] == ["1", "2", "3"]


async def test_a_backlog_over_the_limit_becomes_its_topics() -> None:
    outbox = Outbox(limit=2)
    for topic in ("a", "b", "c", "d"):
        outbox.publish(topic, topic)
    outbox.answer("e", "e")
    assert await outbox.take() == Behind(frozenset("abcde"))


async def test_taking_makes_room() -> None:
    outbox = Outbox(limit=2)
    for number in range(10):
        outbox.publish("a", str(number))
        assert await outbox.take() == str(number)


async def test_answers_have_no_limit_but_hold_up_their_asker() -> None:
    outbox = Outbox(limit=1)
    await outbox.emptied()
    for number in range(5):
        outbox.answer("a", str(number))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(outbox.emptied(), 0.01)
    for number in range(5):
        assert await outbox.take() == str(number)
    taking = asyncio.create_task(outbox.take())
    await asyncio.wait_for(outbox.emptied(), 1)
    taking.cancel()


async def test_closing_comes_after_what_was_put_before() -> None:
    outbox = Outbox()
    outbox.publish("a", "1")
    outbox.close(1001, "why")
    assert await outbox.take() == "1"
    assert await outbox.take() == Close(1001, "why")
