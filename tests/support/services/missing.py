"""Skips a test if a program is missing. In CI, the test fails instead, because CI requires all
tests."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def skip_or_fail(sentence: str) -> NoReturn:
    """Skip the test for this reason, or fail if CI=true."""
    if os.environ.get("CI") == "true":
        pytest.fail(sentence)
    pytest.skip(sentence)
