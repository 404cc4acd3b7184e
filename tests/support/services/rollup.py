"""A model of a rollup and its RPC providers, for tests that aren't asynchronous. Commands reach the
providers by their URLs."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal

from chaos.chain.anvil_chain import AnvilChain
from chaos.provider.plan import Plan
from chaos.provider.provider import Provider
from chaos.provider.rollup import BLOCK_SECONDS, L1_FEE_PER_BYTE, Rollup

FREE_PLANS = (
    Plan(max_range=2_000, max_batch=50, rate=50, states=128),
    Plan(
        max_range=500, max_batch=100, rate=50, refusal="item", missing=frozenset({"eth_getBlockReceipts"}), states=128
    ),
)
"""The plans of two providers. Their limits for ranges and batches differ. Both allow 50 calls per
second, and have the states of only the newest blocks."""


@dataclass(frozen=True, slots=True)
class RunningRollup:
    """A rollup and its RPC providers, which run in their own event loop. `call` runs an
    asynchronous function in that loop."""

    chain: AnvilChain
    rollup: Rollup
    providers: Sequence[Provider]
    portal: BlockingPortal

    @property
    def urls(self) -> list[str]:
        return [one.url for one in self.providers]

    def call(self, function: Callable[..., Coroutine[Any, Any, Any]], *arguments: Any) -> Any:
        return self.portal.call(function, *arguments)

    def request(self, method: str, *params: Any) -> Any:
        """Send a request directly to the rollup's Anvil node, without a provider in between."""
        return self.call(self.chain.request, method, *params)


@contextmanager
def running_rollup(
    folder: Path,
    plans: Sequence[Plan] = (Plan(),),
    block_seconds: float = BLOCK_SECONDS,
    l1_fee_per_byte: int = L1_FEE_PER_BYTE,
) -> Iterator[RunningRollup]:
    """Run a rollup that produces blocks at regular intervals. It has one provider for each plan."""
    with start_blocking_portal() as portal, ExitStack() as stack:
        chain = AnvilChain(folder)
        portal.call(chain.start)
        stack.callback(portal.call, chain.stop)
        rollup = Rollup(chain, block_seconds, l1_fee_per_byte)
        stack.enter_context(portal.wrap_async_context_manager(rollup.running()))
        providers = [Provider(rollup, plan) for plan in plans]
        for one in providers:
            stack.enter_context(portal.wrap_async_context_manager(one.running()))
        yield RunningRollup(chain, rollup, providers, portal)
