"""Tests that a Conquest match ends even if some or all players sleep, which means that they stop
playing.

- Given a match in which some or all players sleep, from the start or from the middle on
  - When the other players continue, or only a stranger settles draws and claims timeouts
    - The match should continue whenever a clock runs out, and end within a limited number of calls
    - A sleeper should never win against a player who is awake, unless that player surrenders
"""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from indexer.rules.conquest_state.chance import NO_HASH, Chance
from indexer.rules.conquest_state.state import CAPITAL, NO_DRAW, NONE
from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.matches.conquest import CLOCK, OPEN, PLAYING, ConquestTable
from tests.support.conquest.maps import random_graph, row_of_lands
from tests.support.conquest.play import random_command

CONTRACT = "Conquest"
PLAYERS = 3
SLEEPERS = [sleepers for count in range(1, PLAYERS + 1) for sleepers in combinations(range(PLAYERS), count)]
FORCED = 3


def anyhow(_chance: Chance) -> bool:
    """Accept any seed. With this function, `wait` plants the same seeds in each run instead of
    using the chain's own hashes."""
    return True


def overslept(table: ConquestTable) -> None:
    """Wait until the mover's clock has run out, and claim the timeout as a stranger."""
    table.wait()
    deadline = table.engine.deadline
    assert deadline <= table.now + CLOCK
    table.late()
    table.call(table.stranger, "claimTimeout")


@pytest.mark.parametrize("sleepers", SLEEPERS, ids=str)
def test_who_sleeps_from_the_start_on_is_out_and_the_others_end_it(game: Contract, sleepers: tuple[int, ...]) -> None:
    table = ConquestTable(game, PLAYERS, row_of_lands(4 * PLAYERS))
    table.settle()
    calls = 0
    while table.engine.status == PLAYING and table.state.alive & sum(1 << seat for seat in sleepers):
        after = table.settled()
        if after.mover in sleepers:
            overslept(table)
        elif after.phase == CAPITAL:
            table.send_command("chooseCapital", land=after.lands(NONE)[0])
        else:
            table.send_command("pass", phaseOnly=False)
        table.wait()
        calls += 1
    assert calls <= PLAYERS * (FORCED + 1)
    awake = [seat for seat in range(PLAYERS) if seat not in sleepers]
    if len(awake) < 2:
        assert table.engine.status != PLAYING
        assert table.state.winner in awake or not awake


@pytest.mark.parametrize("seed", range(4))
def test_who_falls_asleep_later_is_passed_over_and_out(game: Contract, seed: int) -> None:
    """All players stop playing at a random point. Tests that a stranger's calls alone end the
    match."""
    random = Random(seed)
    players = 2 + seed
    table = ConquestTable(game, players, random_graph(random, 4 * players + 2))
    for salt in range(random.randint(10, 40)):
        table.wait(anyhow, salt)
        after = table.settled()
        if after.is_over:
            break
        action, arguments = random_command(after, random)
        if action == "surrender":
            continue
        table.send_command(action, **arguments)
    calls = 0
    while table.engine.status == PLAYING:
        overslept(table)
        calls += 1
    assert calls <= FORCED * players


def test_when_nobody_settles_the_mover_does_with_its_next_command(game: Contract) -> None:
    """Nobody calls `settle`. Tests that each command first settles the pending draw."""
    random = Random(5)
    table = ConquestTable(game, 2, random_graph(random, 9))
    for salt in range(60):
        table.wait(anyhow, salt)
        after = table.settled()
        if after.is_over:
            break
        action, arguments = random_command(after, random)
        table.send_command(action, **arguments)
        if table.engine.status != PLAYING:
            break
    assert table.seen["Drawn"] > 10


def test_a_match_that_all_have_left_alone_for_long_goes_on(game: Contract) -> None:
    """The hash of the deciding block is no longer available. Tests that the draw then has a fixed
    result and the match continues."""
    table = ConquestTable(game, 2, row_of_lands(8))
    height = table.state.anchor + 1
    table.node.mine(258)
    table.set_block_hash(height, NO_HASH)
    table.settle()
    table.send_command("chooseCapital", land=0)
    assert (table.state.first, table.state.draw) == (0, NO_DRAW)


def test_a_seat_that_is_reserved_for_a_sleeper_keeps_nobody_in(game: Contract) -> None:
    """Tests that waiting players can leave a match if nobody takes its reserved seat."""
    accounts = game.node.accounts
    table = ConquestTable(game, 3, row_of_lands(12), invited=[accounts[9]], join=False)
    table.call(accounts[1], "join")
    assert table.expect_revert(accounts[2], "join") == Reverted("NotInvited", table.match, accounts[2], accounts[9])
    table.call(accounts[1], "leave")
    assert table.view["status"] == OPEN
    table.call(accounts[0], "leave")
    assert table.view["status"] != OPEN
