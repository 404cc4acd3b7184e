"""Starts child processes that never outlive this process."""

from __future__ import annotations

import os
import subprocess

SCRIPT = '"$@" & child=$!; (cat >/dev/null; kill -9 $child) <&3 2>/dev/null & wait $child'
"""A shell script that starts a child. It kills the child when this process closes its end of the
pipe or dies. If the child exits first, the script exits, too."""


def start_child(command: list[str]) -> subprocess.Popen[bytes]:
    """Start a command and discard its output. The child is killed when this process exits. It gets
    no proxy settings, because it connects only to this machine."""
    return subprocess.Popen(
        ["/bin/sh", "-c", f"exec 3<&0; {SCRIPT}", "leash", *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")},
        start_new_session=True,  # the child doesn't receive Ctrl-C, so this process can save the chain first
    )


def end_child(process: subprocess.Popen[bytes]) -> None:
    """Kill the child and wait until it has exited."""
    if process.stdin is not None:
        process.stdin.close()
    process.wait()
