"""The outbox: bounded, in order, never waiting for its client."""

from __future__ import annotations

import asyncio

import pytest

from api.live.send_queue import Behind, Close, Outbox
from tests.api.playground import Read


async def test_what_is_said_goes_out_at_once_and_in_order() -> None:
    read = Read()
    outbox = Outbox(read)
    outbox.publish({"a"}, b"1")
    outbox.answer("a", b"2")
    outbox.publish({"a", "b"}, b"3")
    assert read.writes == [b"1", b"2", b"3"]


async def test_while_the_client_reads_nothing_all_waits() -> None:
    read = Read(ready=False)
    outbox = Outbox(read)
    outbox.publish({"a"}, b"1")
    outbox.answer("a", b"2")
    outbox.flush()
    assert (read.writes, outbox.held) == ([], 2)
    read.ready = True
    outbox.publish({"a"}, b"3")
    assert (read.writes, outbox.held) == ([], 3)  # not before those
    outbox.flush()
    assert (read.writes, outbox.held) == ([b"123"], 0)


async def test_a_backlog_over_the_limit_becomes_its_topics() -> None:
    read = Read(ready=False)
    outbox = Outbox(read, limit=20)
    for topics in ({"a"}, {"b", "c"}, {"d"}, {"e"}, {"f", "e"}):
        outbox.publish(topics, b"0123456789")
        assert outbox.held <= 20 + 10
    outbox.answer("g", b"g")
    assert outbox.held == 0
    await outbox.ending()
    read.ready = True
    assert await outbox.ended() == Behind(frozenset("abcdefg"))
    assert read.writes == []


async def test_a_client_that_reads_in_time_is_never_behind() -> None:
    read = Read(ready=False)
    outbox = Outbox(read, limit=20)
    for _ in range(10):
        for ready in (False, True):
            read.ready = ready
            outbox.publish({"a"}, b"0123456789")
        outbox.flush()
    assert b"".join(read.writes) == 20 * b"0123456789"


async def test_one_message_may_be_larger_than_the_limit() -> None:
    read = Read(ready=False)
    outbox = Outbox(read, limit=2)
    outbox.publish({"a"}, b"0123456789")
    read.ready = True
    outbox.flush()
    assert read.writes == [b"0123456789"]


async def test_answers_have_no_limit_but_hold_up_their_asker() -> None:
    read = Read(ready=False)
    outbox = Outbox(read, limit=1)
    await outbox.emptied()
    for number in b"12345":
        outbox.answer("a", bytes([number]))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(outbox.emptied(), 0.01)
    waiting = asyncio.create_task(outbox.emptied())
    read.ready = True
    outbox.flush()
    await asyncio.wait_for(waiting, 1)
    assert read.writes == [b"12345"]


async def test_closing_comes_after_what_was_put_before() -> None:
    read = Read(ready=False)
    outbox = Outbox(read)
    outbox.publish({"a"}, b"1")
    outbox.close(1001, "why")
    await outbox.ending()
    ending = asyncio.create_task(outbox.ended())
    await asyncio.sleep(0)
    assert not ending.done()
    read.ready = True
    outbox.flush()
    assert await asyncio.wait_for(ending, 1) == Close(1001, "why")
    assert read.writes == [b"1"]
