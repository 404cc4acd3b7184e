"""Errors of replays, each one sentence."""

from __future__ import annotations


class ReplayError(Exception):
    """Says what is wrong and, where it helps, what to do."""
