"""The error that code for replays raises."""

from __future__ import annotations


class ReplayError(Exception):
    """An error whose message explains what is wrong and, if possible, what to do."""
