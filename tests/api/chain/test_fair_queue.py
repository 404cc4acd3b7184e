"""Tests that FairQueue limits the calls to the node. No address exceeds its share, every address
gets its turn, and no place in the queue is lost."""

from __future__ import annotations

import asyncio

import pytest

from api.chain.fair_queue import FairQueue, QueueFull, Quota


class Jobs:
    """Jobs from several addresses. Each job runs until the test ends it."""

    def __init__(self, **places: float) -> None:
        self.queue = FairQueue(Quota(**places))  # type: ignore[arg-type]
        self.started: list[str] = []
        self._ends: list[asyncio.Event] = []

    def ask(self, address: str, times: int = 1) -> list[asyncio.Task[None]]:
        return [asyncio.create_task(self.queue.run(address, lambda: self._job(address))) for _ in range(times)]

    async def _job(self, address: str) -> None:
        self.started.append(address)
        end = asyncio.Event()
        self._ends.append(end)
        await end.wait()

    async def end(self, number: int = 1) -> None:
        for _ in range(number):
            self._ends.pop(0).set()
        await settled()


async def settled() -> None:
    """Wait until all tasks are blocked and only the test can release them."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_an_address_has_its_share_and_all_have_theirs() -> None:
    jobs = Jobs(per_address=4, total=8)
    asked = jobs.ask("greedy", 60)
    await settled()
    assert jobs.started == ["greedy"] * 4
    asked += jobs.ask("honest")
    await settled()
    assert jobs.started[4:] == ["honest"]
    asked += [task for number in range(9) for task in jobs.ask(f"other {number}")]
    await settled()
    assert jobs.queue.running == 8
    for task in asked:
        task.cancel()


async def test_who_waits_is_served_in_turn_by_address() -> None:
    jobs = Jobs(per_address=1, total=1)
    asked = jobs.ask("a", 4)
    await settled()
    asked += jobs.ask("b", 2) + jobs.ask("c", 1)
    await settled()
    for _ in range(7):
        await jobs.end()
    assert jobs.started == ["a", "a", "b", "c", "a", "b", "a"]
    await asyncio.gather(*asked)
    assert jobs.queue.running == 0


async def test_who_hangs_up_while_it_waits_gives_its_turn_to_the_next() -> None:
    jobs = Jobs(per_address=4, total=1)
    first, second, third = jobs.ask("a")[0], jobs.ask("b")[0], jobs.ask("c")[0]
    await settled()
    second.cancel()
    await jobs.end()
    assert jobs.started == ["a", "c"]
    await jobs.end()
    await asyncio.gather(first, third)
    assert jobs.queue.running == 0


@pytest.mark.parametrize("later", range(8))
async def test_who_hangs_up_as_its_turn_comes_loses_no_place(later: int) -> None:
    """Tests that no place is lost if a client hangs up just when its turn comes. The client hangs
    up 0 to 7 steps of the event loop after the running job ends."""
    jobs = Jobs(per_address=1, total=1)
    first, second = jobs.ask("a")[0], jobs.ask("b")[0]
    await settled()
    jobs._ends.pop().set()
    for _ in range(later):
        await asyncio.sleep(0)
    second.cancel()
    await settled()
    await jobs.end(len(jobs._ends))
    assert (first.done(), jobs.queue.running) == (True, 0)


async def test_a_call_under_way_keeps_its_place_when_its_client_hangs_up() -> None:
    """Tests that a running call keeps its place when its client hangs up, because the node still
    works on the call. Otherwise, clients could bypass the limit by hanging up and asking again."""
    jobs = Jobs(per_address=1, total=8)
    (first,) = jobs.ask("a")
    await settled()
    first.cancel()
    (second,) = jobs.ask("a")
    await settled()
    assert jobs.started == ["a"]
    await jobs.end()
    assert jobs.started == ["a", "a"]
    await jobs.end()
    await second


async def test_waiting_has_an_end_and_so_has_the_queue() -> None:
    jobs = Jobs(per_address=1, total=1, waiting=2, queue_timeout=0.02)
    (first,) = jobs.ask("a")
    await settled()
    waiting = jobs.ask("a", 2)
    await settled()
    with pytest.raises(QueueFull, match=r"calls are waiting .*limit: 2\)"):
        await jobs.queue.run("b", lambda: jobs._job("b"))
    for one in waiting:
        with pytest.raises(QueueFull, match=r"at most 1 per address\), so .* 0.02 seconds"):
            await one
    await jobs.end()
    await first
    assert jobs.queue.running == 0


async def test_a_job_that_fails_gives_its_place_back() -> None:
    queue = FairQueue(Quota(1, 1))

    async def fails() -> None:
        raise OSError("lost")

    for _ in range(3):
        with pytest.raises(OSError, match="lost"):
            await queue.run("a", fails)
    assert queue.running == 0


async def test_who_has_used_much_of_the_nodes_time_waits_until_it_is_paid_for(monkeypatch: pytest.MonkeyPatch) -> None:
    queue, now, begun = FairQueue(Quota(burst_seconds=1, refill_rate=0.5)), [100.0], []
    monkeypatch.setattr(FairQueue, "_now", staticmethod(lambda: now[0]))

    async def takes(seconds: float, name: str) -> None:
        begun.append(name)
        now[0] += seconds

    await queue.run("a", lambda: takes(3.01, "first"), expensive=True)
    second = asyncio.create_task(queue.run("a", lambda: takes(0, "second"), expensive=True))
    await settled()
    await queue.run("b", lambda: takes(0, "of another"), expensive=True)
    assert begun == ["first", "of another"]
    # the debt of 3.01 s shrinks by 0.5 s per second; the second call waits until it is at most 1 s
    now[0] += 3.9
    queue._start_waiting()
    await settled()
    assert begun == ["first", "of another"]
    now[0] += 0.2
    queue._start_waiting()
    await second
    assert begun[-1] == "second"
    now[0] += 60
    assert queue._wait_seconds("a") == 0
    await queue.run("c", lambda: takes(1, "of a third"), expensive=True)
    assert set(queue._used) == {"c"}, "an address without debt is removed"


class Clock:
    """The queue's clock. It advances only while a call uses time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(FairQueue, "_now", staticmethod(lambda: self.now))

    async def takes(self, seconds: float) -> None:
        self.now += seconds


async def test_its_turn_comes_by_itself_when_it_is_paid_for(monkeypatch: pytest.MonkeyPatch) -> None:
    queue, clock = FairQueue(Quota(burst_seconds=0.02, refill_rate=0.5)), Clock(monkeypatch)
    await queue.run("a", lambda: clock.takes(0.05), expensive=True)
    again = asyncio.create_task(queue.run("a", lambda: clock.takes(0.05), expensive=True))
    await settled()
    assert not again.done()
    clock.now += 1
    await again  # the queue's own timer has started this call
    assert queue._wait_seconds("a") > 0
    for _ in range(50):
        await queue.run("cheap", lambda: clock.takes(0), expensive=True)
    assert queue._wait_seconds("cheap") == 0


async def test_who_has_paid_sooner_does_not_wait_for_who_pays_later(monkeypatch: pytest.MonkeyPatch) -> None:
    queue, clock, begun = FairQueue(Quota(burst_seconds=0, refill_rate=0.5)), Clock(monkeypatch), []

    async def begins(name: str) -> None:
        begun.append(name)

    # the address "late" must now wait two seconds
    await queue.run("late", lambda: clock.takes(1), expensive=True)
    late = asyncio.create_task(queue.run("late", lambda: begins("late"), expensive=True))
    await asyncio.sleep(0)
    await queue.run("soon", lambda: clock.takes(0.05), expensive=True)
    soon = asyncio.create_task(queue.run("soon", lambda: begins("soon"), expensive=True))
    await settled()
    clock.now += 0.2
    await soon
    assert begun == ["soon"]
    late.cancel()
