"""The commands' console, which writes to standard error. It is for everything that is not a
command's output."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

MIN_PROGRESS = 50

console = Console(stderr=True)


@contextmanager
def progress_bar(verb: str, unit: str = "blocks", minimum: int = MIN_PROGRESS) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that takes the number of units done and the total. In a terminal, it shows a
    bar if the total is above `minimum`."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(verb), BarColumn(), MofNCompleteColumn(), TextColumn(unit), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(unit, visible=False)
        yield lambda done, total: bar.update(task, completed=done, total=total, visible=total > minimum)
