"""Tests that clients can set nicknames over HTTP on several servers that share a database. The
signatures are real."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import httpx
import pytest
from eth_account import Account
from eth_account.messages import encode_typed_data

from api.names.skeleton import plain_skeleton
from api.rest.nicknames import CLIENT_PER_HOUR, TYPES
from indexer.model import Json
from tests.api.playground import CHAIN, ApiServer, Playground, served
from tests.api.rest.test_refusals import problem

PAGE = (Path(__file__).parents[3] / "docs" / "how-to" / "write-a-client.md").read_text("utf-8")
ANNA, BERT = (Account.from_key(f"0x{n:064x}") for n in (1, 2))
ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
"""The order of the curve secp256k1."""
NOW = int(time.time())
"""The time of the first signature. Later signatures claim to be some seconds later."""


def signed(account: Any, name: str, issued: int = NOW, *, by: Any = None, chain_id: int = CHAIN.chain_id) -> Json:
    """Return a request for the account's nickname. `by` is the account that signs the request. By
    default, the account itself signs."""
    message = {"account": account.address, "name": name, "issued": issued}
    domain = {"name": "Chainboard", "version": "1", "chainId": chain_id}
    signature = (by or account).sign_message(encode_typed_data(domain, TYPES, message)).signature
    return {**message, "signature": f"0x{signature.hex()}"}


def mirrored(signature: str) -> str:
    """Return the second valid signature of the same account for the same message. Unlike the usual
    signature, it has a high `s`."""
    s, v = ORDER - int(signature[66:130], 16), {"1b": "1c", "1c": "1b"}[signature[130:]]
    return f"{signature[:66]}{s:064x}{v}"


async def post(server: ApiServer, body: Any) -> httpx.Response:
    return await server.http.post("/api/nicknames", json=body)


async def kept(server: ApiServer, **query: Any) -> list[Json]:
    found: list[Json] = (await server.http.get("/api/nicknames", params=query)).json()["nicknames"]
    return found


@pytest.fixture
async def other(play: Playground, page: Path) -> AsyncIterator[ApiServer]:
    """Yield a second gateway that uses the same database."""
    async with served(play, page) as it:
        yield it


async def test_a_nickname_is_kept_found_changed_and_taken_back(server: ApiServer, other: ApiServer) -> None:
    first, second = signed(ANNA, "Ann Lee"), signed(BERT, "Макс")
    for body in (first, second):
        answer = await post(server, body)
        assert (answer.status_code, answer.json()) == (200, body)
    both = [ANNA.address, BERT.address.lower(), CHAIN.genesis[:42]]
    assert await kept(other, account=both) == sorted((first, second), key=lambda one: one["account"])
    assert await kept(other, account=[ANNA.address] * 100) == [first]
    for alike in ("ann-lee", "АNN LЕЕ", "Ann Lee", "Ａｎｎ\u3000Lee"):
        assert await kept(server, name=alike) == [first]
    for none in ("Ann", "", "\x00", " -", "Ann Lee 2"):
        assert await kept(server, name=none) == []
    changed = signed(ANNA, "Anna", NOW + 1)
    assert (await post(other, changed)).json() == changed
    assert await kept(server, name="Ann Lee") == []
    gone = signed(ANNA, "", NOW + 2)
    assert (await post(server, gone)).json() == gone
    assert await kept(server, account=ANNA.address) == []
    assert (await post(other, signed(BERT, "ANNA", NOW + 1))).status_code == 200


async def test_the_program_of_the_documentation_checks_one(server: ApiServer) -> None:
    program = dedent(*re.findall(r"^    import json\n.*?(?=^\S)", PAGE, re.DOTALL | re.MULTILINE))
    assert "recover_message" in program
    await post(server, signed(ANNA, "Ann"))
    await asyncio.to_thread(exec, program.replace("127.0.0.1:8000", f"127.0.0.1:{server.port}"), {})


async def test_what_was_signed_before_does_not_count_again(server: ApiServer, play: Playground) -> None:
    old, new = signed(ANNA, "Old name", NOW - 9), signed(ANNA, "New name")
    for body in (old, new):
        await post(server, body)
    for body in (old, new, signed(ANNA, "Third name")):
        problem(await post(server, body), 409, "nickname-superseded")
    assert await kept(server, account=ANNA.address) == [new]
    [found] = play.store.nicknames.all()
    play.store.nicknames.remove(found, plain_skeleton("New name"))
    problem(await post(server, new), 422, "bad-nickname")
    problem(await post(server, old), 409, "nickname-superseded")
    assert await kept(server, account=ANNA.address) == []


async def test_only_the_account_gives_itself_a_name_here_and_now(server: ApiServer) -> None:
    right = signed(ANNA, "Ann Lee")
    forged = [
        signed(ANNA, "Ann Lee", by=BERT), signed(ANNA, "Ann Lee", chain_id=1), {**right, "name": "Ann Leo"},
        {**right, "account": BERT.address}, {**right, "issued": NOW - 1}, {**right, "signature": "0x"},
        {**right, "signature": "rubbish"}, {**right, "signature": right["signature"][:-2] + "ff"},
        {**right, "signature": right["signature"].replace("0x", "0X")},
        {**right, "signature": mirrored(right["signature"])},
    ]  # fmt: skip
    for body in forged:
        found = problem(await post(server, body), 403, "nickname-unsigned")
        assert "contract" in found["detail"]
    # NOW could be too old here: it is the time when pytest collected the tests
    now = int(time.time())
    for issued, key in ((now - 3700, "old"), (now + 700, "future"), (0, "old"), (2**60, "future")):
        answer = await post(server, {**right, "issued": issued})
        assert problem(answer, 422, "nickname-time")["key"] == f"nickname-time.{key}"
    assert await kept(server, account=ANNA.address) == []


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("x" * 10_000, "long"), ("ab\u202ecd", "character"), ("Ann😀", "character"), ("Calm Ibis", "account"),
        ("the admin", "blocked"), ("аnn", "scripts"), (" Ann  Lee", "form"), ("Zoe\u0308", "form"), ("ab", "short"),
        ("Rude Man", "blocked"), ("r.u.d.e", "blocked"), ("ruԁe", "scripts"), ("Bad Guy Tom", "blocked"),
        ("ru-de man", "blocked"), ("Rude1", "blocked"), ("Rüde", "blocked"),
    ],
)  # fmt: skip
async def test_a_bad_name_is_refused_although_it_is_signed(
    server: ApiServer, play: Playground, name: str, key: str
) -> None:
    for word in ("rude", "bad guy"):
        play.store.nicknames.block(plain_skeleton(word), word)
    found = problem(await post(server, signed(ANNA, name)), 422, "bad-nickname")
    assert found["key"] == f"bad-nickname.{key}"
    if key == "form":
        assert (await post(server, signed(ANNA, found["name"]))).json()["name"] == found["name"]


async def test_nobody_takes_anothers_name_or_what_looks_like_it(server: ApiServer) -> None:
    await post(server, signed(ANNA, "Coco"))
    for name in ("Coco", "сосо", "C0C0", "co-co"):
        problem(await post(server, signed(BERT, name)), 409, "nickname-taken")
    assert (await post(server, signed(ANNA, "COCO", NOW + 1))).status_code == 200, "its own, written otherwise"


async def test_of_two_who_want_a_name_at_once_one_has_it(server: ApiServer, other: ApiServer) -> None:
    wanted = (post(server, signed(ANNA, "Coco")), post(other, signed(BERT, "сосо")))
    assert sorted(one.status_code for one in await asyncio.gather(*wanted)) == [200, 409]
    assert len(await kept(server, account=[ANNA.address, BERT.address])) == 1


@pytest.mark.parametrize("body", [[], 7, "Ann", {}, {"account": ANNA.address}, {**signed(ANNA, "Ann"), "name": 1}])
async def test_a_body_that_is_no_request_is_refused(server: ApiServer, body: Any) -> None:
    assert problem(await post(server, body), 422, "bad-parameter")["key"] == "bad-parameter.nickname"


async def test_what_is_no_json_is_refused(server: ApiServer) -> None:
    headers = {"content-type": "application/json"}
    problem(await server.http.post("/api/nicknames", content=b"{", headers=headers), 400, "malformed-json")
    problem(await server.http.post("/api/nicknames", content=b"{}"), 415, "not-json")
    problem(
        await post(server, {"account": "0x12", **signed(ANNA, "Ann"), "name": "x" * 200_000}), 413, "body-too-large"
    )
    problem(await post(server, {**signed(ANNA, "Ann"), "account": "0x12"}), 422, "bad-parameter")
    elsewhere = {"origin": "https://example.org"}
    answer = await server.http.post("/api/nicknames", json=signed(ANNA, "Ann"), headers=elsewhere)
    problem(answer, 403, "foreign-origin")


async def test_a_network_address_sets_few_names_an_hour(server: ApiServer) -> None:
    for n in range(CLIENT_PER_HOUR):
        assert (await post(server, signed(ANNA, "Ann", NOW + n))).status_code == 200
    answer = await post(server, signed(ANNA, "Ann", NOW + CLIENT_PER_HOUR))
    assert problem(answer, 429, "nicknames-too-often")["args"] == {"n": CLIENT_PER_HOUR}
    assert answer.headers["retry-after"] == "3600"


async def test_all_together_set_so_many_a_minute(
    server: ApiServer, page: Path, play: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    del server
    monkeypatch.setattr("api.rest.nicknames.ALL_PER_MINUTE", 1)
    async with served(play, page) as few:
        for _ in range(3):  # requests with a wrong signature don't count towards the limit
            problem(await post(few, signed(ANNA, "Ann", by=BERT)), 403, "nickname-unsigned")
        assert (await post(few, signed(ANNA, "Ann"))).status_code == 200
        answer = await post(few, signed(BERT, "Bert"))
    assert problem(answer, 429, "nicknames-too-often")["key"] == "nicknames-too-often.all"
