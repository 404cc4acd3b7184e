"""Tests of deployments that are killed at many moments. The next run must complete the deployment
without paying for a transaction twice."""

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
"""The name of the data folder for the runs that the test kills."""


def nth_transaction(number: int) -> Call:
    """Return a function that returns True for the call that sends the n-th transaction, and False
    for all other calls."""
    sent = itertools.count(1)
    return lambda method, _params: method == "eth_sendRawTransaction" and next(sent) == number


async def deploy_until_killed(operator: Site, kills: Call, kill_after_call: bool = False, data: str = "data") -> None:
    operator.kills, operator.kill_after_call = kills, kill_after_call
    ended = await operator.deploy("--yes", data=data)
    assert ended.code == -signal.SIGKILL, ended.text


@pytest.mark.soak
@pytest.mark.timeout(300)
async def test_killed_at_each_transaction_it_is_paid_once(tmp_path: Path) -> None:
    """Tests that a deployment pays for each transaction once, although it is killed at each
    transaction. The addresses and the total gas must equal those of a run without kills. Half of
    the kills come after the chain has received the transaction, and half before."""
    async with site(tmp_path / "whole", 0) as whole:
        await whole.fund(ETHER)
        assert (await whole.deploy("--yes")).code == 0
        _, nonces = await whole.spent()
        gas = await whole.gas_used()
        manifest = whole.manifest()
    async with site(tmp_path / "broken", 0) as operator:
        await operator.fund(ETHER)
        times = 0
        while True:
            operator.kill_after_call = times % 2 == 1
            # Kill one run at its first transaction and the next run at its second, alternately.
            operator.kills = nth_transaction(1 + times % 2)
            ended = await operator.deploy("--yes")
            if ended.code == 0:
                break
            assert ended.code == -signal.SIGKILL, ended.text
            times += 1
        assert times >= TRANSACTIONS / 2
        assert (await operator.spent())[1] == nonces == TRANSACTIONS
        assert await operator.gas_used() == gas
        again = operator.manifest()
        assert again is not None
        assert manifest is not None
        assert [one["address"] for one in again["games"]] == [one["address"] for one in manifest["games"]]
        head = await operator.chain.height()
        assert all(0 < one["height"] <= head for one in (*again["games"], *again["libraries"], again["sessions"]))
        assert operator.verification_files() == expected_files(operator.entries())


@pytest.mark.timeout(400)
async def test_deployment_killed_after_the_last_receipt_records_its_contracts(tmp_path: Path) -> None:
    """Tests a deployment that is killed twice after all receipts. The first run is killed before it
    writes the manifest, and the second run before it writes the files for Sourcify. The third run
    must write the missing files without paying."""
    async with site(tmp_path) as operator:
        await operator.fund(ETHER)
        await deploy_until_killed(operator, lambda _method, _params: len(operator.receipts) == TRANSACTIONS)
        assert operator.manifest() is None
        paid = await operator.spent()
        assert paid[1] == TRANSACTIONS
        await deploy_until_killed(operator, lambda _method, _params: operator.manifest() is not None)
        assert operator.verification_files() == set()
        ended = await operator.deploy("--yes")
        assert ended.code == 0, ended.text
        assert operator.verification_files() == expected_files(operator.entries())
        assert await operator.spent() == paid


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_newer_checkout(tmp_path_factory.mktemp("newer"))


def versions(operator: Site, data: str = BROKEN) -> list[Json]:
    manifest = operator.manifest(data)
    assert manifest is not None
    return [one for one in manifest["games"] if one["game"] == GAME]


async def match_range(operator: Site, entry: Json) -> tuple[int, int]:
    """Return the number of the contract's first match, and the number of the next match that the
    contract will open."""
    call = {"to": entry["address"], "data": encode_call(entry["abi"], "matchRange", ())}
    answer = await operator.chain.request("eth_call", call, "latest")
    first, end = decode_result(entry["abi"], "matchRange", 0, answer)
    return first, end


async def open_match(operator: Site, entry: Json) -> None:
    [sender, *_] = await operator.chain.request("eth_accounts")
    data = encode_call(entry["abi"], "create", (Account.create().address, 0))
    call = {"from": sender, "to": entry["address"], "data": data, "gas": hex(10**6)}
    hash = await operator.chain.request("eth_sendTransaction", call)
    receipt = await wait_for_async(
        lambda: operator.chain.request("eth_getTransactionReceipt", hash), bool, "the block of a transaction"
    )
    assert receipt["status"] == "0x1"


def counts_matches(operator: Site) -> Call:
    """Return a function that returns True for the call that requests the old contract's range of
    match numbers."""
    [old] = versions(operator)
    question = {"to": old["address"], "data": encode_call(old["abi"], "matchRange", ())}
    return lambda method, params: method == "eth_call" and params[0] == question


def starts_are_written(operator: Site) -> Call:
    return lambda _method, _params: "starts" in (operator.manifest(BROKEN) or {})


def has_receipt(operator: Site) -> Call:
    return lambda _method, _params: bool(operator.receipts)


def manifest_is_written(operator: Site) -> Call:
    return lambda _method, _params: len(versions(operator)) == 2


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
"""The moments at which a test kills a run. The flag is True if the chain receives the current call
before the kill."""


@pytest.mark.parametrize(
    "moments",
    [((is_sent, False), (has_receipt, False)), pytest.param(MOMENTS, marks=pytest.mark.soak)],
    ids=["two", "all"],
)
@pytest.mark.timeout(900)
async def test_changed_contract_is_deployed_once_despite_kills(
    tmp_path: Path, newer: Path, moments: Sequence[tuple[Callable[[Site], Call], bool]]
) -> None:
    """Tests that a changed contract is deployed only once, despite kills. The old contract gets one
    match before the upgrade, and another match after the killed run. All moments start from the
    same state."""
    async with site(tmp_path) as operator:
        await operator.fund(ETHER)
        assert (await operator.deploy("--yes", data=BROKEN)).code == 0
        await open_match(operator, versions(operator)[0])
        operator.checkout = newer
        shutil.copytree(tmp_path / BROKEN, tmp_path / "before")
        for pick_call, kill_after_call in moments:
            snapshot = await operator.chain.request("evm_snapshot")
            await check_deployed_once(operator, pick_call(operator), kill_after_call)
            await operator.chain.request("evm_revert", snapshot)
            shutil.rmtree(tmp_path / BROKEN)
            shutil.copytree(tmp_path / "before", tmp_path / BROKEN)


async def check_deployed_once(operator: Site, kills: Call, kill_after_call: bool) -> None:
    [old], before, paid = versions(operator), operator.verification_files(BROKEN), await operator.spent()
    await deploy_until_killed(operator, kills, kill_after_call, BROKEN)
    await open_match(operator, old)
    ended = await operator.deploy("--yes", data=BROKEN)
    assert ended.code == 0, ended.text
    [kept, new] = versions(operator)
    assert {**kept, "end_match": None} == old
    assert (new["first_match"], new["end_match"]) == (kept["end_match"], None)
    assert (await match_range(operator, new))[0] == new["first_match"] in (2, 3)
    assert new["first_match"] <= (await match_range(operator, old))[1] == 3
    assert "starts" not in (operator.manifest(BROKEN) or {})
    assert operator.verification_files(BROKEN) == before | expected_files([new])
    assert len(before) == len(expected_files(operator.entries(BROKEN))) - 2
    assert (await operator.spent())[1] == paid[1] + 1
    again = await operator.spent()
    assert (await operator.deploy("--yes", data=BROKEN)).code == 0
    assert await operator.spent() == again
