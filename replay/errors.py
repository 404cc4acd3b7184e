"""The error that is raised when a replay can't be read, drawn or verified."""

from __future__ import annotations


class ReplayError(Exception):
    """An error in a replay. Its message explains what is wrong and, if possible, what to do."""
