"""How the files are dealt out: one worker more than there are cores, as they wait for browsers and chains; the files
that take long first, so that no worker is left alone with one at the end."""

from __future__ import annotations

import os

import pytest

pytest_plugins = ["chaos.pytest_plugin"]

MOST = 4
"""Workers; more would only wait for each other's processors."""

LONG = (
    "tests/frontend/browser/app/test_page.py",
    "tests/frontend/browser/games/test_battleship.py",
    "tests/frontend/browser/chain/test_transactions.py",
    "tests/frontend/browser/account/test_session_keys.py",
    "tests/frontend/browser/history/test_timeline.py",
    "tests/frontend/browser/account/test_keys.py",
    "tests/frontend/browser/chain/test_verification.py",
    "tests/frontend/browser/games/test_tic_tac_toe.py",
    "tests/frontend/browser/games/test_battleship_fleet_editor.py",
    "tests/contracts/shared/test_artifacts.py",
    "tests/contracts/battleship/test_stateful.py",
    "tests/frontend/browser/account/test_injected_wallet.py",
    "tests/contracts/touche_coule/test_cheats.py",
    *(f"tests/chaos/test_seeds_{part}.py" for part in "abcd"),
    "tests/system/commands/test_verify.py",
    "tests/system/two_browsers/test_touche_coule.py",
    "tests/repository/test_sixth_game.py",
    "tests/transactions/test_kill.py",
    "tests/frontend/browser/history/test_replay_file.py",
    "tests/contracts/touche_coule/test_stateful.py",
    "tests/replay/test_verify_file.py",
    "tests/contracts/battleship/test_settlement.py",
    "tests/contracts/shared/test_escrow_stateful.py",
)
"""Nearly half a minute and more each, the longest first."""


REAL = ("tests/frontend/", "tests/system/", "tests/replay/", "tests/incidents/")
"""Where whole browsers, processes and chains run side by side: what fails there is tried once more, and the first
failure is printed all the same, as each may be a defect that shows seldom."""


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:  # noqa: ARG001
    return min(MOST, (os.cpu_count() or 1) + 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith(REAL):
            item.add_marker(pytest.mark.flaky(reruns=1))
    items.sort(key=lambda item: _place(item.nodeid.partition("::")[0]))


def _place(file: str) -> int:
    return LONG.index(file) if file in LONG else len(LONG)
