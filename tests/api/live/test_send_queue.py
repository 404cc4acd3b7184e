"""Tests that a client's send queue has a limited size, keeps the order of messages and never waits
for the client."""

from __future__ import annotations

import asyncio

from api.live.send_queue import Close, Overflow, SendQueue
from tests.api.playground import RecordingSink
from tests.support.waiting import PATIENCE_SECONDS


async def test_what_is_said_goes_out_at_once_and_in_order() -> None:
    read = RecordingSink()
    queue = SendQueue(read)
    queue.publish({"a"}, b"1")
    queue.answer("a", b"2")
    queue.publish({"a", "b"}, b"3")
    assert read.writes == [b"1", b"2", b"3"]


async def test_while_the_client_reads_nothing_all_waits() -> None:
    read = RecordingSink(ready=False)
    queue = SendQueue(read)
    queue.publish({"a"}, b"1")
    queue.answer("a", b"2")
    queue.flush()
    assert (read.writes, queue.buffered) == ([], 2)
    read.ready = True
    queue.publish({"a"}, b"3")
    # the queue still holds two earlier messages, so it must not write the third at once
    assert (read.writes, queue.buffered) == ([], 3)
    queue.flush()
    assert (read.writes, queue.buffered) == ([b"123"], 0)


async def test_a_backlog_over_the_limit_becomes_its_topics() -> None:
    read = RecordingSink(ready=False)
    queue = SendQueue(read, limit=20)
    for topics in ({"a"}, {"b", "c"}, {"d"}, {"e"}, {"f", "e"}):
        queue.publish(topics, b"0123456789")
        assert queue.buffered <= 20 + 10
    queue.answer("g", b"g")
    assert queue.buffered == 0
    await queue.closing()
    read.ready = True
    assert await queue.outcome() == Overflow(frozenset("abcdefg"))
    assert read.writes == []


async def test_a_client_that_reads_in_time_is_never_behind() -> None:
    read = RecordingSink(ready=False)
    queue = SendQueue(read, limit=20)
    for _ in range(10):
        for ready in (False, True):
            read.ready = ready
            queue.publish({"a"}, b"0123456789")
        queue.flush()
    assert b"".join(read.writes) == 20 * b"0123456789"


async def test_one_message_may_be_larger_than_the_limit() -> None:
    read = RecordingSink(ready=False)
    queue = SendQueue(read, limit=2)
    queue.publish({"a"}, b"0123456789")
    read.ready = True
    queue.flush()
    assert read.writes == [b"0123456789"]


async def test_answers_have_no_limit_but_hold_up_their_asker() -> None:
    read = RecordingSink(ready=False)
    queue = SendQueue(read, limit=1)
    await queue.drained()
    for number in b"12345":
        queue.answer("a", bytes([number]))
    waiting = asyncio.create_task(queue.drained())
    for _ in range(10):
        await asyncio.sleep(0)
    assert not waiting.done()
    read.ready = True
    queue.flush()
    await asyncio.wait_for(waiting, PATIENCE_SECONDS)
    assert read.writes == [b"12345"]


async def test_closing_comes_after_what_was_put_before() -> None:
    read = RecordingSink(ready=False)
    queue = SendQueue(read)
    queue.publish({"a"}, b"1")
    queue.close(1001, "why")
    await queue.closing()
    ending = asyncio.create_task(queue.outcome())
    await asyncio.sleep(0)
    assert not ending.done()
    read.ready = True
    queue.flush()
    assert await asyncio.wait_for(ending, PATIENCE_SECONDS) == Close(1001, "why")
    assert read.writes == [b"1"]
