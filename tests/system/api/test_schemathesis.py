"""Tests a complete server with requests that Schemathesis generates from the OpenAPI document. The
document allows some of these requests and forbids the rest."""

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
"""A strategy that generates addresses with valid checksums. Schemathesis can't generate them by
itself, because a JSON schema can't describe the checksum."""
schemathesis.openapi.format("address", ADDRESSES)
load_all_checks()
schema: Any = schemathesis.openapi.from_dict({**document(), "servers": [{"url": "/api"}]})
"""The OpenAPI document. The test must set the server URL `/api`, because Schemathesis normally
takes the server from the URL of the document."""
bounded = settings(
    max_examples=12, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
longer = settings(bounded, max_examples=100)
OF_A_MATCH = sorted(path for path, methods in document()["paths"].items() if "{id}" in path and "get" in methods)
"""The GET routes for one match. A route without `{game}` in its path belongs to Conquest."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server with two matches: touche-coule/1, which two players have begun, and
    conquest/1, which is open."""
    data = tmp_path_factory.mktemp("schemathesis")
    with up_deployed(data) as it:
        assert ConquestTable(it, data).opened() == 1
        for player in (1, 2):
            play(it, node_url(data), player, "register", 1)
        play(it, node_url(data), 1, "turn", 1, 0)
        yield it


def ask(case: Case, server: Server) -> int:
    """Send the request to the server, run the checks that apply to this request, and return the
    response's status code."""
    answer = case.call(base_url=f"{server.url}/api")
    excluded = []
    if case.path == "/rpc":  # JSON-RPC reports a bad request with status 200
        excluded.append(negative_data_rejection)
    if answer.status_code == 400 and answer.json()["code"] in (
        "bad-cursor",
        "bad-index",
    ):  # the server accepts only cursors and indexes from its earlier responses
        excluded.append(positive_data_acceptance)
    # which fields a command needs depends on its type; the document explains this only in prose
    if case.path.endswith("/prepare") and answer.status_code == 422:
        excluded.append(positive_data_acceptance)
    asked = set(case.query or {})
    if asked >= {"seq", "block"} or asked >= {
        "player",
        "opponent",
    }:  # the server accepts either of the two parameters, but not both
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
    """Tests that responses about an existing match conform to the document. Replay routes have no
    parameters, so no requests with invalid parameters are sent to these routes."""
    operation = schema[path]["GET"]
    parameters = {"game": "touche-coule", "id": 1} if "{game}" in path else {"id": 1}
    found = set()

    @given(case=operation.as_strategy(mode, path_parameters=parameters))
    @bounded
    def asked(case: Case) -> None:
        found.add(ask(case, server))

    asked()
    assert (200 if mode == GenerationMode.POSITIVE else 422) in found
