"""One Anvil for the examples of a module; each test opens matches of its own. A module names its game by `CONTRACT`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.artifacts import Artifact, load
from tests.contracts.support.anvil import AnvilNode
from tests.contracts.support.contract import Contract, deploy_game


@pytest.fixture(scope="module")
def anvil() -> Iterator[AnvilNode]:
    node = AnvilNode(140)
    yield node
    node.close()


@pytest.fixture(scope="module")
def artifact(request: pytest.FixtureRequest) -> Artifact:
    """The module's game; or another one, in which `mutation/mutants.py` has planted a defect."""
    planted = os.environ.get("CHAINBOARD_TEST_ARTIFACT")
    return (
        Artifact(**json.loads(Path(planted).read_text("utf-8"))["contract"])
        if planted
        else load(request.module.CONTRACT)
    )


@pytest.fixture(scope="module")
def deployed(anvil: AnvilNode, artifact: Artifact) -> tuple[Contract, Contract]:
    return deploy_game(anvil, artifact)


@pytest.fixture(scope="module")
def sessions(deployed: tuple[Contract, Contract]) -> Contract:
    return deployed[0]


@pytest.fixture(scope="module")
def game(deployed: tuple[Contract, Contract]) -> Contract:
    return deployed[1]
