"""How the files are dealt out: one worker more than there are cores, as they wait for browsers and chains; the files
that take long first, so that no worker is left alone with one at the end."""

from __future__ import annotations

import os

import pytest

pytest_plugins = ["chaos.pytest_plugin"]

MOST = 4
"""Workers; more would only wait for each other's processors."""

LONG = (
    "tests/page/test_page.py",
    "tests/page/test_battleship.py",
    "tests/page/test_transactions.py",
    "tests/page/test_session_keys.py",
    "tests/page/test_timeline.py",
    "tests/page/test_keys.py",
    "tests/page/test_checked.py",
    "tests/page/test_tic_tac_toe.py",
    "tests/page/test_battleship_editor.py",
    "tests/contracts/test_artifacts.py",
    "tests/contracts/test_battleship_stateful.py",
    "tests/page/test_injected.py",
    "tests/contracts/test_ruses.py",
    *(f"tests/chaos/test_seeds_{part}.py" for part in "abcd"),
    "tests/chain/test_verify.py",
    "tests/chain/test_two_browsers.py",
    "tests/repository/test_sixth_game.py",
    "tests/sending/test_kill.py",
    "tests/page/test_replay_file.py",
    "tests/contracts/test_touche_coule_stateful.py",
    "tests/chain/test_replay_proof.py",
    "tests/contracts/test_battleship_settlement.py",
    "tests/contracts/test_escrow_stateful.py",
)
"""Nearly half a minute and more each, the longest first."""


REAL = ("tests/page/", "tests/chain/", "tests/stories/")
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
