"""What a machine may lack: tests that need it are skipped there, and fail where CI asks for all."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def skip_or_fail(sentence: str) -> NoReturn:
    """Skips the test with a sentence; with CI=true it fails."""
    if os.environ.get("CI") == "true":
        pytest.fail(sentence)
    pytest.skip(sentence)
