"""The console script, which also runs as `python -m chainboard`. Its exit code is 0 for success, 1
for an error with a message, and 2 for wrong usage of the command line."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import Any

from chainboard.cli import app
from chainboard.errors import UserError, sentence, write_log
from replay.errors import ReplayError

CYCLES_AFTER = 50_000
"""The number of new objects after which Python's cyclic garbage collector runs. The imports create
many objects but hardly any cycles. With Python's default of 700, the garbage collector would take a
tenth of the start-up time."""


def main() -> None:
    """Run the command line. Print each error as a sentence instead of a traceback."""
    gc.set_threshold(CYCLES_AFTER)
    sys.exit(_run(app))


def _run(command: Callable[..., Any]) -> int:
    try:
        command(standalone_mode=True)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    except BaseException as error:
        return _exit_code(error)
    return 0


def _exit_code(error: BaseException) -> int:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, KeyboardInterrupt):
        return 130
    if isinstance(error, (UserError, ReplayError)):
        print(f"chainboard: {sentence(error)}", file=sys.stderr)
        return 1
    print(f"chainboard: unexpected error: {sentence(error)}. {write_log(error)}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    main()
