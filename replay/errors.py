"""The error that code for replays raises."""

from __future__ import annotations


class ReplayError(Exception):
    """An error in a replay. Its message explains what is wrong and, if possible, what to do."""
