"""The errors of commands. If the user can fix an error, the command prints one sentence and no
traceback. The traceback of an unexpected error is written to a file."""

import tempfile
import traceback

from indexer.sanitize import printable


class UserError(Exception):
    """An error whose message explains what is wrong and how to fix it. A command that raises it
    ends with exit code 1."""


def sentence(error: BaseException) -> str:
    """Return an error's message with control characters escaped, because the message can quote
    files, servers and nodes of other people."""
    return "\n".join(printable(line) for line in str(error).split("\n"))


def write_log(error: BaseException) -> str:
    """Write the traceback to a new private file, and return a sentence that names this file. The
    file's name is random, because another user could already have a file with a fixed name in the
    shared temporary folder."""
    text = "".join(traceback.format_exception(error))
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="chainboard-error-", suffix=".log", delete=False, encoding="utf-8"
        ) as log:
            log.write(text)
    except OSError as trouble:
        return f"Please report this error. The log could not be written ({trouble.strerror or trouble})"
    return f"Please report this error and attach {log.name}"
