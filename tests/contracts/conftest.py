"""Fixtures for the contract tests: a chain per module, on which each test opens its own matches.

A module names its game's contract in `CONTRACT`. Modules and tests with the marker `anvil` run on a
real Anvil node, and all others run on the EVM in this process.
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
    """Choose the kind of node. A module with tests of both kinds has one chain of each kind."""
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
    """The module's game contract, or a copy in which `mutation/mutants.py` has planted a defect."""
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
