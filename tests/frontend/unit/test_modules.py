"""Tests that the page's sources don't contain certain constructs. `make test-page` runs the tests
of the page's behaviour."""

import re
import shutil
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "frontend-static"
NODE = shutil.which("node") or "node"


def test_nothing_is_inline_or_from_elsewhere() -> None:
    html = (PAGE / "index.html").read_text()
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|https?:|//", html)
    assert [sheet.name for sheet in PAGE.rglob("*.css") if re.search(r"@import|url\(", sheet.read_text())] == []


def test_data_never_become_markup() -> None:
    own = list(PAGE.rglob("*.js"))
    found = [
        path.name
        for path in own
        if re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", path.read_text())
    ]
    assert len(own) > 20
    assert found == []
