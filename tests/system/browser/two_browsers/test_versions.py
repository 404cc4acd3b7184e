"""Tests that an operator can deploy a changed contract next to the old contract. Open pages
continue a running match under the old rules, and a rematch uses the new rules. The changed contract
comes from a modified copy of the repository."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from chainboard.chain.deployment import known_deployments
from chainboard.settings import Settings
from chaos.process.ports import reserved_port
from indexer.model import Deployment
from tests.support.page.browser import launch, playwright
from tests.support.page.same_boards import PageErrors, board_of, hashes_of, opened, same_everywhere
from tests.support.server import run, up
from tests.system.browser.two_browsers.test_tic_tac_toe import CHALLENGER_WINS, DRAWN, play
from tests.system.checkout import make_newer_checkout, run_in

OLD, NEW = "tic-tac-toe/1", "tic-tac-toe/2"
BEFORE = 3
"""The number of moves that the players make before the operator deploys the changed contract."""


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_newer_checkout(tmp_path_factory.mktemp("newer"))


def of_tic_tac_toe(data: Path) -> list[Deployment]:
    return [one for one in known_deployments(Settings(data)) if one.game == "tic-tac-toe"]


def functions(deployment: Deployment) -> set[str]:
    return {one["name"] for one in deployment.abi if one["type"] == "function"}


def until_live(page: Page) -> None:
    page.wait_for_function("() => window.chainboard.state.line === 'live'")


@pytest.mark.timeout(300, func_only=True)  # the test first compiles the copy of the repository
def test_a_match_is_played_to_its_end_in_the_old_version_while_another_opens_in_the_new_one(
    newer: Path, tmp_path: Path
) -> None:
    page_errors: PageErrors = []
    with reserved_port() as free, playwright() as it, launch(it) as one, launch(it) as other:
        port = ("--port", str(free))
        with up(tmp_path, *port) as server:
            [old] = of_tic_tac_toe(tmp_path)
            host, challenger = (opened(server, each.new_page(), page_errors) for each in (one, other))
            host.click("#play-tic-tac-toe:not([disabled])")
            host.wait_for_selector(f"main[data-match='{OLD}']")
            challenger.goto(f"{server.url}/#/match/{OLD}")
            challenger.click("#action-accept:not([disabled])")
            play(OLD, CHALLENGER_WINS[:BEFORE], host, challenger, mouse=host)
            expect(host.locator("#action-offerRestart")).to_be_visible()
            assert page_errors == []

        deployed = run_in(newer, "chainboard", "deploy", "--data", str(tmp_path))
        assert deployed.returncode == 0, deployed.stderr
        assert f"tic-tac-toe: TicTacToe at {old.address}, matches from 1 to 1" in deployed.stderr
        [before, after] = of_tic_tac_toe(tmp_path)
        assert (before.identity, before.end_match, after.first_match) == (old.identity, 2, 2)
        assert functions(after) - functions(before) == {"version"}

        with up(tmp_path, *port, top=newer) as server:
            assert of_tic_tac_toe(tmp_path) == [before, after]
            info = next(each for each in server.get("/api/games")["games"] if each["slug"] == "tic-tac-toe")
            assert [each["address"] for each in info["deployments"]] == [before.address, after.address]
            assert info["address"] == after.address
            for page in (host, challenger):
                until_live(page)
            page_errors.clear()  # ignore the errors that the restart of the server caused
            expect(host.locator("#action-resign")).to_be_visible()
            expect(host.locator("#action-offerRestart")).to_have_count(0)
            play(OLD, CHALLENGER_WINS, host, challenger, mouse=host, begin=BEFORE)
            expect(host.locator("#banner")).to_contain_text("You lost")
            expect(challenger.locator("#banner")).to_contain_text("You won")
            [held] = {board_of(page, OLD)["hash"] for page in (host, challenger)}
            assert held == server.get(f"/api/matches/{OLD}")["hash"]

            # The rematch must open in the new contract, because the indexer ignores matches that
            # open in the old contract after the upgrade.
            challenger.click("#rematch:not([disabled])")
            challenger.wait_for_selector(f"main[data-match='{NEW}']")
            host.click("#to-rematch:text('Accept rematch')")
            play(NEW, DRAWN, challenger, host, mouse=host)
            for page in (host, challenger):
                expect(page.locator("#banner")).to_contain_text("A draw")
            assert page_errors == []
            same_everywhere(server, tmp_path, {NEW: [hashes_of(page, NEW) for page in (host, challenger)]})
            done = run("verify", "--data", str(tmp_path))
            assert done.stdout.startswith("Verified"), done.stdout + done.stderr
