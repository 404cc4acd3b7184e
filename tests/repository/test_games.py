"""Tests that each game has all the parts that it needs. A failing test's message lists the missing
parts."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from eth_utils.abi import abi_to_signature

from contracts import artifacts
from indexer.gamekit.game import Game
from indexer.gamekit.signatures import with_signatures
from indexer.games import GAMES, MODULES
from indexer.games import __file__ as registry
from indexer.model import Json

TOP = Path(__file__).parents[2]


def missing_parts(top: Path, module: str, slug: str, contract: str, abi: list[Json], reduced: set[str]) -> list[str]:
    """Return one line of text for each part that a game lacks. The line says what to add."""
    wanted = {
        f"contracts/src/games/{module}/{contract}.sol": "its rules",
        f"contracts/artifacts/{contract}.json": "its compiled rules (run `chainboard build`)",
        f"indexer/games/{module}.py": "its reducer",
        f"frontend-static/games/{slug}/renderer.js": "its renderer",
        f"frontend-static/games/{slug}/messages/en.json": "its texts",
        f"frontend-static/games/{slug}/rules.js": "its page of rules",
        f"frontend-static/games/{slug}/rules.json": "the boards of its page of rules",
        f"tests/indexer/games/test_{module}_reducer.py": "the tests of its reducer",
        f"tests/contracts/{module}/test_stateful.py": "contract, reducer and model compared",
    }
    missing = [f"{path}: {what}" for path, what in wanted.items() if not (top / path).exists()]
    events = {entry["name"] for entry in abi if entry["type"] == "event"}
    missing += [f"indexer/games/{module}.py: a reducer for {name}" for name in sorted(events - reduced)]
    return missing


@pytest.mark.parametrize("module", MODULES)
def test_a_registered_game_lacks_nothing(module: str) -> None:
    game = next(game for game in GAMES.values() if game.module == module)
    abi = artifacts.load(game.contract).abi
    missing = missing_parts(TOP, module, game.slug, game.contract, abi, set(game.reducers))
    assert not missing, f"{game.title} lacks\n" + "\n".join(missing)


@pytest.mark.parametrize("module", MODULES)
def test_a_game_with_a_timeout_says_when_it_is_due(module: str) -> None:
    """Tests that `overdue` returns the action that claims an expired timeout. The keeper, a process
    that claims timeouts, needs this function."""
    game = next(game for game in GAMES.values() if game.module == module)
    functions = {entry["name"] for entry in artifacts.load(game.contract).abi if entry["type"] == "function"}
    due, actions = (
        game.overdue({**game.start, "status": "playing", "deadline": 1}, 1),
        {one.name for one in game.actions},
    )
    assert due in actions if "claimTimeout" in functions else due in {None, *actions}


@pytest.mark.parametrize(
    "part",
    ["contracts/src/games", "contracts/artifacts", "indexer/games", "frontend-static/games", "tests/indexer/games"],
)
def test_a_forgotten_part_is_named(tmp_path: Path, part: str) -> None:
    game = GAMES["touche-coule"]
    for folder in ("contracts/src", "contracts/artifacts", "indexer", "frontend-static/games", "tests"):
        shutil.copytree(TOP / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(tmp_path / part)
    abi = artifacts.load(game.contract).abi
    missing = missing_parts(tmp_path, "touche_coule", game.slug, game.contract, abi, set(game.reducers))
    assert missing
    assert all(one.startswith(part) for one in missing)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_a_registered_game_can_be_compared_with_its_contracts_view(game: Game) -> None:
    """Tests that each game defines `from_contract` and `from_board`, with which `chainboard verify`
    compares boards. Without them, the command can only compare the number of events."""
    assert game.from_contract is not None
    assert game.from_board is not None


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_the_page_can_compare_it_too(game: Game) -> None:
    """Tests that each game's page module has `fromContract` and `fromBoard`, with which the page
    compares its board with the contract's. Without them, the page can only compare the number of
    events."""
    renderer = (TOP / f"frontend-static/games/{game.slug}/renderer.js").read_text("utf-8")
    exported = re.findall(r"^export (?:\{([^}]*)\}|(?:const|function) (\w+))", renderer, re.MULTILINE)
    names = {name.strip() for group, one in exported for name in (group.split(",") if group else [one])}
    assert {"fromContract", "fromBoard"} <= names, (
        f"frontend-static/games/{game.slug}/renderer.js lacks fromContract or fromBoard"
    )


def test_battleships_secrets_are_never_simulated() -> None:
    """Tests that all arguments that the page fills in for Battleship are marked as secret.
    Simulating a call with these arguments would reveal them to a node before the page sends the
    transaction."""
    page = (TOP / "frontend-static/games/battleship/renderer.js").read_text("utf-8")
    made = re.search(r"^const ARGS = \{$(.*?)^\};$", page, re.MULTILINE | re.DOTALL)
    assert made
    filled_in = set(re.findall(r"^  (\w+):", made[1], re.MULTILINE))
    assert filled_in == {action.name for action in GAMES["battleship"].actions if action.secret}
    assert not any(action.secret for game in GAMES.values() for action in game.actions if game.slug != "battleship")


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_the_page_draws_the_board_that_a_match_begins_with(game: Game) -> None:
    """Tests that the page can draw each game's initial board. The game's card in the lobby shows
    this board while the game has no matches."""
    module = (TOP / f"frontend-static/games/{game.slug}/renderer.js").as_uri()
    context = {"match": f"{game.slug}/0", "board": game.start, "me": "", "selected": 0, "pending": [], "events": []}
    script = f"""
      const {{ picture }} = await import("{module}");
      const context = {{ ...{json.dumps(context)}, ownAccounts: new Set(), draft: {{ state: {{}} }} }};
      console.log(JSON.stringify(picture(context)));
    """
    command = ["node", "--input-type=module", "--eval", script]
    drawn = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert min(part[side] for part in drawn.get("parts", [drawn]) for side in ("width", "height")) > 0


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_the_page_knows_the_functions_that_its_actions_call(game: Game) -> None:
    """Tests that each game's page module lists exactly the functions that the game's actions call,
    with the names of their arguments. The page signs only these calls, because a dishonest server
    could describe other ones."""
    abi: Any = artifacts.load(game.contract).abi
    functions = {abi_to_signature(entry): entry for entry in abi if entry["type"] == "function"}
    called = [functions[action.signature] for action in with_signatures(game, abi).actions]
    arguments = [", ".join(f"{given['type']} {given['name']}" for given in one["inputs"]) for one in called]
    expected = [f"{one['name']}({listed})" for one, listed in zip(called, arguments, strict=True)]
    module = (TOP / f"frontend-static/games/{game.slug}/renderer.js").as_uri()
    script = f'console.log(JSON.stringify((await import("{module}")).functions))'
    command = ["node", "--input-type=module", "--eval", script]
    listed = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert listed == expected, f"`functions` in {module} must be {json.dumps(expected, indent=2)}"


def test_what_all_games_share_says_nothing_of_one() -> None:
    """Tests that the heading above the legend has no placeholders. All games share the heading, so
    it mustn't mention the pieces of one game."""
    shared = json.loads((TOP / "frontend-static/i18n/messages/en.json").read_text("utf-8"))
    assert "{" not in shared["match.legend"]


def test_an_event_without_a_reducer_is_named() -> None:
    game = GAMES["touche-coule"]
    abi = artifacts.load(game.contract).abi
    missing = missing_parts(TOP, "touche_coule", game.slug, game.contract, abi, set(game.reducers) - {"Moved"})
    assert missing == ["indexer/games/touche_coule.py: a reducer for Moved"]


def named(names: set[str], path: Path) -> list[tuple[str, str]]:
    """Return each of these names that occurs as a whole word in a file, paired with the file's
    path."""
    text = path.read_text("utf-8")
    return [(name, str(path)) for name in sorted(names) if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)]


IMPORTS = tuple(f"{package}{way}" for package in ("games", "rules", "rest", "shapes") for way in (".", " import "))
"""Parts of import statements. Each part ends just before the name of a game's module."""
OF_GAMES = (("bots",), ("api", "rest"), ("api", "shapes"))
"""The folders in which a module with a game's name may belong to that game."""


def test_the_registry_is_the_only_place_below_the_games_that_names_one() -> None:
    """Tests that only the registry and a game's own modules contain the game's name. Adding a game
    then takes one line outside the game's modules."""
    names = {name for game in GAMES.values() for name in (game.slug, game.contract, game.title)} | set(MODULES)
    quoted, imported = {f'"{name}"' for name in names}, {f"{way}{module}" for way in IMPORTS for module in MODULES}
    for folder in ("contracts", "transactions", "indexer", "bots", "sponsor", "api", "replay", "chainboard", "chaos"):
        for path in (TOP / folder).rglob("*.py"):
            within = path.relative_to(TOP).parts[:-1]
            if path.parent.name not in ("games", "rules") and (within not in OF_GAMES or path.stem not in MODULES):
                assert named(quoted | imported, path) == []
    page = TOP / "frontend-static"
    for path in page.rglob("*.js"):
        first, *inner = path.relative_to(page).parts
        if first != "games" or inner[0] == "shared":
            assert named(quoted, path) == []
    assert Path(registry).read_text("utf-8").count("touche_coule") == 1
