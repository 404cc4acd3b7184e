"""Tests who can make each Tic-tac-toe call, and under which conditions.

- move
  - The contract should make its checks in this order: the match, its status, the player, the ply,
    the turn, the cell's place on the board, and whether the cell is free
- create
  - When the challenger is the caller, or the clock is too short or too long
    - The contract should reject the call
- accept
  - When the host has named a challenger
    - The contract should reject all other accounts
  - When the host has named nobody
    - The contract should reject only the host
  - When an account has accepted
    - The host's clock should start
- the error GameExists
  - When a host and a challenger have an unfinished match
    - The contract should reject the host's `create` with this challenger
    - The contract should reject the challenger's `accept` of an open match of this host
    - The contract should reject a rematch with the same host and the same challenger
  - When the host and the challenger are swapped, one of them is a different player, or the new
    match is open to anyone
    - The contract should accept the call
- rematch
  - When either player calls `rematch`
    - The contract should open a match with the same clock, which the opponent can accept
    - The loser should make the rematch's first move. After a draw, the player who moved second in
      the match should make it
  - When the opponent calls `rematch` too
    - The rematch should begin
  - When the match already has a rematch, even if the rematch has begun or was closed
    - The contract should reject the call
- acceptRestart
  - When the opponent accepts the offer
    - The match should end as cancelled, and its rematch should begin with the same host
- close
  - When the creator closes an open match
    - The match should be cancelled
  - When anybody else closes an open match
    - The contract should reject the call
- claimTimeout
  - When the mover still has time, or the match has no clock
    - The contract should reject the call
  - When the mover's time is over
    - The player who waits should win, whoever makes the call
  - When the mover makes a late move before anybody claims the timeout
    - The match should continue
"""

from __future__ import annotations

import pytest

from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.matches.tic_tac_toe import (
    CANCELLED,
    CHALLENGER_WINS,
    DRAWN,
    FINISHED,
    GIVEN_UP,
    HOST_WINS,
    NOBODY,
    OPEN,
    PLAYING,
    TIMEOUT,
    Grid,
    begun,
    funded_address,
    plain,
)

CONTRACT = "TicTacToe"
CLOCK = 60
MONTH = 30 * 24 * 60 * 60
NO_MATCH = 4_000_000


@pytest.fixture
def grid(game: Contract) -> Grid:
    return begun(game)


@pytest.fixture
def host(game: Contract) -> str:
    return funded_address(game.node)


@pytest.fixture
def challenger(game: Contract) -> str:
    return funded_address(game.node)


def expect_revert(game: Contract, sender: str, *call: object) -> Reverted:
    with pytest.raises(Reverted) as error:
        game.send(sender, *call)
    return error.value


# ---- move


def test_checks_of_a_move_come_in_their_order(grid: Grid, challenger: str) -> None:
    """Tests calls with several faults. The contract must report the fault that it checks first."""
    grid.play(4)
    outsider, mover, other = challenger, grid.challenger, grid.host
    assert expect_revert(grid.game, outsider, "move", NO_MATCH, 7, 9, 9) == Reverted("NoSuchMatch", NO_MATCH)
    assert grid.expect_revert(outsider, "move", 7, 9, 9) == Reverted("NotAPlayer", grid.match, outsider)
    for player in (other, mover):
        assert grid.expect_revert(player, "move", 7, 9, 9) == Reverted("StaleMove", 1, 7)
    assert grid.expect_revert(other, "move", 1, 9, 9) == Reverted("NotYourTurn", grid.match, other, mover)
    assert grid.expect_revert(mover, "move", 1, 9, 9) == Reverted("BadCell", 9, 9)
    assert grid.expect_revert(mover, "move", 1, 1, 1) == Reverted("CellTaken", 1, 1)
    grid.send(mover, "resign")
    assert grid.expect_revert(outsider, "move", 7, 9, 9) == Reverted("WrongStatus", grid.match, FINISHED, PLAYING)


# ---- create, accept


def test_nobody_plays_himself(game: Contract, host: str) -> None:
    assert expect_revert(game, host, "create", host, 0) == Reverted("SamePlayer", host)
    grid = Grid(game, host, NOBODY, accept=False)
    assert grid.expect_revert(host, "accept") == Reverted("SamePlayer", host)


@pytest.mark.parametrize("clock", [1, 29, MONTH + 1])
def test_clock_too_short_or_too_long_is_refused(game: Contract, host: str, challenger: str, clock: int) -> None:
    assert expect_revert(game, host, "create", challenger, clock) == Reverted("BadClock", clock, 30, MONTH)


@pytest.mark.parametrize("clock", [0, 30, MONTH])
def test_clock_is_none_or_half_a_minute_to_a_month(game: Contract, host: str, challenger: str, clock: int) -> None:
    assert Grid(game, host, challenger, clock).view.clock == clock


def test_named_challenger_alone_accepts(game: Contract, host: str, challenger: str) -> None:
    grid, outsider = Grid(game, host, challenger, accept=False), funded_address(game.node)
    assert (grid.view.host, grid.view.challenger, grid.view.mover) == (host, challenger, NOBODY)
    assert grid.expect_revert(outsider, "accept") == Reverted("NotInvited", grid.match, outsider, challenger)
    joined = grid.send(challenger, "accept")
    assert joined.named("PlayerJoined") == [{"player": challenger, "seat": 1}]
    assert (grid.view.status, grid.view.mover) == (PLAYING, host)
    assert grid.expect_revert(outsider, "accept") == Reverted("WrongStatus", grid.match, PLAYING, OPEN)


def test_anyone_accepts_an_open_match(game: Contract, host: str, challenger: str) -> None:
    grid = Grid(game, host, NOBODY, accept=False)
    assert grid.view.challenger == NOBODY
    grid.send(challenger, "accept")
    assert (grid.view.status, grid.view.challenger) == (PLAYING, challenger)


# ---- one unfinished match per host and challenger


def test_two_have_one_match_with_the_same_host(game: Contract, host: str, challenger: str) -> None:
    grid = Grid(game, host, challenger, accept=False)
    exists = Reverted("GameExists", grid.match)
    assert game.call("liveMatch", host, challenger) == grid.match
    assert expect_revert(game, host, "create", challenger, CLOCK) == exists, "the match is open"
    grid.send(challenger, "accept")
    assert expect_revert(game, host, "create", challenger, CLOCK) == exists, "the match is in progress"
    grid.play(*HOST_WINS)
    assert game.call("liveMatch", host, challenger) == 0
    Grid(game, host, challenger)


def test_roles_swapped_are_another_match_and_so_are_others(game: Contract, host: str, challenger: str) -> None:
    first, swapped = Grid(game, host, challenger), Grid(game, challenger, host)
    third = Grid(game, host, funded_address(game.node))
    assert [grid.view.status for grid in (first, swapped, third)] == [PLAYING] * 3
    assert game.call("liveMatch", challenger, host) == swapped.match


def test_match_open_to_anyone_is_bound_when_somebody_accepts(game: Contract, host: str, challenger: str) -> None:
    several = [Grid(game, host, NOBODY, accept=False) for _ in range(2)]
    assert game.call("liveMatch", host, NOBODY) == 0
    played = Grid(game, host, challenger)
    for grid in several:
        assert grid.expect_revert(challenger, "accept") == Reverted("GameExists", played.match)
    played.send(host, "resign")
    several[0].send(challenger, "accept")
    assert several[1].expect_revert(challenger, "accept") == Reverted("GameExists", several[0].match)
    several[1].send(funded_address(game.node), "accept")


def test_rematch_counts_as_a_match_of_the_two(game: Contract, host: str, challenger: str) -> None:
    grid = Grid(game, host, challenger)
    grid.play(*HOST_WINS)
    other = Grid(game, challenger, host, accept=False)
    assert grid.expect_revert(host, "rematch") == Reverted("GameExists", other.match), "the loser would host 2 matches"
    other.send(challenger, "close")
    offered = again(grid, host)
    assert expect_revert(game, challenger, "create", host, 0) == Reverted("GameExists", offered.match)
    assert game.call("liveMatch", challenger, host) == offered.match


def test_closed_match_is_in_nobodys_way(game: Contract, host: str, challenger: str) -> None:
    Grid(game, host, challenger, accept=False).send(host, "close")
    assert game.call("liveMatch", host, challenger) == 0
    Grid(game, host, challenger)


# ---- rematch


def again(grid: Grid, by: str) -> Grid:
    """Open or accept a rematch as the account in `by`. Return the rematch."""
    grid.send(by, "rematch")
    number = grid.view.rematch
    players = plain(grid.game.call("board", number))
    return Grid(grid.game, players.host, players.challenger, number=number)


@pytest.mark.parametrize(
    ("cells", "starts"), [(HOST_WINS, "challenger"), (CHALLENGER_WINS, "host"), (DRAWN, "challenger")]
)
@pytest.mark.parametrize("opener", ["host", "challenger"])
@pytest.mark.parametrize("entry", ["accept", "rematch"])
def test_rematch_is_started_by_the_loser(
    game: Contract, cells: tuple[int, ...], starts: str, opener: str, entry: str
) -> None:
    """Tests the first mover of a rematch: the loser or, after a draw, the player who moved second.
    It must not matter who opens the rematch, or how the opponent accepts it."""
    grid = begun(game, CLOCK)
    grid.play(*cells)
    people = {"host": grid.host, "challenger": grid.challenger}
    first = people[starts]
    second, by = next(one for one in people.values() if one != first), people[opener]
    other = next(one for one in people.values() if one != by)

    opened = grid.send(by, "rematch")
    (created,) = opened.named("MatchCreated")
    assert created == {"creator": by, "opponent": other, "clock": CLOCK, "rematchOf": grid.match}
    assert opened.named("PlayerJoined") == [{"player": by, "seat": [first, second].index(by)}]
    new = Grid(game, first, second, number=grid.view.rematch)
    assert opened.named("RematchOpened") == [{"by": by, "rematch": new.match}]
    assert (new.view.status, new.view.mover) == (OPEN, NOBODY)
    assert (new.view.host, new.view.challenger) == (first, second)

    match = grid.match if entry == "rematch" else new.match
    joined = game.send(other, entry, match)
    assert joined.named("PlayerJoined") == [{"player": other, "seat": [first, second].index(other)}]
    assert (new.view.status, new.view.mover, new.view.clock) == (PLAYING, first, CLOCK)
    new.play(0)
    assert new.marks[0] == 1


@pytest.mark.parametrize("cause", ["resign", "claimTimeout"])
def test_loser_by_resignation_or_time_starts_too(game: Contract, cause: str) -> None:
    grid = begun(game, CLOCK)
    grid.play(0)
    if cause == "claimTimeout":
        game.node.rpc("evm_setNextBlockTimestamp", grid.view.deadline)
    grid.send(grid.challenger, cause)
    assert grid.view.winner == grid.host
    assert again(grid, grid.host).view.host == grid.challenger


def test_match_has_one_rematch(game: Contract) -> None:
    grid = begun(game)
    assert grid.expect_revert(grid.host, "rematch") == Reverted("WrongStatus", grid.match, PLAYING, FINISHED)
    grid.play(*HOST_WINS)
    outsider = funded_address(game.node)
    assert grid.expect_revert(outsider, "rematch") == Reverted("NotAPlayer", grid.match, outsider)
    offered = again(grid, grid.host)
    exists = Reverted("RematchExists", grid.match, offered.match)
    assert grid.expect_revert(grid.host, "rematch") == exists, "only the opponent can accept"
    assert offered.expect_revert(grid.host, "accept") == Reverted("SamePlayer", grid.host)
    assert offered.expect_revert(outsider, "accept") == Reverted("NotInvited", offered.match, outsider, grid.challenger)
    assert grid.expect_revert(outsider, "rematch") == Reverted("NotAPlayer", grid.match, outsider)
    assert again(grid, grid.challenger).view.status == PLAYING
    for player in (grid.host, grid.challenger):
        assert grid.expect_revert(player, "rematch") == exists, "the rematch has begun"
    offered.play(*HOST_WINS)
    for player in (grid.host, grid.challenger):
        assert grid.expect_revert(player, "rematch") == exists, "the rematch has ended, but it can have its own rematch"
    assert again(offered, grid.challenger).view.status == OPEN


def test_rematch_that_was_closed_is_not_opened_again(game: Contract) -> None:
    grid = begun(game)
    grid.play(*HOST_WINS)
    offered = again(grid, grid.host)
    invited = grid.challenger
    assert offered.expect_revert(invited, "close") == Reverted("NotAPlayer", offered.match, invited)
    offered.send(grid.host, "close")
    for player in (grid.host, invited):
        assert grid.expect_revert(player, "rematch") == Reverted("RematchExists", grid.match, offered.match)


def test_closed_match_has_no_rematch(game: Contract, host: str, challenger: str) -> None:
    grid = Grid(game, host, challenger, accept=False)
    grid.send(host, "close")
    assert grid.expect_revert(host, "rematch") == Reverted("WrongStatus", grid.match, CANCELLED, FINISHED)


# ---- restart


@pytest.mark.parametrize("offerer", ["host", "challenger"])
def test_restart_begins_the_rematch_with_the_same_host(game: Contract, offerer: str) -> None:
    grid = begun(game, CLOCK)
    grid.play(0, 4, 8)
    people = [grid.host, grid.challenger] if offerer == "host" else [grid.challenger, grid.host]
    offered = grid.send(people[0], "offerRestart")
    assert offered.named("RestartOffered") == [{"by": people[0], "ply": 3}]
    assert grid.view.offered_by == people[0]
    for player in people:
        assert grid.expect_revert(player, "offerRestart") == Reverted("AlreadyOffered", grid.match)
    outsider = funded_address(game.node)
    assert grid.expect_revert(outsider, "acceptRestart", 9) == Reverted("NotAPlayer", grid.match, outsider)
    assert grid.expect_revert(people[1], "acceptRestart", 2) == Reverted("StaleMove", 3, 2)

    restarted = grid.send(people[1], "acceptRestart", 3)
    old = grid.view
    assert (old.status, old.reason, old.winner, old.offered_by) == (CANCELLED, GIVEN_UP, NOBODY, NOBODY)
    assert restarted.named("MatchEnded") == [{"winner": NOBODY, "reason": GIVEN_UP}]
    new = Grid(game, grid.host, grid.challenger, number=old.rematch)
    assert (new.view.status, new.view.host, new.view.mover, new.view.ply) == (PLAYING, grid.host, grid.host, 0)
    assert game.call("liveMatch", grid.host, grid.challenger) == new.match
    for player in people:
        assert grid.expect_revert(player, "rematch") == Reverted("RematchExists", grid.match, new.match)


# ---- close


def test_who_opened_a_match_closes_it(game: Contract, host: str, challenger: str) -> None:
    grid, outsider = Grid(game, host, challenger, accept=False), funded_address(game.node)
    for other in (challenger, outsider):
        assert grid.expect_revert(other, "close") == Reverted("NotAPlayer", grid.match, other)
    closed = grid.send(host, "close")
    assert closed.named("MatchEnded") == [{"winner": NOBODY, "reason": GIVEN_UP}]
    assert grid.view.status == CANCELLED
    assert grid.expect_revert(challenger, "accept") == Reverted("WrongStatus", grid.match, CANCELLED, OPEN)
    assert grid.expect_revert(host, "close") == Reverted("WrongStatus", grid.match, CANCELLED, OPEN)


# ---- clocks


def at(grid: Grid, time: int) -> None:
    grid.game.node.rpc("evm_setNextBlockTimestamp", time)


def test_timeout_is_claimed_from_the_deadline_on(game: Contract) -> None:
    grid, outsider = begun(game, CLOCK), funded_address(game.node)
    begun_at = int(game.node.rpc("eth_getBlockByNumber", "latest", False)["timestamp"], 16)
    assert grid.view.deadline == begun_at + CLOCK, "the host's clock must start immediately"
    grid.play(0, 4)
    deadline = grid.view.deadline
    at(grid, deadline - 1)
    assert grid.expect_revert(outsider, "claimTimeout") == Reverted("NotExpired", deadline - 1, deadline)
    at(grid, deadline)
    ended = grid.send(outsider, "claimTimeout")
    assert ended.named("MatchEnded") == [{"winner": grid.challenger, "reason": TIMEOUT}]
    assert (grid.view.winner, grid.view.deadline) == (grid.challenger, 0)
    assert grid.expect_revert(outsider, "claimTimeout") == Reverted("WrongStatus", grid.match, FINISHED, PLAYING)


def test_late_move_counts_as_long_as_nobody_claimed(game: Contract) -> None:
    grid = begun(game, CLOCK)
    late = grid.view.deadline + 1000
    at(grid, late)
    grid.play(0)
    assert (grid.view.status, grid.view.mover, grid.view.deadline) == (PLAYING, grid.challenger, late + CLOCK)
    assert grid.expect_revert(grid.host, "claimTimeout").name == "NotExpired"


def test_nothing_but_a_move_restarts_the_clock(game: Contract) -> None:
    grid = begun(game, CLOCK)
    deadline = grid.view.deadline
    grid.send(grid.host, "offerRestart")
    assert grid.view.deadline == deadline


def test_match_without_a_clock_has_no_timeout(grid: Grid) -> None:
    assert grid.view.deadline == 0
    assert grid.expect_revert(grid.challenger, "claimTimeout") == Reverted("NoClock", grid.match)


def test_open_match_has_no_timeout(game: Contract, host: str, challenger: str) -> None:
    grid = Grid(game, host, challenger, CLOCK, accept=False)
    at(grid, int(game.node.rpc("eth_getBlockByNumber", "latest", False)["timestamp"], 16) + MONTH)
    assert grid.expect_revert(challenger, "claimTimeout") == Reverted("WrongStatus", grid.match, OPEN, PLAYING)
