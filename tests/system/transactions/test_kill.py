"""Tests of programs that send transactions from one account. Some programs are killed while they
send, and others send at the same time."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random

import pytest

from chaos.process.forkserver import CONTEXT
from tests.system.transactions.sending_program import KILL_MOMENTS, call_data, run
from tests.transactions.chain import FundedAnvil, chain

KILLS = int(os.environ.get("SENDING_KILLS", "20"))
FEW = 7
"""A number of kills that is large enough to include each of the moments."""
LIFE_SECONDS = 60


@pytest.fixture
async def it(tmp_path: Path) -> AsyncIterator[FundedAnvil]:
    async with chain(tmp_path) as found:
        yield found


def begun(it: FundedAnvil, *arguments: object) -> BaseProcess:
    """Start the sending program in a separate process, which is forked after all imports so that it
    starts quickly."""
    found = (it.node.url, str(it.folder / "journal.db"), it.key, *map(str, arguments))
    process = CONTEXT.Process(target=run, args=found, daemon=True)
    process.start()
    return process


def end(process: BaseProcess) -> int | None:
    process.join(LIFE_SECONDS)
    return process.exitcode


@pytest.mark.timeout(20 * KILLS + 60)
@pytest.mark.parametrize("kills", [FEW, pytest.param(KILLS, marks=pytest.mark.soak)], ids=["few", "many"])
async def test_killed_between_reserving_and_sending(it: FundedAnvil, kills: int) -> None:
    """Tests a series of processes. Each process except the last is killed at a random transaction.
    Each process starts again at the first key, and each transaction must be sent once."""
    random, last = Random(5), 3 * kills - 1  # every kill comes before the last key
    for number in range(kills):
        kill_at, moment = random.randint(1, 3), KILL_MOMENTS[number % len(KILL_MOMENTS)]
        life = begun(it, 0, last, kill_at, moment)
        assert end(life) == -signal.SIGKILL, (number, kill_at, moment)
    assert end(begun(it, 0, last)) == 0
    found = await it.sent()
    assert found == [(number, call_data(number)) for number in range(last + 1)]


async def test_two_processes_with_one_account(it: FundedAnvil) -> None:
    """Tests two processes that send at the same time from one account. Their ranges of keys have
    ten keys in common, whose transactions must be sent only once."""
    both = [begun(it, 0, 19), begun(it, 10, 29)]
    assert [end(one) for one in both] == [0, 0]
    found = await it.sent()
    assert [nonce for nonce, _data in found] == list(range(30))
    assert sorted(some for _nonce, some in found) == [call_data(number) for number in range(30)]
