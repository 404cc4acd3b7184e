"""Real Chromium, driven by Playwright. Debian's package is installed where that is possible; nothing else is."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

CHROMIUM = Path("/usr/bin/chromium")
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
INSTALL = (
    "apt-get update -qq",
    "DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium",
)
MISSING = "Chromium is not at /usr/bin/chromium and can't be installed here, so the page is not tested in a browser."


@contextmanager
def playwright() -> Iterator[Playwright]:
    """Playwright with a browser to drive; where there is none the test is skipped, or fails when CI asks."""
    provide()
    with sync_playwright() as it:
        yield it


def provide() -> None:
    """Makes sure that Chromium is there. Skips the test where it can't be had; with CI=true that is a failure."""
    if not CHROMIUM.exists() and os.geteuid() == 0 and shutil.which("apt-get"):
        for command in INSTALL:
            subprocess.run(command, shell=True, check=False, capture_output=True, timeout=600)
    if CHROMIUM.exists():
        return
    if os.environ.get("CI") == "true":
        pytest.fail(MISSING)
    pytest.skip(MISSING)


def launch(it: Playwright) -> Browser:
    """A browser with a fresh profile."""
    return it.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)


def barriers(page: Page) -> list[str]:
    """What axe-core finds that bars somebody from the page."""
    return [f"{one['id']}: {one['help']}" for one in Axe().run(page).response["violations"]]
