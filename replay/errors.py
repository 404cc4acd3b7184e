"""The error of all code that reads, draws or verifies replays."""

from __future__ import annotations


class ReplayError(Exception):
    """An error in a replay. Its message explains what is wrong and, if possible, what to do."""
