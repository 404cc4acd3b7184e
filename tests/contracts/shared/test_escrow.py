"""Tests the escrow's deposits and payments in ether, in good tokens and in bad tokens.

The tests use Battleship, which was the first game with an escrow.

- Given a match with a stake in a token
  - When the token behaves well
    - Deposits and payments should arrive in full, whether the token returns true or nothing
  - When the token misbehaves
    - The contract should reject a deposit with an error that names the cause, and change nothing
    - The contract should reject a withdrawal, and allow it when the token behaves well again
    - All other players should still be able to withdraw their money
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.matches.battleship import FLEETS, NOBODY, STAKE, Battle, seal
from tests.contracts.support.node import Node
from tests.contracts.support.tokens import TokenBehaviour, behave, fund_with_tokens, hostile, plain

pytestmark = pytest.mark.anvil  # only Anvil has real gas costs
CONTRACT = "Battleship"
CHEAP = 1_500_000
"""The maximum gas of a rejected call, whatever the token does. It covers three calls to the token,
with 300,000 gas each, and the contract's own gas."""
UNUSABLE = [
    TokenBehaviour.SAYS_FALSE,
    TokenBehaviour.RETURNS_TWO,
    TokenBehaviour.RETURNS_LONG,
    TokenBehaviour.RETURNS_SHORT,
    TokenBehaviour.RETURNS_HUGE,
    TokenBehaviour.REVERTS_HUGE,
    TokenBehaviour.BURNS_GAS,
    TokenBehaviour.HIDES_BALANCES,
    TokenBehaviour.HUGE_BALANCES,
]
"""The behaviours with which both deposits and payments fail."""


@pytest.fixture(scope="module")
def token(node: Node, game: Contract) -> Contract:
    """A good token. The node's first accounts have plenty of it."""
    made = plain(node)
    fund_with_tokens(made, game, 100 * STAKE, *node.accounts[:8])
    return made


@pytest.fixture
def bad(node: Node, game: Contract) -> Contract:
    """A hostile token, which behaves well until a test changes its behaviour."""
    made = hostile(node)
    fund_with_tokens(made, game, 100 * STAKE, *node.accounts[:8])
    return made


@pytest.fixture
def others(game: Contract, token: Contract) -> Iterator[list[Battle]]:
    """Two matches between other players: one in ether, and one in the good token. After each test,
    the winners must still be able to withdraw their money."""
    matches = [
        Battle(game, stake=STAKE, host=4, guest=5),
        Battle(game, stake=STAKE, token=token.address, host=6, guest=7),
    ]
    for match in matches:
        match.accept()
    yield matches
    for match in matches:
        match.surrender(0)
        match.reveal(1)
        assert match.send(1, "withdraw").named("Withdrawn")[0]["amount"] == str(2 * STAKE)


def held(game: Contract, token: Contract) -> int:
    amount = token.call("balanceOf", game.address)
    assert isinstance(amount, int)
    return amount


def invite(game: Contract, token: str, stake: int = STAKE, value: int = 0) -> str:
    return game.send(
        game.node.accounts[0], "invite", NOBODY, seal(FLEETS[0]).commitment, 3600, token, stake, value=value, gas=CHEAP
    ).events[0].match  # fmt: skip


def counts(game: Contract) -> tuple[int, int]:
    """Return the number of the next match, and the contract's balance in ether. A rejected deposit
    must change neither."""
    return game.call("matchRange")[1], int(game.node.rpc("eth_getBalance", game.address, "latest"), 16)


# ---- good tokens


def test_tokens_come_in_whole_and_go_out_whole(game: Contract, token: Contract) -> None:
    winner = game.node.accounts[1]
    before, owned = held(game, token), token.call("balanceOf", winner)
    battle = Battle(game, stake=STAKE, token=token.address)
    assert held(game, token) - before == STAKE
    battle.accept()
    assert held(game, token) - before == 2 * STAKE
    battle.surrender(0)
    battle.reveal(1)
    assert battle.send(1, "withdraw").named("Withdrawn") == [
        {"account": winner, "token": token.address, "amount": str(2 * STAKE)}
    ]
    assert held(game, token) == before
    assert token.call("balanceOf", winner) - owned == STAKE


def test_a_token_that_returns_nothing_is_fine(game: Contract, bad: Contract) -> None:
    behave(bad, TokenBehaviour.RETURNS_NOTHING)
    battle = Battle(game, stake=STAKE, token=bad.address)
    battle.accept()
    battle.surrender(0)
    battle.timeout()
    for seat in range(2):
        battle.send(seat, "withdraw")
    assert held(game, bad) == 0


def test_a_named_token_is_of_no_account_without_a_stake(game: Contract, bad: Contract) -> None:
    """Tests that a match without a stake has no token, whichever token the creator named. The
    contract doesn't even call that token."""
    behave(bad, TokenBehaviour.BURNS_GAS)
    match = invite(game, bad.address, stake=0)
    assert game.call("board", match)[17:19] == (NOBODY, 0)


# ---- deposits


@pytest.mark.parametrize("behaviour", UNUSABLE)
def test_a_token_that_fails_is_refused_at_the_deposit(
    game: Contract, bad: Contract, others: list[Battle], behaviour: TokenBehaviour
) -> None:
    behave(bad, behaviour)
    before = counts(game)
    with pytest.raises(Reverted) as caught:
        invite(game, bad.address)
    assert caught.value == Reverted("TokenFailed", bad.address)
    assert counts(game) == before
    behave(bad, TokenBehaviour.GOOD)
    assert held(game, bad) == 0
    assert all(match.view.status == 2 for match in others)


@pytest.mark.parametrize(
    ("behaviour", "came"),
    [(TokenBehaviour.FEE_ON_TRANSFER, STAKE - STAKE // 10), (TokenBehaviour.MOVES_NOTHING, 0),
     (TokenBehaviour.REBASES, STAKE // 2), (TokenBehaviour.LIES_ABOUT_BALANCES, 2 * STAKE)],
)  # fmt: skip
def test_what_comes_is_measured_and_not_believed(
    game: Contract, bad: Contract, others: list[Battle], behaviour: TokenBehaviour, came: int
) -> None:
    behave(bad, behaviour)
    before = counts(game)
    with pytest.raises(Reverted) as caught:
        invite(game, bad.address)
    assert caught.value == Reverted("BadDeposit", bad.address, STAKE, came)
    assert counts(game) == before
    behave(bad, TokenBehaviour.GOOD)
    assert held(game, bad) == 0
    assert all(match.view.status == 2 for match in others)


def test_who_accepts_is_refused_likewise_and_the_match_stays_open(game: Contract, bad: Contract) -> None:
    battle = Battle(game, stake=STAKE, token=bad.address)
    before = battle.view
    behave(bad, TokenBehaviour.FEE_ON_TRANSFER)
    with pytest.raises(Reverted) as caught:
        battle.accept()
    assert caught.value == Reverted("BadDeposit", bad.address, STAKE, STAKE - STAKE // 10)
    assert battle.view == before
    behave(bad, TokenBehaviour.GOOD)
    battle.accept()
    assert held(game, bad) == 2 * STAKE


@pytest.mark.parametrize("what", ["nobody", "wallet", "precompile", "game", "sessions"])
def test_what_is_no_token_is_refused(game: Contract, sessions: Contract, what: str) -> None:
    address = {
        "nobody": "0x" + 36 * "0" + "dead",
        "wallet": game.node.accounts[8],
        "precompile": "0x" + 39 * "0" + "4",
        "game": game.address,
        "sessions": sessions.address,
    }[what]
    before = counts(game)
    with pytest.raises(Reverted) as caught:
        invite(game, address)
    assert caught.value.name == "TokenFailed"
    assert counts(game) == before


@pytest.mark.parametrize("short", ["allowance", "balance"])
def test_tokens_that_are_not_there_are_refused(game: Contract, token: Contract, short: str) -> None:
    poor = game.node.accounts[{"allowance": 20, "balance": 21}[short]]
    if short == "balance":
        token.send(poor, "approve", game.address, STAKE)
    else:
        token.send(poor, "mint", poor, STAKE)
        token.send(poor, "approve", game.address, STAKE - 1)
    with pytest.raises(Reverted) as caught:
        game.send(poor, "invite", NOBODY, seal(FLEETS[0]).commitment, 3600, token.address, STAKE)
    assert caught.value == Reverted("TokenFailed", token.address)


def test_ether_sent_to_a_match_in_tokens_is_refused(game: Contract, token: Contract) -> None:
    battle = Battle(game, stake=STAKE, token=token.address)
    before = battle.view
    for value in (1, STAKE):
        with pytest.raises(Reverted) as caught:
            battle.accept(value=value)
        assert caught.value == Reverted("BadDeposit", NOBODY, 0, value)
        with pytest.raises(Reverted) as caught:
            invite(game, token.address, value=value)
        assert caught.value == Reverted("BadDeposit", NOBODY, 0, value)
    assert battle.view == before


def test_ether_without_a_match_is_refused(game: Contract) -> None:
    raw = game.node.send(game.node.accounts[0], game.address, "0x", value=1)
    assert int(raw["status"], 16) == 0


# ---- payments


@pytest.mark.parametrize("behaviour", UNUSABLE)
def test_a_token_that_fails_at_the_payment_can_be_asked_again(
    game: Contract, bad: Contract, others: list[Battle], behaviour: TokenBehaviour
) -> None:
    battle = _won(game, bad)
    behave(bad, behaviour)
    before = battle.view
    with pytest.raises(Reverted) as caught:
        battle.send(1, "withdraw", gas=CHEAP)
    assert caught.value == Reverted("TokenFailed", bad.address)
    assert battle.view == before
    _paid_after_all(battle, bad)
    assert len(others) == 2


@pytest.mark.parametrize(
    ("behaviour", "went"),
    [(TokenBehaviour.FEE_ON_TOP, 2 * STAKE + STAKE // 5), (TokenBehaviour.MOVES_NOTHING, 0),
     (TokenBehaviour.REBASES, STAKE), (TokenBehaviour.LIES_ABOUT_BALANCES, 4 * STAKE)],
)  # fmt: skip
def test_what_goes_is_measured_too(game: Contract, bad: Contract, behaviour: TokenBehaviour, went: int) -> None:
    """Tests that the contract rejects a payment in which the token moves a wrong amount. Otherwise,
    it would use the money of another match in the same token."""
    other = Battle(game, stake=STAKE, token=bad.address, host=2, guest=3)
    battle = _won(game, bad)
    behave(bad, behaviour)
    before = battle.view
    with pytest.raises(Reverted) as caught:
        battle.send(1, "withdraw")
    assert caught.value == Reverted("BadPayment", bad.address, 2 * STAKE, went)
    assert battle.view == before
    behave(bad, TokenBehaviour.GOOD)
    assert held(game, bad) == 3 * STAKE
    battle.send(1, "withdraw")
    other.send(0, "cancel")
    other.send(0, "withdraw")
    assert held(game, bad) == 0


def test_a_token_that_refuses_one_receiver_blocks_nobody_else(game: Contract, bad: Contract) -> None:
    battle = Battle(game, stake=STAKE, token=bad.address)
    battle.accept()
    battle.surrender(0)
    battle.timeout()
    behave(bad, TokenBehaviour.REVERTS_TO, battle.accounts[0])
    with pytest.raises(Reverted) as caught:
        battle.send(0, "withdraw")
    assert caught.value == Reverted("TokenFailed", bad.address)
    battle.send(1, "withdraw")
    assert battle.view.withdrawn == (False, True)
    behave(bad, TokenBehaviour.GOOD)
    battle.send(0, "withdraw")
    assert held(game, bad) == 0


def test_a_token_that_lost_its_code_harms_its_own_match(game: Contract, bad: Contract, others: list[Battle]) -> None:
    battle = _won(game, bad)
    code = bad.code
    game.node.rpc("anvil_setCode", bad.address, "0x")
    with pytest.raises(Reverted) as caught:
        battle.send(1, "withdraw")
    assert caught.value == Reverted("TokenFailed", bad.address)
    game.node.rpc("anvil_setCode", bad.address, code)
    _paid_after_all(battle, bad)
    assert len(others) == 2


def test_balances_that_shrank_are_not_filled_from_others(game: Contract, bad: Contract, others: list[Battle]) -> None:
    """Tests a token that takes money from the contract. Withdrawals in this token can fail, but all
    other withdrawals must still succeed."""
    battle = Battle(game, stake=STAKE, token=bad.address)
    battle.accept()
    battle.surrender(0)
    battle.timeout()
    bad.send(game.node.accounts[9], "shrink", game.address, STAKE // 2)
    battle.send(1, "withdraw")
    with pytest.raises(Reverted) as caught:
        battle.send(0, "withdraw")
    assert caught.value == Reverted("TokenFailed", bad.address)
    assert len(others) == 2


# ---- tokens that call the contract during a transfer


@pytest.mark.parametrize("entry", ["withdraw", "cancel", "invite", "accept", "move", "claimTimeout"])
@pytest.mark.parametrize("when", ["deposit", "payment"])
def test_a_token_that_comes_back_finds_the_lock(game: Contract, bad: Contract, entry: str, when: str) -> None:
    target = Battle(game, stake=0, host=2, guest=3)
    args = {
        "invite": (NOBODY, seal(FLEETS[0]).commitment, 0, NOBODY, 0),
        "accept": (target.match, seal(FLEETS[1]).commitment, 0),
        "move": (target.match, 0, 0, False, 0),
    }.get(entry, (target.match,))
    battle = Battle(game, stake=STAKE, token=bad.address)
    if when == "payment":
        battle.send(0, "cancel")
    behave(bad, TokenBehaviour.REENTERS, game.address, game.data(entry, *args))
    before = (target.view, game.call("matchRange"))
    events = battle.accept().events if when == "deposit" else battle.send(0, "withdraw").events
    assert [event.seq for event in events] == list(range(events[0].seq, events[0].seq + len(events)))
    assert bad.call("answer").hex() == game.error_data("ReentrancyGuardReentrantCall")[2:10]
    assert not bad.call("done")
    assert (target.view, game.call("matchRange")) == before


def _won(game: Contract, token: Contract) -> Battle:
    """Return a match that the guest has won. Its stake is in this token."""
    battle = Battle(game, stake=STAKE, token=token.address)
    battle.accept()
    battle.surrender(0)
    battle.reveal(1)
    return battle


def _paid_after_all(battle: Battle, token: Contract) -> None:
    behave(token, TokenBehaviour.GOOD)
    before = token.call("balanceOf", battle.accounts[1])
    battle.send(1, "withdraw")
    assert token.call("balanceOf", battle.accounts[1]) - before == 2 * STAKE
    assert held(battle.game, token) == 0
