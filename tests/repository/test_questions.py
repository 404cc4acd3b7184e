"""docs/questions.md names every view with its columns as they are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from contracts import artifacts
from indexer.games import GAMES
from indexer.model import Deployment
from indexer.sql.views import GENERAL, OF_EVENT, PLACE, event_views

PAGE = (Path(__file__).parents[2] / "docs" / "questions.md").read_text("utf-8")


def columns(found: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {kind}" for name, kind in found.items())


def lines(start: str) -> list[str]:
    table = PAGE.partition(start)[2].partition("\n## ")[0]
    return [line for line in table.splitlines() if line.startswith("| `")]


def test_the_general_views_are_documented() -> None:
    assert lines("## For all games") == [f"| `{one.name}` | {one.about} | {columns(one.columns)} |" for one in GENERAL]


def test_the_views_of_events_are_documented() -> None:
    deployments = [
        Deployment(game.slug, game.contract, "", artifacts.load(game.contract).abi, 0, "", "", 1)
        for game in GAMES.values()
    ]
    assert f"Each begins with {columns(OF_EVENT)}, and ends with {columns(PLACE)};" in " ".join(PAGE.split())
    shared = OF_EVENT.keys() | PLACE.keys()
    told = [
        (one.name, {name: kind for name, kind in one.columns.items() if name not in shared})
        for one in event_views(deployments)
    ]
    found = [f"| `{name}` | {columns(own)} |".replace("|  |", "| |") for name, own in told]
    assert lines("## One for each kind of event") == found
