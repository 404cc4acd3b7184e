"""The README stays true: it names every command, setting, route and event."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import typer
from fastapi.routing import APIRoute

from api.metrics import EMBEDDED, Metrics
from api.routes import reads, writes
from chainboard.chain.anvil import Figures
from chainboard.cli import app
from contracts import artifacts
from indexer.follow.health import STATES, Health, Tally
from indexer.games import GAMES

TOP = Path(__file__).parents[2]
README = (TOP / "README.md").read_text("utf-8")
COMMANDS: Any = typer.main.get_command(app)


@pytest.mark.parametrize("name", sorted(COMMANDS.commands))
def test_every_command_is_named(name: str) -> None:
    assert f"`chainboard {name}" in README


def options() -> set[tuple[str, str]]:
    return {
        (option.opts[0], option.envvar)
        for command in COMMANDS.commands.values()
        for option in command.params
        if option.envvar
    }


@pytest.mark.parametrize(("flag", "variable"), sorted(options()))
def test_every_setting_is_named_with_its_variable(flag: str, variable: str) -> None:
    assert re.search(rf"^\| `{flag}[ `].*`{variable}`", README, re.MULTILINE)


def test_every_variable_that_the_code_reads_is_named() -> None:
    sources = "".join(path.read_text("utf-8") for path in (TOP / "chainboard").rglob("*.py"))
    for ending in ("KEY", "KEYSTORE", "PASSWORD"):
        assert f"{{role}}_{ending}" in sources
        for role in ("DEPLOYER", "FAUCET"):
            assert f"`CHAINBOARD_{role}_{ending}`" in README


def routes() -> list[str]:
    context: Any = type("Nothing", (), dict.fromkeys(("store", "games", "rpc", "faucet", "metrics", "health")))()
    found = [route for router in (reads(context), writes(context)) for route in router.routes]
    return sorted(
        f"{method} /api{route.path}" for route in found if isinstance(route, APIRoute) for method in route.methods
    )


@pytest.mark.parametrize("route", routes())
def test_every_route_is_named(route: str) -> None:
    assert f"| `{route}` |" in README


def events() -> list[str]:
    return sorted(
        {
            entry["name"]
            for game in GAMES.values()
            for entry in artifacts.load(game.contract).abi
            if entry["type"] == "event"
        }
    )


@pytest.mark.parametrize("name", events())
def test_every_event_is_named(name: str) -> None:
    assert f"`{name}`" in README


PAGES = sorted(str(path.relative_to(TOP)) for folder in ("", "docs", "tests") for path in (TOP / folder).glob("*.md"))


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", (TOP / page).read_text("utf-8")):
        if not target.startswith("http"):
            assert ((TOP / page).parent / target).exists(), target


WRONG = (TOP / "docs" / "when-something-is-wrong.md").read_text("utf-8")


@pytest.mark.parametrize("state", STATES)
def test_every_state_of_health_is_explained(state: str) -> None:
    assert f"| `{state}` |" in WRONG


def test_the_figures_that_are_named_are_there() -> None:
    named = set(re.findall(r"`(chainboard_\w+)`", WRONG))
    assert len(named) >= 3
    page = Metrics(lambda: Health(tally=Tally()), lambda: asdict(Figures())).page().decode()
    assert {name for name in named if f"\n{name}" not in page} == set()
    assert {f"chainboard_chain_{name}" for name in EMBEDDED} <= named


def sayings() -> list[str]:
    """What the table says that a command says: the words between the gaps."""
    table = WRONG.partition("| it says | do |")[2].partition("\n## ")[0]
    rows = [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("| ") and "---" not in line]
    return [part.strip() for row in rows for part in row.split("…") if len(part.strip()) > 12]


@pytest.mark.parametrize("words", sayings())
def test_what_a_command_is_said_to_say_it_says(words: str) -> None:
    sources = [path for folder in ("chainboard", "replay", "indexer") for path in (TOP / folder).rglob("*.py")]
    assert any(words in re.sub(r'"\s+f?"', "", path.read_text("utf-8")) for path in sources)


def test_the_picture_of_a_transaction_shows_what_may_follow_what() -> None:
    life = json.loads((TOP / "tests/fixtures/vectors/transactions.json").read_text())["life"]
    drawn = re.findall(r"^    (\w+) --> (\w+)$", README, re.MULTILINE)
    assert sorted(drawn) == sorted((state, after) for state, found in life.items() for after in found)
