"""Skips a test if a program is missing. In CI, which requires all tests, the test fails instead."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def skip_or_fail(sentence: str) -> NoReturn:
    """Skip the test for this reason, or fail if CI=true."""
    if os.environ.get("CI") == "true":
        pytest.fail(sentence)
    pytest.skip(sentence)
