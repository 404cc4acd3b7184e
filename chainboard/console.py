"""The console of the commands. It writes to standard error, so that standard output contains only a
command's results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

MIN_PROGRESS = 50

console = Console(stderr=True)


@contextmanager
def progress_bar(verb: str, unit: str = "blocks", minimum: int = MIN_PROGRESS) -> Iterator[Callable[[int, int], None]]:
    """Yield a function to which the caller reports its progress: the number of units done, and the
    total. In a terminal, the function shows a progress bar if the total is above `minimum`."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(verb), BarColumn(), MofNCompleteColumn(), TextColumn(unit), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(unit, visible=False)
        yield lambda done, total: bar.update(task, completed=done, total=total, visible=total > minimum)
