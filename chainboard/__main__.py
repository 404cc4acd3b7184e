"""The console script, and `python -m chainboard`. Exit codes: 0 done, 1 failed and said why, 2 usage."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import Any

from chainboard.cli import app
from chainboard.errors import UserError, sentence, write_log
from replay.errors import ReplayError

CYCLES_AFTER = 50_000
"""How many objects are made before cycles among them are looked for. The imports make many and hardly a cycle: with
Python's 700 the looking takes a tenth of a start."""


def main() -> None:
    """No traceback ever reaches a user."""
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
    print(f"chainboard: something unforeseen: {sentence(error)}. {write_log(error)}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    main()
