"""Sends calls to a provider within its limits on batch size and rate. If a call exceeds the rate
limit, it is sent again after a pause."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Iterable, Sequence
from typing import Any, TypeAlias, TypeVar

from contracts.rpc_errors import BAD_ANSWER, RpcError
from indexer.node.limits import Limits
from indexer.node.pacer import Pacer
from indexer.node.rejections import ProviderRejection, rejection_of
from indexer.node.transport import RateLimited, Transport

T = TypeVar("T")
Call: TypeAlias = tuple[str, list[Any]]
"""A JSON-RPC method and its parameters."""


class TooBusy(Exception):
    """The provider's rate limit was still rejecting the request when the time for retries ran
    out."""


class PacedTransport:
    """Sends calls within the limits of one provider. A call that exceeds the rate limit is sent
    again for up to `seconds` seconds."""

    def __init__(self, url: str, seconds: float, limits: Limits, pacer: Pacer) -> None:
        self._transport = Transport(url, seconds)
        self._seconds, self._limits, self._pacer = seconds, limits, pacer

    async def request(self, calls: Sequence[Call]) -> list[Any]:
        """Return the provider's JSON-RPC answers to these calls, in the same order.

        Send as few batches as the provider's limits allow. Raises TooBusy and the transport's
        errors."""
        sizes = [size for size in (self._limits.max_batch, self._pacer.max_calls) if size is not None]
        size = min(sizes, default=len(calls))
        if len(calls) <= size:
            return await self._batch(calls)
        found = await gather_or_cancel(self._batch(calls[start : start + size]) for start in range(0, len(calls), size))
        return [answer for some in found for answer in some]

    async def _batch(self, calls: Sequence[Call]) -> list[Any]:
        """Send one batch. Send the calls that exceed the rate limit again."""
        answers: list[Any] = [None] * len(calls)
        waiting, until = list(range(len(calls))), None
        while waiting:
            some = [calls[at] for at in waiting]
            if self._pacer.pause > self._seconds or (until is not None and time.monotonic() > until):
                raise TooBusy
            sent = await self._pacer.acquire(len(some))
            found, rejection = await self._post(some)
            if rejection is None or rejection.kind == "batch":
                self._pacer.record_accepted(len(some))
            if rejection is not None and rejection.kind == "batch":
                self._limits.record_rejected_batch(rejection, len(some))
                return await self.request(calls)
            left = []
            for at, answer in zip(waiting, found, strict=True):
                if rejection is not None and (answer is None or _is_rate(answer)):
                    left.append(at)
                else:
                    answers[at] = answer
            waiting = left
            if rejection is not None:
                self._pacer.record_rejected(rejection, sent)
                until = until or time.monotonic() + self._seconds
                if len(waiting) == len(calls) > (self._pacer.max_calls or len(calls)):
                    return await self.request(calls)  # the rate was reduced, so the batch must be split
        return answers

    async def _post(self, calls: Sequence[Call]) -> tuple[list[Any], ProviderRejection | None]:
        """Send one batch and return its answers. If a limit on rate or batch size was exceeded,
        also return the rejection. If the whole request was rejected, each answer is None."""
        try:
            if len(calls) == 1:
                answers = [await self._transport.request(*calls[0])]
            else:
                answers = await self._transport.request_batch(list(calls))
        except RateLimited as limited:
            return [None] * len(calls), limited.rejection
        for answer in answers:
            rejection = _rejection(answer)
            if rejection is not None and (rejection.kind == "rate" or (rejection.kind == "batch" and len(calls) > 1)):
                return answers, rejection
        return answers, None

    async def aclose(self) -> None:
        await self._transport.disconnect()


def error_of(answer: Any) -> RpcError | None:
    """Return the error in a JSON-RPC answer, or None if it has none or is not JSON-RPC."""
    error = answer.get("error") if isinstance(answer, dict) else None
    if error is None:
        return None
    if not isinstance(error, dict):
        return RpcError(BAD_ANSWER, str(error))
    return RpcError(error.get("code", BAD_ANSWER), str(error.get("message", "")), error.get("data"))


def _rejection(answer: Any) -> ProviderRejection | None:
    error = error_of(answer)
    return None if error is None else rejection_of(error)


def _is_rate(answer: Any) -> bool:
    rejection = _rejection(answer)
    return rejection is not None and rejection.kind == "rate"


async def gather_or_cancel(jobs: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run the jobs concurrently and return their results in order. If a job fails, cancel the
    others and raise its error."""
    tasks = [asyncio.ensure_future(job) for job in jobs]
    try:
        return await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
