"""Errors of replays, each a sentence."""

from __future__ import annotations


class ReplayError(Exception):
    """An error whose message explains what is wrong and, if it helps, what to do."""
