"""Whether a million events cost as much each as a few: some minutes, so only when it is named."""

from __future__ import annotations

import asyncio

from bench.backfill.backfill import DENSE, FEW, OURS, measured, show_cost

MANY = 1_000_000


async def figures() -> None:
    show_cost([done for events in (FEW, MANY) for done in await measured(events, DENSE, (OURS,))])


def main() -> None:
    asyncio.run(figures())


if __name__ == "__main__":
    main()
