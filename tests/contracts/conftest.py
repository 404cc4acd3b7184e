"""Fixtures for the contract tests. The tests in a module share a chain, and each test opens its own
matches.

A module names its game's contract in `CONTRACT`. Modules and tests with the marker `anvil` run on a
real Anvil node. All other tests run on an EVM inside the test process.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.artifacts import Artifact, load
from tests.contracts.support.anvil import AnvilNode
from tests.contracts.support.contract import Contract, deploy_game
from tests.contracts.support.in_process.evm import Evm
from tests.contracts.support.node import Node


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Choose the type of node for a test. If a module's tests need both types, the module gets one
    chain of each type."""
    if "kind_of_node" in metafunc.fixturenames:
        kind = AnvilNode if metafunc.definition.get_closest_marker("anvil") else Evm
        metafunc.parametrize("kind_of_node", [pytest.param(kind, id=pytest.HIDDEN_PARAM)], scope="module")


@pytest.fixture(scope="module")
def node(kind_of_node: type[AnvilNode | Evm]) -> Iterator[Node]:
    chain = kind_of_node(140)
    yield chain
    chain.close()


@pytest.fixture(scope="module")
def artifact(request: pytest.FixtureRequest) -> Artifact:
    """Return the contract that the module tests. A mutation test (`mutation/mutants.py`) replaces
    it by a copy with a planted defect."""
    planted = os.environ.get("CHAINBOARD_TEST_ARTIFACT")
    return (
        Artifact(**json.loads(Path(planted).read_text("utf-8"))["contract"])
        if planted
        else load(request.module.CONTRACT)
    )


@pytest.fixture(scope="module")
def deployed(node: Node, artifact: Artifact) -> tuple[Contract, Contract]:
    return deploy_game(node, artifact)


@pytest.fixture(scope="module")
def sessions(deployed: tuple[Contract, Contract]) -> Contract:
    return deployed[0]


@pytest.fixture(scope="module")
def game(deployed: tuple[Contract, Contract]) -> Contract:
    return deployed[1]
