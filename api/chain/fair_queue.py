"""A fair queue for jobs that use the chain's node or draw pictures. Only a few jobs run at a time,
and no client address gets more than its share."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")
Waiting: TypeAlias = "asyncio.Future[None]"

CHEAP_SECONDS = 0.01
"""A call that runs for at most this many seconds is not charged to its address."""


class QueueFull(Exception):
    """The queue is full, or a call waited too long. The message is a sentence for the caller."""


@dataclass(frozen=True, slots=True)
class Quota:
    """The limits of a queue. `per_address` and `total` limit the running calls of one client
    address and of all addresses. `waiting` and `waiting_per_address` limit the queued calls of all
    addresses and of one address. A call waits for at most `queue_timeout` seconds.

    Expensive calls use up a budget per address (a token bucket). The budget is at most
    `burst_seconds` of the node's time, and grows by `refill_rate` seconds per second. While
    the node executes a call, it doesn't mine any moves, so a steady stream of calls would block all
    players. The burst is large because even the calls of an honest page take a long time on a slow
    machine."""

    per_address: int = 4
    total: int = 8
    waiting: int = 1024
    waiting_per_address: int = 1024
    queue_timeout: float = 10
    burst_seconds: float = 20
    refill_rate: float = 0.3


class FairQueue:
    """A queue in which client addresses take turns. A client that sends a thousand calls delays
    only its own calls."""

    def __init__(self, quota: Quota) -> None:
        self._quota = quota
        self._running: Counter[str] = Counter()
        self._queues: OrderedDict[str, deque[Waiting]] = OrderedDict()
        self._waiting = 0
        self._used: dict[str, tuple[float, float]] = {}
        self._timer: asyncio.TimerHandle | None = None

    @property
    def running(self) -> int:
        return self._running.total()

    async def run(self, address: str, job: Callable[[], Coroutine[Any, Any, T]], expensive: bool = False) -> T:
        """Run the job when its turn comes, and return its result. An address is charged for the
        time of its `expensive` jobs. Raises QueueFull. If the caller is cancelled, a waiting job
        leaves the queue. A running job continues and keeps its place, because the node can't stop
        it."""
        await self._acquire(address)
        begin = self._now()
        task = asyncio.create_task(job())
        task.add_done_callback(lambda done: self._finish(address, done, self._now() - begin if expensive else 0))
        return await asyncio.shield(task)

    async def _acquire(self, address: str) -> None:
        if address not in self._queues and self._has_capacity(address):
            self._running[address] += 1
            return
        if self._waiting >= self._quota.waiting:
            raise QueueFull(
                f"Too many calls are waiting for the chain's node (limit: {self._quota.waiting}). Try again later."
            )
        if len(self._queues.get(address, ())) >= self._quota.waiting_per_address:
            limit = self._quota.waiting_per_address
            raise QueueFull(f"Too many calls from your address are waiting (limit: {limit}). Try again later.")
        turn: Waiting = asyncio.get_running_loop().create_future()
        self._queues.setdefault(address, deque()).append(turn)
        self._waiting += 1
        self._start_waiting()
        try:
            async with asyncio.timeout(self._quota.queue_timeout):
                await turn
        except BaseException as error:
            self._give_up(address, turn)
            if isinstance(error, TimeoutError):
                seconds, limit = self._quota.queue_timeout, self._quota.per_address
                detail = f"Too many calls are running (at most {limit} per address), so this call did not start within "
                raise QueueFull(f"{detail}{seconds:g} seconds. Try again later.") from None
            raise

    def _give_up(self, address: str, turn: Waiting) -> None:
        """Remove a cancelled waiter. If its turn has just come, give the turn to the next
        waiter."""
        if turn.done() and not turn.cancelled():
            self._release(address)
        elif turn in (queue := self._queues.get(address, deque())):
            self._dequeue(address, queue, turn)

    def _dequeue(self, address: str, queue: deque[Waiting], turn: Waiting) -> None:
        queue.remove(turn)
        self._waiting -= 1
        if not queue:
            del self._queues[address]

    def _finish(self, address: str, done: asyncio.Task[Any], seconds: float) -> None:
        if not done.cancelled():
            # read the error, because asyncio logs errors that nobody reads
            done.exception()
        if seconds > CHEAP_SECONDS:
            self._used = {one: used for one, used in self._used.items() if self._debt(used)}
            self._used[address] = self._debt(self._used.get(address)) + seconds - CHEAP_SECONDS, self._now()
        self._release(address)

    def _release(self, address: str) -> None:
        self._running -= Counter((address,))  # a Counter's `-=` deletes keys that reach zero
        self._start_waiting()

    def _start_waiting(self) -> None:
        while turn := self._next_turn():
            turn.set_result(None)
        if self._timer is not None:
            self._timer.cancel()
        pauses = [pause for pause in map(self._wait_seconds, self._queues) if pause]
        self._timer = asyncio.get_running_loop().call_later(min(pauses), self._start_waiting) if pauses else None

    def _next_turn(self) -> Waiting | None:
        """Count the next waiter as running and return it, or return None if no waiter can run now.
        Cancelled waiters are skipped, because they remove themselves."""
        for address, queue in self._queues.items():
            turn = next((one for one in queue if not one.done()), None)
            if turn is not None and self._has_capacity(address):
                self._queues.move_to_end(address)
                self._dequeue(address, queue, turn)
                self._running[address] += 1
                return turn
        return None

    def _has_capacity(self, address: str) -> bool:
        quota = self._quota
        room = self.running < quota.total and self._running[address] < quota.per_address
        return room and not self._wait_seconds(address)

    def _wait_seconds(self, address: str) -> float:
        """Return the seconds to wait until this address owes at most `burst_seconds` and may make
        expensive calls again."""
        return max(0.0, self._debt(self._used.get(address)) - self._quota.burst_seconds) / self._quota.refill_rate

    def _debt(self, used: tuple[float, float] | None) -> float:
        """Return the seconds of the node's time that an address owes now. `used` is the debt after
        the last call, with the time of that call. The debt shrinks by `refill_rate` per second."""
        seconds, at = used or (0.0, 0.0)
        return max(0.0, seconds - (self._now() - at) * self._quota.refill_rate)

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()
