"""Schemathesis generates requests from the OpenAPI document and sends them to a complete server.
The document allows some of these requests and forbids others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from eth_utils.address import to_checksum_address
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import load_all_checks
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from tests.api.openapi.test_document import document
from tests.support.conquest.table import ConquestTable
from tests.support.players import play
from tests.support.server import Server, node_url, up_deployed

ADDRESSES = st.binary(min_size=20, max_size=20).map(lambda raw: to_checksum_address("0x" + raw.hex()))
"""A strategy that generates addresses with valid checksums. A JSON schema can't describe this
checksum."""
schemathesis.openapi.format("address", ADDRESSES)
load_all_checks()
schema: Any = schemathesis.openapi.from_dict({**document(), "servers": [{"url": "/api"}]})
"""The OpenAPI document. Its server URL `/api` is relative and must be set here, because the
document isn't loaded from a URL."""
bounded = settings(
    max_examples=12, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
longer = settings(bounded, max_examples=100)
OF_A_MATCH = sorted(path for path, methods in document()["paths"].items() if "{id}" in path and "get" in methods)
"""The GET routes for one match. Routes without `{game}` in their paths belong to Conquest."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server with two matches: touche-coule/1, which has begun, and conquest/1."""
    data = tmp_path_factory.mktemp("schemathesis")
    with up_deployed(data) as it:
        assert ConquestTable(it, data).opened() == 1
        for player in (1, 2):
            play(it, node_url(data), player, "register", 1)
        play(it, node_url(data), 1, "turn", 1, 0)
        yield it


def ask(case: Case, server: Server) -> int:
    """Send the request, run the applicable checks, and return the status code."""
    answer = case.call(base_url=f"{server.url}/api")
    excluded = []
    if case.path == "/rpc":  # JSON-RPC answers a bad request with status 200
        excluded.append(negative_data_rejection)
    if answer.status_code == 400 and answer.json()["code"] in (
        "bad-cursor",
        "bad-index",
    ):  # the server accepts only values from its earlier responses
        excluded.append(positive_data_acceptance)
    # the document describes in prose which fields each type needs
    if case.path.endswith("/prepare") and answer.status_code == 422:
        excluded.append(positive_data_acceptance)
    asked = set(case.query or {})
    if asked >= {"seq", "block"} or asked >= {
        "player",
        "opponent",
    }:  # the server accepts one of the two parameters, but not both
        excluded.append(positive_data_acceptance)
    case.validate_response(answer, excluded_checks=excluded)
    return int(answer.status_code)


@schema.parametrize()
@bounded
def test_the_server_does_what_its_document_says(case: Case, server: Server) -> None:
    ask(case, server)


@pytest.mark.soak
@schema.parametrize()
@longer
def test_the_server_does_what_its_document_says_in_a_longer_run(case: Case, server: Server) -> None:
    ask(case, server)


@pytest.mark.parametrize(
    ("path", "mode"),
    [(path, GenerationMode.POSITIVE) for path in OF_A_MATCH]
    + [(path, GenerationMode.NEGATIVE) for path in OF_A_MATCH if not path.endswith("/replay")],
)
def test_the_server_does_what_its_document_says_about_an_existing_match(
    path: str, mode: GenerationMode, server: Server
) -> None:
    """Replay routes are left out of the tests with invalid parameters, because they have no
    parameters."""
    operation = schema[path]["GET"]
    parameters = {"game": "touche-coule", "id": 1} if "{game}" in path else {"id": 1}
    found = set()

    @given(case=operation.as_strategy(mode, path_parameters=parameters))
    @bounded
    def asked(case: Case) -> None:
        found.add(ask(case, server))

    asked()
    assert (200 if mode == GenerationMode.POSITIVE else 422) in found
