"""Tests that need a missing program are skipped, or fail if CI requires all tests."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def skip_or_fail(sentence: str) -> NoReturn:
    """Skip the test with this reason. The test fails instead if CI=true."""
    if os.environ.get("CI") == "true":
        pytest.fail(sentence)
    pytest.skip(sentence)
