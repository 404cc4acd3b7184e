"""The console of the commands: standard error, where they print what is not their answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

BAR_FROM = 50

console = Console(stderr=True)


@contextmanager
def progress_bar(verb: str, unit: str = "blocks", least: int = BAR_FROM) -> Iterator[Callable[[int, int], None]]:
    """Yields a function of the units done and of all; the bar is shown in a terminal, when there are more than that."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(verb), BarColumn(), MofNCompleteColumn(), TextColumn(unit), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(unit, visible=False)
        yield lambda done, total: bar.update(task, completed=done, total=total, visible=total > least)
