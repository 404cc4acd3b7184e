"""Tests of the documents: they must be short, their links must work, and the states, metrics and
messages that they name must exist.

`make check` compares the generated pages (docs/reference) with the code. Other tests run the
programs and queries in the documents."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from api.metrics import EMBEDDED_CHAIN, Metrics
from chainboard.chain.anvil import ChainStats
from indexer.follow.health import STATES, Counters, Health
from sponsor.messages import SponsorStatus

TOP = Path(__file__).parents[2]
README = (TOP / "README.md").read_text("utf-8")
README_LINES, DOCS_ENTRIES = 150, 15
PAGES = sorted(
    str(path.relative_to(TOP)) for folder in ("*.md", "docs/**/*.md", "tests/**/*.md") for path in TOP.glob(folder)
)


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= README_LINES


def is_stub(path: Path) -> bool:
    return path.suffix == ".md" and "This page moved to" in path.read_text("utf-8")


def test_the_documents_are_few() -> None:
    listed = subprocess.check_output(["git", "ls-files", "docs"], cwd=TOP, text=True).split()
    found = {name.split("/")[1] for name in listed if (TOP / name).exists() and not is_stub(TOP / name)}
    assert len(found - {"__init__.py", "replay.schema.json"}) <= DOCS_ENTRIES


def test_the_pictures_are_those_of_the_readme() -> None:
    kept = {f"docs/screenshots/{path.name}" for path in (TOP / "docs" / "screenshots").iterdir()}
    assert kept == set(re.findall(r"\((docs/screenshots/[\w-]+\.png)\)", README))


def anchors(text: str) -> set[str]:
    """Return the anchors of a page's headings, derived by the same rules as on GitHub."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (TOP / page).read_text("utf-8")
    for target, anchor in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", text):
        if target.startswith("http"):
            continue
        file = (TOP / page).parent / target if target else TOP / page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file.read_text("utf-8")), f"{target}#{anchor}"


MONITOR = (TOP / "docs" / "how-to" / "monitor.md").read_text("utf-8")
GUIDES = "".join(path.read_text("utf-8") for path in sorted((TOP / "docs" / "how-to").glob("*.md")))


@pytest.mark.parametrize("state", STATES)
def test_every_state_of_health_is_explained(state: str) -> None:
    assert f"| `{state}` |" in MONITOR


def test_named_metrics_exist() -> None:
    named = set(re.findall(r"`(chainboard_\w+)`", GUIDES))
    assert len(named) >= 3
    figures = Metrics(
        lambda: Health(counters=Counters()), lambda: asdict(ChainStats()), sponsor=lambda: SponsorStatus(balance=1)
    )
    page = figures.render().decode()
    assert {name for name in named if f"\n{name}" not in page} == set()
    assert {f"chainboard_chain_{name}" for name in EMBEDDED_CHAIN} <= named


def documented_messages() -> list[str]:
    """From the monitoring guide's table of messages, return the fixed parts of each message."""
    table = MONITOR.partition("| message | what to do |")[2].partition("\n## ")[0]
    rows = [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("| ") and "---" not in line]
    return [part.strip() for row in rows for part in row.split("…") if len(part.strip()) > 12]


@pytest.mark.parametrize("words", documented_messages())
def test_documented_messages_occur_in_the_code(words: str) -> None:
    sources = [
        path for folder in ("chainboard", "replay", "indexer", "sponsor") for path in (TOP / folder).rglob("*.py")
    ]
    assert any(words in re.sub(r'"\s+f?"', "", path.read_text("utf-8")) for path in sources)


def test_the_site_loads_nothing_from_another_host(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    built = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    pages = [path.read_text("utf-8") for path in tmp_path.rglob("*.html")]
    loaded = [
        tag
        for page in pages
        for tag in re.findall(r"<(?:script|link|img|iframe|source|video|audio|object|embed)\b[^>]*>", page)
    ]
    home = (tmp_path / "index.html").read_text("utf-8")
    own = re.findall(r"""<(?:script|link)\b[^>]*(?:src|href)="([^"]+\.(?:js|css))\"""", home)
    assert len(own) > 1
    assert [name for name in own if not (tmp_path / name).exists()] == []
    styles = "".join(path.read_text("utf-8") for path in tmp_path.rglob("*.css"))
    assert len(pages) > 20
    assert [tag for tag in loaded if re.search(r"""(?:src|href|data)=["']?(?:https?:)?//""", tag)] == []
    assert re.findall(r"(?:@import|url\()\s*[\"']?(?:https?:)?//[^)]*", styles) == []
    diagrams = [page for page in pages if 'class="mermaid"' in page]
    assert diagrams
    assert all("javascripts/mermaid.tiny.js" in page for page in diagrams), "Material would load it from elsewhere"


def test_the_picture_of_a_transaction_shows_what_may_follow_what() -> None:
    life = json.loads((TOP / "tests/fixtures/vectors/transactions.json").read_text())["life"]
    program = (TOP / "docs" / "how-to" / "write-a-client.md").read_text("utf-8")
    drawn = re.findall(r"^    (\w+) --> (\w+)$", program, re.MULTILINE)
    assert sorted(drawn) == sorted((state, after) for state, found in life.items() for after in found)


def test_a_folder_that_is_no_site_is_kept(tmp_path: Path) -> None:
    kept = tmp_path / "chain.json"
    kept.write_text("{}")
    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(tmp_path)]
    found = subprocess.run(command, cwd=TOP, capture_output=True, text=True, timeout=300)
    assert found.returncode != 0
    assert "is not a site built from docs/" in found.stderr
    assert kept.read_text() == "{}"
