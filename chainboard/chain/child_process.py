"""Child processes that never outlive us."""

from __future__ import annotations

import os
import subprocess

SCRIPT = '"$@" & child=$!; (cat >/dev/null; kill -9 $child) <&3 2>/dev/null & wait $child'
"""Ends the child when our end of the pipe closes, which a SIGKILL of ours does, too; and itself when the child ends."""


def start_child(command: list[str]) -> subprocess.Popen[bytes]:
    """Starts a command without output that ends when we do. It reaches this machine only, past any proxy."""
    return subprocess.Popen(
        ["/bin/sh", "-c", f"exec 3<&0; {SCRIPT}", "leash", *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")},
        start_new_session=True,  # a Ctrl-C in the terminal is ours to answer, with a last save
    )


def end_child(process: subprocess.Popen[bytes]) -> None:
    """Kills it, and waits until it is gone."""
    if process.stdin is not None:
        process.stdin.close()
    process.wait()
