"""The error that is raised if a replay can't be read, drawn or verified."""

from __future__ import annotations


class ReplayError(Exception):
    """A replay can't be used. The message explains what is wrong and, if possible, what to do."""
