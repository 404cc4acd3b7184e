"""A deployment that is killed at any point and run again is complete and pays nothing twice."""

from __future__ import annotations

import itertools
import shutil
import signal
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from eth_account import Account

from contracts.abi import decode_result, encode_call
from indexer.model import Json
from tests.support.waiting import wait_for_async
from tests.system.chain.operator_site import ETHER, TRANSACTIONS, Call, Site, expected_files, site
from tests.system.checkout import make_newer_checkout

GAME = "tic-tac-toe"
BROKEN = "broken"
"""Data folder of a run that was killed."""


def nth_transaction(number: int) -> Call:
    """Pick the call that sends the transaction with this number."""
    sent = itertools.count(1)
    return lambda method, _params: method == "eth_sendRawTransaction" and next(sent) == number


async def killed(it: Site, kills: Call, late: bool = False, data: str = "data") -> None:
    it.kills, it.late = kills, late
    ended = await it.deploy("--yes", data=data)
    assert ended.code == -signal.SIGKILL, ended.text


@pytest.mark.soak
@pytest.mark.timeout(300)
async def test_killed_at_each_transaction_it_is_paid_once(tmp_path: Path) -> None:
    """The gas and the addresses equal those of an uninterrupted run. Every other time, the chain
    already has the transaction."""
    async with site(tmp_path / "whole", 0) as whole:
        await whole.fund(ETHER)
        assert (await whole.deploy("--yes")).code == 0
        _, nonces = await whole.spent()
        gas = await whole.gas_used()
        manifest = whole.manifest()
    async with site(tmp_path / "broken", 0) as it:
        await it.fund(ETHER)
        times = 0
        while True:
            it.late = times % 2 == 1
            it.kills = nth_transaction(1 + times % 2)  # the first remaining one, or the one after it
            ended = await it.deploy("--yes")
            if ended.code == 0:
                break
            assert ended.code == -signal.SIGKILL, ended.text
            times += 1
        assert times >= TRANSACTIONS / 2
        assert (await it.spent())[1] == nonces == TRANSACTIONS
        assert await it.gas_used() == gas
        again = it.manifest()
        assert again is not None
        assert manifest is not None
        assert [one["address"] for one in again["games"]] == [one["address"] for one in manifest["games"]]
        head = await it.chain.height()
        assert all(0 < one["height"] <= head for one in (*again["games"], *again["libraries"], again["sessions"]))
        assert it.verification_files() == expected_files(it.entries())


@pytest.mark.timeout(400)
async def test_killed_after_the_last_receipt_it_notes_what_is_there(tmp_path: Path) -> None:
    """Killed before the manifest is written, and again before the files for Sourcify are."""
    async with site(tmp_path) as it:
        await it.fund(ETHER)
        await killed(it, lambda _method, _params: len(it.receipts) == TRANSACTIONS)
        assert it.manifest() is None
        paid = await it.spent()
        assert paid[1] == TRANSACTIONS
        await killed(it, lambda _method, _params: it.manifest() is not None)
        assert it.verification_files() == set()
        ended = await it.deploy("--yes")
        assert ended.code == 0, ended.text
        assert it.verification_files() == expected_files(it.entries())
        assert await it.spent() == paid


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_newer_checkout(tmp_path_factory.mktemp("newer"))


def versions(it: Site, data: str = BROKEN) -> list[Json]:
    manifest = it.manifest(data)
    assert manifest is not None
    return [one for one in manifest["games"] if one["game"] == GAME]


async def match_range(it: Site, entry: Json) -> tuple[int, int]:
    """First match of a contract, and the number after its last match."""
    call = {"to": entry["address"], "data": encode_call(entry["abi"], "matchRange", ())}
    answer = await it.chain.request("eth_call", call, "latest")
    first, end = decode_result(entry["abi"], "matchRange", 0, answer)
    return first, end


async def open_match(it: Site, entry: Json) -> None:
    [sender, *_] = await it.chain.request("eth_accounts")
    data = encode_call(entry["abi"], "create", (Account.create().address, 0))
    call = {"from": sender, "to": entry["address"], "data": data, "gas": hex(10**6)}
    hash = await it.chain.request("eth_sendTransaction", call)
    receipt = await wait_for_async(
        lambda: it.chain.request("eth_getTransactionReceipt", hash), bool, "the block of a transaction"
    )
    assert receipt["status"] == "0x1"


def counts_matches(it: Site) -> Call:
    """Pick the call that asks for the old contract's matches."""
    [old] = versions(it)
    question = {"to": old["address"], "data": encode_call(old["abi"], "matchRange", ())}
    return lambda method, params: method == "eth_call" and params[0] == question


def starts_are_written(it: Site) -> Call:
    return lambda _method, _params: "starts" in (it.manifest(BROKEN) or {})


def has_receipt(it: Site) -> Call:
    return lambda _method, _params: bool(it.receipts)


def manifest_is_written(it: Site) -> Call:
    return lambda _method, _params: len(versions(it)) == 2


def is_sent(_it: Site) -> Call:
    return nth_transaction(1)


MOMENTS = (
    (counts_matches, False),
    (starts_are_written, False),
    (is_sent, False),
    (is_sent, True),
    (has_receipt, False),
    (manifest_is_written, False),
)
"""Points at which a run is killed. If the flag is true, the chain already has the call."""


@pytest.mark.parametrize(
    "moments",
    [((is_sent, False), (has_receipt, False)), pytest.param(MOMENTS, marks=pytest.mark.soak)],
    ids=["two", "all"],
)
@pytest.mark.timeout(900)
async def test_a_changed_contract_comes_once_wherever_it_is_killed(
    tmp_path: Path, newer: Path, moments: Sequence[tuple[Callable[[Site], Call], bool]]
) -> None:
    """The old contract opens one match before the deployment and one between the runs. Each case
    starts from the same state."""
    async with site(tmp_path) as it:
        await it.fund(ETHER)
        assert (await it.deploy("--yes", data=BROKEN)).code == 0
        await open_match(it, versions(it)[0])
        it.checkout = newer
        shutil.copytree(tmp_path / BROKEN, tmp_path / "before")
        for picks, late in moments:
            snapshot = await it.chain.request("evm_snapshot")
            await comes_once(it, picks(it), late)
            await it.chain.request("evm_revert", snapshot)
            shutil.rmtree(tmp_path / BROKEN)
            shutil.copytree(tmp_path / "before", tmp_path / BROKEN)


async def comes_once(it: Site, kills: Call, late: bool) -> None:
    [old], before, paid = versions(it), it.verification_files(BROKEN), await it.spent()
    await killed(it, kills, late, BROKEN)
    await open_match(it, old)
    ended = await it.deploy("--yes", data=BROKEN)
    assert ended.code == 0, ended.text
    [kept, new] = versions(it)
    assert {**kept, "end_match": None} == old
    assert (new["first_match"], new["end_match"]) == (kept["end_match"], None)
    assert (await match_range(it, new))[0] == new["first_match"] in (2, 3)
    assert new["first_match"] <= (await match_range(it, old))[1] == 3
    assert "starts" not in (it.manifest(BROKEN) or {})
    assert it.verification_files(BROKEN) == before | expected_files([new])
    assert len(before) == len(expected_files(it.entries(BROKEN))) - 2
    assert (await it.spent())[1] == paid[1] + 1
    again = await it.spent()
    assert (await it.deploy("--yes", data=BROKEN)).code == 0
    assert await it.spent() == again
