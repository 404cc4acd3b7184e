"""Runs Chainboard's command line in the test's own process."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from dataclasses import dataclass

import pytest

from chainboard import __main__ as console

VERIFIED = re.compile(
    r"Verified: (?:(?P<blocks>\d+) blocks up to (?P<top>\d+), \d+ matches|(?P<match>\S+)), (?P<events>\d+) events; "
    r"views checked: (?P<checked>\d+) at (?P<at>\d+) blocks, (?P<pruned>\d+) pruned(?P<more>.*)\n"
)


@dataclass
class CommandResult:
    """A command's exit code and output."""

    code: int
    out: str
    err: str

    @property
    def verified_counts(self) -> dict[str, str]:
        """The figures in the line that `verify` prints if the whole index matches the chain."""
        found = VERIFIED.fullmatch(self.out)
        assert (self.code, self.err) == (0, ""), self
        assert found, self
        return found.groupdict()


def chainboard(*arguments: object) -> CommandResult:
    """Run a command in the test's own process. Return its exit code and output."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        patch.setattr(sys, "argv", ["chainboard", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            console.main()
    assert "Traceback" not in err.getvalue()
    assert "unforeseen" not in err.getvalue()
    return CommandResult(int(ended.value.code or 0), out.getvalue(), err.getvalue())
