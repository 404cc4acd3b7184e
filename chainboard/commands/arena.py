"""`chainboard arena`: plays matches between two computer players without a chain, and prints a
table of the results."""

from __future__ import annotations

import secrets
import sys

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bots.arena import play_matches
from bots.opponent import BadOpponents
from bots.registry import Opponent, find
from bots.tally import Tally
from chainboard.console import progress_bar
from chainboard.errors import UserError
from indexer.gamekit.game import Game
from indexer.sanitize import printable

MAX_SEED = 2**32
MAX_FAULTS = 3
"""The maximum number of faults whose description is printed. Further faults are only counted."""


def run(game: Game, first: str, second: str, matches: int, seed: int | None) -> None:
    """Play the matches and print the results. Raises UserError if one of the computer players
    doesn't exist."""
    seed = secrets.randbelow(MAX_SEED) if seed is None else seed
    try:
        by_seat, faults = _play_with_progress(game, find(game, first), find(game, second), matches, seed)
    except BadOpponents as error:
        raise UserError(str(error)) from error
    for fault in faults[:MAX_FAULTS]:
        print(f"A match ended with a fault: {printable(fault)}", file=sys.stderr)
    if (more := len(faults) - MAX_FAULTS) > 0:
        print(f"and {more} more {'match' if more == 1 else 'matches'} ended with a fault", file=sys.stderr)
    print(f"{game.title}: {printable(first)} against {printable(second)}, {matches} matches, --seed {seed}")
    print(table(first, by_seat), end="")


def _play_with_progress(
    game: Game, first: Opponent, second: Opponent, matches: int, seed: int
) -> tuple[list[Tally], list[str]]:
    """Play the matches with a progress bar. Return the first player's tally for the matches that it
    opened, its tally for the matches that it joined, and a list of all faults."""
    by_seat, faults = [Tally(), Tally()], []
    with progress_bar("Playing", "matches", 1) as progress:
        for number, (seat, played) in enumerate(play_matches(game, first, second, matches, seed), start=1):
            by_seat[seat].count(played.winner, seat)
            faults += [played.fault] if played.fault else []
            progress(number, matches)
    return by_seat, faults


def table(name: str, by_seat: list[Tally]) -> str:
    """Return a table of the first player's results. It has a row for each seat, and a row for both
    seats together."""
    rows = Table("", "won", "drawn", "lost", "won of decided (95 %)", box=box.SIMPLE_HEAD)
    for column in rows.columns[1:4]:
        column.justify = "right"
    for where, tally in zip(("opens", "joins", "both"), (*by_seat, by_seat[0] + by_seat[1]), strict=True):
        rows.add_row(
            Text(f"{printable(name)} {where}"), str(tally.won), str(tally.drawn), str(tally.lost), tally.as_text()
        )
    console = Console()
    with console.capture() as printed:
        console.print(rows)
    return printed.get()
