"""Errors that the user can fix: one sentence, never a traceback. Those that nobody foresaw go to a file."""

import tempfile
import traceback

from indexer.sanitize import printable


class UserError(Exception):
    """Says what is wrong and what is allowed; ends a command with exit code 1."""


def sentence(error: BaseException) -> str:
    """What an error says, which may quote files, servers and nodes of others, without what a terminal would obey."""
    return "\n".join(printable(line) for line in str(error).split("\n"))


def write_log(error: BaseException) -> str:
    """Writes the traceback to a new file of this user alone, and says which: in the shared temporary folder a fixed
    name could be another's link or file."""
    text = "".join(traceback.format_exception(error))
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="chainboard-error-", suffix=".log", delete=False, encoding="utf-8"
        ) as log:
            log.write(text)
    except OSError as trouble:
        return f"Please report it; no log could be written ({trouble.strerror or trouble})"
    return f"Please report it with {log.name}"
