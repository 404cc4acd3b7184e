"""The database of a chain, and following the chain into it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from time import monotonic

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from chainboard.console import console
from chainboard.data_folder import aside_folder, database_files, put_aside
from chainboard.errors import Trouble
from chainboard.settings import Settings
from indexer.follow.follower import Follower
from indexer.games import GAMES
from indexer.model import Chain, Deployment, OtherChain
from indexer.store.db.engine import StoreDamaged, StoreError
from indexer.store.store import Store

BAR_FROM_BLOCKS = 50
PATIENCE_SECONDS = 20
"""Without any progress; a busy node, or one that starts, comes back within that."""


class Stuck(Trouble):
    """The node's word could not be had for long."""


@contextmanager
def open_store(settings: Settings, chain: Chain, deployments: Sequence[Deployment]) -> Iterator[Store]:
    """The database for this chain, which nobody else writes meanwhile. A file that is damaged is put aside and made
    anew, as is one of a development chain that began anew: all in it comes from the chain. Raises Trouble for
    others."""
    with closing(_opened(settings)) as store:
        try:
            with store.sole_writer():
                _adopt(settings, store, chain, deployments)
                yield store
        except StoreError as error:
            raise Trouble(str(error)) from error


def _opened(settings: Settings) -> Store:
    try:
        return Store(settings.database_url, GAMES)
    except StoreDamaged as error:
        aside = put_aside(settings, database_files(settings))
        if aside is None:
            raise Trouble(f"{error}. Choose another --database") from error
        console.print(f"A new database is made, the old one is kept in {aside}: {error}")
    except StoreError as error:
        raise Trouble(str(error)) from error
    return Store(settings.database_url, GAMES)


def _adopt(settings: Settings, store: Store, chain: Chain, deployments: Sequence[Deployment]) -> None:
    try:
        store.adopt(chain, deployments)
    except OtherChain as error:
        if not settings.development:
            raise Trouble(
                f"{error}. Nothing was changed: choose another --data folder, or --rpc with a node of that chain"
            ) from error
        archive = aside_folder(settings) / "index.db"
        store.begin_anew(chain, deployments, archive)
        console.print(f"The database is begun anew, the old one is kept as {archive}: {error}")


def existing_store(settings: Settings) -> Store:
    """The database that another command made. Raises Trouble when there is none that can be read."""
    file = settings.database_file
    if file is not None and not file.exists():
        raise Trouble(f"there is no database at {file}: run `chainboard up` or `chainboard index` first")
    try:
        return Store(settings.database_url, GAMES)
    except StoreError as error:
        raise Trouble(str(error)) from error


async def catch_up(follower: Follower) -> None:
    """Follows to the node's head, with a bar when that is far; a node that is behind is at its end.

    Raises Stuck when the node's word can't be had for long, OtherChain when it is on another chain."""
    bar = Progress(
        TextColumn("Indexing"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("blocks"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    with bar:
        task = bar.add_task("blocks", visible=False)
        await _steps(
            follower, lambda done, whole: bar.update(task, completed=done, total=whole, visible=whole > BAR_FROM_BLOCKS)
        )


async def _steps(follower: Follower, show: Callable[[int, int], None]) -> None:
    done, patience = 0, monotonic() + PATIENCE_SECONDS
    while True:
        step = await follower.attempt()
        done += step.appended
        show(done, done + follower.behind)
        if step.failed:
            if monotonic() > patience:
                raise Stuck(f"the chain can't be followed: {follower.health.detail}")
            await asyncio.sleep(follower.pause)
        elif not step.more:
            return
        else:
            patience = monotonic() + PATIENCE_SECONDS
