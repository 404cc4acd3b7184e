"""The database of a chain, and following the chain into it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from chainboard.data import database_files, put_aside
from chainboard.settings import Settings
from chainboard.trouble import Trouble
from indexer.database import StoreError
from indexer.follow import Follower
from indexer.games import GAMES
from indexer.model import Chain, Deployment
from indexer.store import OtherChain, Store

BAR_FROM_BLOCKS = 50
console = Console(stderr=True)


def open_store(settings: Settings, chain: Chain, deployments: Sequence[Deployment]) -> Store:
    """The database for this chain. A file that is about another one, or damaged, is put aside and made anew: all in it
    comes from the chain. On a database server it is refused."""
    try:
        return _adopted(settings, chain, deployments)
    except (OtherChain, StoreError) as error:
        aside = put_aside(settings, database_files(settings))
        if aside is None:
            raise Trouble(f"{error}. Choose another --database") from error
        console.print(f"A new database is made, the old one is kept in {aside}: {error}")
    return _adopted(settings, chain, deployments)


def existing_store(settings: Settings) -> Store:
    """The database that another command made. Raises Trouble when there is none that can be read."""
    file = settings.database_file
    if file is not None and not file.exists():
        raise Trouble(f"there is no database at {file}: run `chainboard up` or `chainboard index` first")
    try:
        return Store(settings.database_url, GAMES)
    except StoreError as error:
        raise Trouble(str(error)) from error


def _adopted(settings: Settings, chain: Chain, deployments: Sequence[Deployment]) -> Store:
    store = Store(settings.database_url, GAMES)
    try:
        store.adopt(chain, deployments)
    except OtherChain:
        store.close()
        raise
    return store


async def catch_up(follower: Follower) -> None:
    """Follows to the node's head, with a bar when that is far; a node that is behind is at its end.

    Raises Trouble when the node's word can't be used."""
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
    done = 0
    while True:
        step = await follower.attempt()
        if follower.health.state in ("node-lost", "degraded"):
            raise Trouble(f"the chain can't be followed: {follower.health.detail}")
        done += step.appended
        show(done, done + follower.behind)
        if not step.more:
            return
