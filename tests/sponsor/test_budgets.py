"""Tests that the ledger keeps the remaining budgets correct across restarts, at midnight and with
wrong clocks."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, strategies

from sponsor.budgets import DAY, Budgets, BudgetSpent, Spent, allowance, seconds_to_next
from sponsor.ledger import Claim, Grant, Ledger, LedgerError, Recipient, RecipientChanged

BUDGETS = Budgets(day=10_000, game=6_000, network=4_000, address=1_000)
NOON = 20_000 * DAY + DAY / 2
NEW = Recipient(0, 0, 0, None)
CHAIN, SENDER = "1:0xaa", "0xsender"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with closing(Ledger(tmp_path / "sponsor.db", CHAIN, BUDGETS)) as it:
        yield it


def claim(number: int, network: str = "192.0.2.1", game: str = "chess") -> Claim:
    return Claim(f"0x{number:040x}", network, game)


def reserve(ledger: Ledger, claim: Claim, wanted: int = 900, now: float = NOON) -> Grant:
    seen = ledger.recipient(claim.address) or NEW
    return ledger.reserve(now, SENDER, claim, wanted, 100, 10, seen)


def refusal(ledger: Ledger, claim: Claim, now: float = NOON) -> str:
    with pytest.raises(BudgetSpent) as spent:
        reserve(ledger, claim, now=now)
    return spent.value.limit


amounts = strategies.integers(0, 10**20)


@given(amounts, amounts, amounts, amounts, amounts, amounts)
def test_never_grants_more_than_any_budget_leaves(
    day: int, spent: int, wanted: int, minimum: int, cost: int, part: int
) -> None:
    budgets = Budgets.of(day, part, part, part)
    assert max(budgets.game, budgets.network, budgets.address) <= day
    try:
        found = allowance(budgets, Spent(spent, spent, spent, spent), wanted, minimum, cost)
    except BudgetSpent:
        assert wanted == 0 or min(budgets.day, part) - spent - cost < max(1, min(minimum, wanted))
    else:
        assert 0 < found <= wanted
        assert found + cost + spent <= min(budgets.day, budgets.game, budgets.network, budgets.address)


def test_grants_what_is_left_while_it_pays_for_a_move(ledger: Ledger) -> None:
    assert reserve(ledger, claim(1)).value == 900
    assert refusal(ledger, claim(1)) == "address"
    assert reserve(ledger, claim(2), 5_000).value == 990


def test_each_budget_is_kept_by_itself(ledger: Ledger) -> None:
    for number in range(4):
        reserve(ledger, claim(number), 990)
    assert refusal(ledger, claim(9)) == "network"
    assert reserve(ledger, claim(9, "192.0.2.2"), 990).reserved == 1_000
    assert reserve(ledger, claim(10, "192.0.2.2"), 990).reserved == 1_000
    assert refusal(ledger, claim(11, "192.0.2.3")) == "game"
    for number in range(4):
        reserve(ledger, claim(20 + number, f"198.51.100.{number}", "go"), 990)
    assert refusal(ledger, claim(30, "203.0.113.1", "draughts")) == "day"
    assert ledger.spent(NOON) == BUDGETS.day


def test_a_restart_grants_no_second_budget(tmp_path: Path) -> None:
    for number in range(4):
        with closing(Ledger(tmp_path / "sponsor.db", CHAIN, BUDGETS)) as ledger:
            reserve(ledger, claim(number), 990)
    with closing(Ledger(tmp_path / "sponsor.db", CHAIN, BUDGETS)) as ledger:
        assert refusal(ledger, claim(9)) == "network"
        assert [one.address for one in ledger.open_grants(SENDER)] == [claim(number).address for number in range(4)]
    with closing(Ledger(tmp_path / "sponsor.db", "2:0xbb", BUDGETS)) as other:  # a ledger for a different chain
        assert other.spent(NOON) == 0


def test_a_day_ends_at_midnight_and_never_comes_back(ledger: Ledger) -> None:
    midnight = 20_001 * DAY
    reserve(ledger, claim(1), now=midnight - 1)
    assert refusal(ledger, claim(1), midnight - 0.001) == "address"
    reserve(ledger, claim(1), now=midnight)
    assert refusal(ledger, claim(1), midnight + 1) == "address"
    # the clock is suddenly set back by an hour
    assert refusal(ledger, claim(1), midnight - 1800) == "address"
    assert ledger.day(midnight - 1800) == 20_001
    assert seconds_to_next(20_001, midnight - 1800) == DAY + 1800
    assert ledger.spent(midnight - 1800) == 910


def test_what_was_never_sent_is_free_again_and_what_was_counts_as_paid(ledger: Ledger) -> None:
    first = reserve(ledger, claim(1))
    ledger.settle(first, 0)
    ledger.settle(first, 905)  # a grant is settled only once, so this has no effect
    assert ledger.spent(NOON) == 0
    assert ledger.recipient(first.address) == NEW
    second = reserve(ledger, claim(1))
    ledger.settle(second, 905)
    assert (ledger.spent(NOON), ledger.open_grant(second.address)) == (905, None)
    found = ledger.recipient(second.address)
    assert found is not None
    assert found.unspent == 900


def test_a_transfer_that_failed_costs_its_fee_and_gave_nothing(ledger: Ledger) -> None:
    grant = reserve(ledger, claim(1))
    ledger.settle(grant, 7, arrived=False)
    assert (ledger.spent(NOON), ledger.recipient(grant.address)) == (7, NEW)


def test_many_at_once_get_one_budget(tmp_path: Path) -> None:
    """Tests that many requests at the same time share one budget. Each thread has its own ledger,
    as a separate process would."""

    def ask(number: int) -> int:
        with closing(Ledger(tmp_path / "sponsor.db", CHAIN, BUDGETS)) as ledger:
            try:
                return reserve(ledger, claim(number, f"192.0.2.{number}", f"game{number}"), 990).reserved
            except BudgetSpent:
                return 0

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(ask, range(40))) == BUDGETS.day


def test_one_address_gets_no_two_grants_from_two_processes(ledger: Ledger) -> None:
    """Two processes check the budget of the same address before either of them reserves a grant.
    Tests that the address gets only one grant."""
    first = reserve(ledger, claim(1), 300)
    with pytest.raises(RecipientChanged):
        ledger.reserve(NOON, SENDER, claim(1), 300, 100, 10, NEW)
    assert ledger.open_grant(first.address) == first


def test_a_ledger_that_is_none_is_refused_with_its_path(tmp_path: Path) -> None:
    (tmp_path / "sponsor.db").write_bytes(b"no database at all, but long enough to be read as one" * 20)
    with pytest.raises(LedgerError, match=r"sponsor\.db can't be used: "):
        Ledger(tmp_path / "sponsor.db", CHAIN, BUDGETS)


def test_sums_of_the_day_are_exact_and_of_an_index(tmp_path: Path) -> None:
    """Tests that daily sums are exact, even for more wei than an integer in the file can hold. The
    query for a sum reads only the index, not the rows."""
    ether, budgets = 10**18, Budgets(*[10**27] * 4)
    with closing(Ledger(tmp_path / "sponsor.db", CHAIN, budgets)) as ledger:
        amounts = [19 * ether + 1, 999_999_999_999, 1, 10**12, 123_456_789 * ether + 7]
        for number, amount in enumerate(amounts):
            ledger.reserve(NOON, SENDER, claim(number, f"192.0.2.{number % 2}", "chess"), amount, 1, 0, NEW)
        assert ledger.spent(NOON) == sum(amounts)
        with ledger._file.reading() as database:
            spent = ledger._spent(database, int(NOON // DAY), claim(1, "192.0.2.0", "go"))
            queries: list[str] = []
            database.set_trace_callback(queries.append)
            ledger._spent(database, int(NOON // DAY), claim(1))
            database.set_trace_callback(None)
            plan = [row[3] for row in database.execute(f"EXPLAIN QUERY PLAN {queries[0]}")]
        assert spent == Spent(sum(amounts), 0, sum(amounts[::2]), amounts[1])
        assert len(queries) == 1
        assert plan == ["SEARCH grants USING COVERING INDEX of_day (chain=? AND day=? AND state=?)"]


def networks(ledger: Ledger) -> list[str]:
    with ledger._file.reading() as database:
        return [network for (network,) in database.execute("SELECT network FROM grants ORDER BY id")]


def test_network_addresses_are_forgotten_a_week_after_their_day(ledger: Ledger) -> None:
    """Tests that network addresses are deleted a week after their day. The budgets of later days
    and the list of recipients remain."""
    reserve(ledger, claim(1))
    reserve(ledger, claim(2, "192.0.2.2"), now=NOON + DAY)
    ledger.forget_networks(NOON + 7 * DAY)
    assert networks(ledger) == ["192.0.2.1", "192.0.2.2"]
    ledger.forget_networks(NOON + 8 * DAY)
    assert networks(ledger) == ["", "192.0.2.2"]
    assert ledger.recipient(claim(1).address) is not None
    assert [grant.value for grant in ledger.open_grants(SENDER)] == [900, 900]
