"""Tests that the games in docs/how-to/add-a-game.md can be added to a copy of the repository and
played. Each game may need only its own files and one line in the list of games."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from chainboard.commands.new_game import new_game
from tests.support.page.browser import launch, playwright
from tests.support.page.input_devices import click_cell
from tests.support.server import Server, up
from tests.system.checkout import TOP, added, make_checkout, run_in

GUIDE = (TOP / "docs" / "how-to" / "add-a-game.md").read_text("utf-8")
GAMES = ("nim", "reversi")
ROWS = re.findall(r"^\| [^|]* \| ([^|]*) \| ([^|]*) \| `([\w./-]*(?:GAME|NAME)[\w./-]*)` \|$", GUIDE, re.MULTILINE)
"""The rows of the guide's table of files. Each row has Nim's file, Reversi's file, and the path in
the repository to which the reader copies the file."""
PARTS = [
    (f"docs/games/{game}/{name}", int(lines), target.replace("GAME", game).replace("NAME", game.capitalize()))
    for *cells, target in ROWS
    for game, cell in zip(GAMES, cells, strict=True)
    for name, lines in re.findall(r"`([\w.]+)` (\d+)", cell)
]
FILES = {source: target for source, _, target in PARTS}
REGISTRY = "indexer/games/__init__.py"
TESTS = (
    "tests/indexer/games/test_nim_reducer.py",
    "tests/contracts/nim/test_rules.py",
    "tests/bots/test_registry.py",
    "tests/bots/test_arena.py",
    "tests/indexer/games/test_reversi_reducer.py",
    "tests/contracts/reversi/test_rules.py",
    "tests/repository/test_games.py",
)
OF_THE_NEW = "nim or reversi or names_one"
"""An expression for pytest's `-k` option. It selects the new games' tests, and one more test. That
test checks that only the registry and a game's own modules contain the game's name."""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the repository to which both games have been added. Nim's files are added
    directly. Reversi's files replace the files of a generated game."""
    copy = make_checkout(tmp_path_factory.mktemp("sixth"))
    skeleton = new_game("reversi", copy)
    assert {target for source, target in FILES.items() if "/reversi/" in source} == {*skeleton} - {REGISTRY}
    for source, target in FILES.items():
        (copy / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(copy / source, copy / target)
    registry = copy / REGISTRY
    registry.write_text(re.sub(r"^\)", '    "nim",\n)', registry.read_text("utf-8"), count=1, flags=re.MULTILINE))
    assert run(copy, "chainboard", "build") == "Compiled: Nim, Reversi\n"
    return copy


def run(checkout: Path, *command: str) -> str:
    done = run_in(checkout, *command)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_guide_names_every_file_of_the_examples() -> None:
    assert set(FILES) == {
        f"docs/games/{game}/{path.name}"
        for game in GAMES
        for path in (TOP / "docs" / "games" / game).iterdir()
        if path.is_file()
    }
    for source, promised, _ in PARTS:
        lines = len((TOP / source).read_text("utf-8").splitlines())
        assert abs(lines - promised) <= 10, (source, lines)


def test_the_files_and_one_line_are_all_it_takes(checkout: Path) -> None:
    output = run(checkout, "pytest", "-n", "0", "-q", "-p", "no:cacheprovider", "-k", OF_THE_NEW, *TESTS)
    assert re.search(r"\b\d{2,} passed", output), output
    assert added(checkout) == [REGISTRY]
    assert sum(1 for line in (checkout / REGISTRY).read_text("utf-8").splitlines() if '"nim"' in line) == 1


@pytest.mark.soak
@pytest.mark.parametrize("game", ["nim", "reversi"])
def test_its_contract_and_its_rules_agree(checkout: Path, game: str) -> None:
    output = run(
        checkout, "pytest", "-n", "0", "-q", "-p", "no:cacheprovider", f"tests/contracts/{game}/test_stateful.py"
    )
    assert re.search(r"\b\d+ passed", output), output


def test_the_page_tests_it_too(checkout: Path) -> None:
    modules = [f"tests/frontend/unit/{name}.test.mjs" for name in ("games/reversi", "games/rules", "i18n/texts")]
    result = subprocess.run(["node", "--test", *modules], cwd=checkout, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout


def test_its_opponents_play_each_other(checkout: Path) -> None:
    output = run(checkout, "chainboard", "arena", "nim", "perfect", "careful", "--games", "40", "--seed", "1")
    # With 21 stones, the first player can always leave a multiple of four, and therefore wins.
    assert re.search(r"perfect opens +20 +0 +0 ", output), output


@pytest.mark.soak
@pytest.mark.parametrize("checker", [("tsc", "-p", "."), ("eslint", "frontend-static")])
def test_their_renderers_are_typed_and_tidy(checkout: Path, checker: tuple[str, ...]) -> None:
    done = subprocess.run(["npx", "--no-install", *checker], cwd=checkout, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def seat(page: Page, number: int) -> None:
    """Wait until the page uses the account that has this seat."""
    player = page.locator(".players [data-player]").nth(number)
    expect(player.locator("[data-hand-over]")).to_have_count(0)


@pytest.mark.soak
def test_it_is_played_in_a_browser_to_its_end(checkout: Path, tmp_path: Path) -> None:
    with up(tmp_path, top=checkout) as server, playwright() as it, launch(it) as browser:
        page_errors: list[str] = []
        page = browser.new_page()
        page.on("pageerror", lambda error: page_errors.append(str(error)))
        page.on(
            "console",
            lambda message: page_errors.append(message.text) if message.type in ("error", "warning") else None,
        )
        page.goto(server.url)
        page.click("#play-nim:not([disabled])")
        page.click("#both-sides")
        expect(page.locator(".players [data-player]")).to_have_count(2)
        play(server, page)
        assert page_errors == []
        output = run(checkout, "chainboard", "verify", "nim/1", "--data", str(tmp_path))
        assert output.startswith("Verified: nim/1, ")
        # The word "alone" would mean that the command compared only the events, not the boards.
        assert "alone" not in output
        assert "took 3, 0 left" in run(checkout, "chainboard", "replay", "nim/1", "--data", str(tmp_path))
        picture = tmp_path / "end.svg"
        run(checkout, "chainboard", "replay", "nim/1", "--data", str(tmp_path), "--export", str(picture))
        assert "<svg" in picture.read_text("utf-8")


@pytest.mark.soak
def test_reversi_is_played_in_a_browser_and_refused_in_the_contracts_words(checkout: Path, tmp_path: Path) -> None:
    with up(tmp_path, top=checkout) as server, playwright() as it, launch(it) as browser:
        page = browser.new_page()
        page.goto(server.url)
        expect(page.locator("#game-reversi .board.small .piece")).to_have_count(4)
        page.click("#play-reversi:not([disabled])")
        click_cell(page, 19, 8)
        expect(page.locator("#board-why")).to_have_text("The game begins when a second player joins.")
        page.click("#both-sides")
        seat(page, 0)
        expect(page.locator("#action-resign")).to_be_enabled()  # the button is enabled when the account has ether
        click_cell(page, 0, 8)
        expect(page.locator("#board-why")).to_have_text("A disc there encloses none of your opponent’s.")
        for ply, cell in enumerate((19, 18, 17)):
            seat(page, ply % 2)
            click_cell(page, cell, 8)
            expect(page.locator("#board .piece")).to_have_count(5 + ply)
        page.click("#action-resign")
        page.click("#action-resign[data-armed]")
        expect(page.locator("#banner")).to_have_attribute("data-reason", "resigned")
        output = run(checkout, "chainboard", "verify", "reversi/1", "--data", str(tmp_path))
        assert output.startswith("Verified: reversi/1, ")


def play(server: Server, page: Page) -> None:
    """Take three stones with each move. The 21 stones last for seven moves, so the first player
    takes the last stones and wins."""
    for ply in range(7):
        seat(page, ply % 2)
        expect(page.locator("#board .piece")).to_have_count(21 - 3 * ply)
        click_cell(page, 18 - 3 * ply, 7)
    expect(page.locator("#banner")).to_be_visible()
    expect(page.locator("#feed")).to_contain_text("took 3, 0 left")
    board = server.get("/api/matches/nim/1")
    assert (board["board"]["status"], board["board"]["reason"], board["board"]["ply"]) == ("finished", "won", 7)
    assert page.evaluate("window.chainboard.boards['nim/1'].hash") == board["hash"]
