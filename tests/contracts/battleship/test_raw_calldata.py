"""Tests the contract against a hostile client, which builds calldata byte by byte without our ABI
and signs its own transactions.

- Given a match in the shooting phase
  - When the calldata is truncated, names no function, sets unused high bits, or has invalid offsets
    or lengths
    - The transaction should be mined as failed and change nothing
  - When a signed transaction tries to cheat
    - The transaction should be mined as failed with the contract's error, and change nothing
  - When a signed transaction contains a legal call
    - The transaction should succeed, although its calldata wasn't made by an ABI encoder
"""

from __future__ import annotations

from typing import Any

import pytest
from eth_account.signers.local import LocalAccount
from eth_utils import keccak

from tests.contracts.models.battleship import sealed
from tests.contracts.support.anvil import AnvilError
from tests.contracts.support.contract import Contract
from tests.contracts.support.matches.battleship import Battle, Sealed, seal, view_of
from tests.contracts.support.node import Node
from tests.contracts.support.session_keys import funded_account

pytestmark = pytest.mark.anvil  # only Anvil accepts signed transactions
CONTRACT = "Battleship"
GAS = 500_000
SHIPS = b"PH12 SH81 DV7 BV51 CH40"


def word(number: int) -> str:
    return f"{number % 2**256:064x}"


def selector(signature: str) -> str:
    return keccak(text=signature)[:4].hex()


INVITE = selector("invite(address,bytes32,uint24,address,uint96)")
ACCEPT = selector("accept(uint48,bytes32,uint8)")
MOVE = selector("move(uint48,uint32,uint8,bool,uint8)")
SURRENDER = selector("surrender(uint48,string,bytes32,string)")
REVEAL = selector("reveal(uint48,string,bytes32,string)")
WITHDRAW = selector("withdraw(uint48)")
TIMEOUT = selector("claimTimeout(uint48)")


def error(signature: str, *numbers: int) -> str:
    return "0x" + selector(signature) + "".join(map(word, numbers))


def told(function: str, match: int, ships: bytes, nonce: bytes, message: bytes = b"") -> str:
    """Encode the calldata of a reveal or a surrender. It consists of four words and two strings."""
    first = _padded(ships)
    offsets = (128, 128 + len(first) // 2)
    return function + word(match) + word(offsets[0]) + nonce.hex() + word(offsets[1]) + first + _padded(message)


def _padded(text: bytes) -> str:
    return word(len(text)) + (text + bytes(-len(text) % 32)).hex()


class RawClient:
    """A client with its own private key and its own connection to the node."""

    def __init__(self, node: Node, contract: str) -> None:
        self.node, self.contract = node, contract
        self.account: LocalAccount = funded_account(node)

    def send(self, data: str, value: int = 0) -> dict[str, Any]:
        transaction = {
            "type": 2, "chainId": 31337, "gas": GAS, "maxFeePerGas": 10**10, "maxPriorityFeePerGas": 1, "value": value,
            "nonce": int(self.node.rpc("eth_getTransactionCount", self.account.address, "pending"), 16),
            "to": self.contract, "data": "0x" + data,
        }  # fmt: skip
        raw = self.account.sign_transaction(transaction).raw_transaction
        digest = self.node.rpc("eth_sendRawTransaction", "0x" + raw.hex())
        while True:
            receipt: dict[str, Any] | None = self.node.rpc("eth_getTransactionReceipt", digest)
            if receipt:
                return receipt

    def revert_reason(self, data: str, value: int = 0) -> str:
        call = {
            "from": self.account.address, "to": self.contract, "data": "0x" + data, "gas": hex(GAS),
            "value": hex(value),
        }  # fmt: skip
        with pytest.raises(AnvilError) as caught:
            self.node.rpc("eth_call", call, "latest")
        return caught.value.data


class RawMatch:
    """A match between two clients that build their own calldata. The guest's first shot has hit
    tile 12, and the host must answer this shot."""

    def __init__(self, game: Contract, nonce: bytes) -> None:
        self.game = game
        self.host, self.guest = RawClient(game.node, game.address), RawClient(game.node, game.address)
        self.nonces = (nonce, bytes(reversed(nonce)))
        seals = [sealed(SHIPS, each).hex() for each in self.nonces]
        opened = self.host.send(INVITE + word(0) + seals[0] + word(0) + word(0) + word(0))
        assert opened["status"] == "0x1"
        self.match = int(opened["logs"][0]["topics"][1], 16)
        assert self.guest.send(ACCEPT + word(self.match) + seals[1] + word(12))["status"] == "0x1"

    @property
    def view(self) -> Any:
        return view_of(self.game.call("board", self.match))

    def move(self, ply: int, answered: int, hit: int, tile: int, match: int | None = None) -> str:
        return MOVE + "".join(map(word, (self.match if match is None else match, ply, answered, hit, tile)))

    def fails(self, client: RawClient, data: str, why: str, value: int = 0) -> None:
        """Check that the simulated call and the mined transaction both fail, and that the match
        doesn't change."""
        before = self.view
        assert client.revert_reason(data, value) == why
        receipt = client.send(data, value)
        assert (receipt["status"], receipt["logs"]) == ("0x0", [])
        assert self.view == before


@pytest.fixture
def raw(game: Contract) -> RawMatch:
    return RawMatch(game, seal("").nonce)


def test_an_honest_game_needs_no_encoder(raw: RawMatch) -> None:
    assert raw.host.send(raw.move(1, 12, 1, 0))["status"] == "0x1"
    assert raw.guest.send(raw.move(2, 0, 0, 13))["status"] == "0x1"
    assert raw.host.send(told(SURRENDER, raw.match, SHIPS, raw.nonces[0], b"gg"))["status"] == "0x1"
    assert raw.guest.send(told(REVEAL, raw.match, SHIPS, raw.nonces[1]))["status"] == "0x1"
    assert raw.view.faults == (0, 0)
    assert raw.view.winner == raw.guest.account.address


def test_cheats_are_mined_as_failed(raw: RawMatch) -> None:
    host, guest = (int(client.account.address, 16) for client in (raw.host, raw.guest))
    stranger = RawClient(raw.game.node, raw.game.address)
    match = raw.match
    turn = error("NotYourTurn(uint48,address,address)", match, guest, host)
    raw.fails(raw.guest, raw.move(1, 12, 1, 3), turn)
    raw.fails(
        stranger, raw.move(1, 12, 1, 3), error("NotAPlayer(uint48,address)", match, int(stranger.account.address, 16))
    )
    raw.fails(raw.host, raw.move(0, 12, 1, 3), error("StaleMove(uint32,uint32)", 1, 0))
    raw.fails(raw.host, raw.move(1, 13, 1, 3), error("StaleMove(uint32,uint32)", 12, 13))
    raw.fails(raw.host, raw.move(1, 255, 1, 3), error("StaleMove(uint32,uint32)", 12, 255))
    raw.fails(raw.host, raw.move(1, 12, 1, 99), error("BadTile(uint8)", 99))
    raw.fails(raw.host, raw.move(1, 12, 1, 255), error("BadTile(uint8)", 255))
    raw.fails(raw.host, raw.move(1, 12, 1, 3, match=match + 999), error("NoSuchMatch(uint48)", match + 999))
    phase = error("WrongPhase(uint48,bool)", match, 0)
    raw.fails(raw.host, told(REVEAL, match, SHIPS, raw.nonces[0]), phase)
    status = error("WrongStatus(uint48,uint8,uint8)", match, 2, 3)
    raw.fails(raw.host, WITHDRAW + word(match), status)
    raw.fails(raw.host, TIMEOUT + word(match), error("NoClock(uint48)", match))
    raw.host.send(raw.move(1, 12, 1, 3))
    raw.guest.send(raw.move(2, 3, 0, 13))
    raw.fails(raw.host, raw.move(3, 13, 1, 3), error("TileTaken(uint8)", 3))
    raw.fails(raw.host, raw.move(1, 12, 1, 4), error("StaleMove(uint32,uint32)", 3, 1))


def test_reused_commitments_are_mined_as_failed(raw: RawMatch) -> None:
    for player, nonce in zip((raw.host, raw.guest), raw.nonces, strict=True):
        used = sealed(SHIPS, nonce)
        why = error("CommitmentUsed(bytes32)", int.from_bytes(used))
        raw.fails(player, INVITE + word(0) + used.hex() + word(0) + word(0) + word(0), why)
    raw.fails(raw.guest, INVITE + 5 * word(0), error("ZeroCommitment()"))


def test_reveals_of_others_are_mined_as_failed(raw: RawMatch) -> None:
    stranger = RawClient(raw.game.node, raw.game.address)
    raw.host.send(told(SURRENDER, raw.match, SHIPS, raw.nonces[0]))
    nobody = error("NotAPlayer(uint48,address)", raw.match, int(stranger.account.address, 16))
    raw.fails(stranger, told(REVEAL, raw.match, SHIPS, raw.nonces[1]), nobody)
    again = error("AlreadyRevealed(uint48,address)", raw.match, int(raw.host.account.address, 16))
    raw.fails(raw.host, told(REVEAL, raw.match, SHIPS, raw.nonces[0]), again)
    seals = [int.from_bytes(sealed(SHIPS, nonce)) for nonce in raw.nonces]
    bad = error("BadReveal(bytes32,bytes32)", seals[1], seals[0])
    raw.fails(raw.guest, told(REVEAL, raw.match, SHIPS, raw.nonces[0]), bad)
    over = error("WrongPhase(uint48,bool)", raw.match, 1)
    raw.fails(raw.guest, raw.move(1, 12, 1, 3), over)


def test_money_is_mined_as_failed_where_it_is_not_due(raw: RawMatch) -> None:
    guest = raw.guest
    nonce = seal("").nonce
    seal_ = sealed(SHIPS, nonce).hex()
    bad = "BadDeposit(address,uint256,uint256)"
    staked = INVITE + word(0) + seal_ + word(60) + word(0) + word(1000)
    for value in (0, 999, 1001):
        raw.fails(guest, staked, error(bad, 0, 1000, value), value)
    raw.fails(guest, INVITE + word(0) + seal_ + word(60) + word(0) + word(0), error(bad, 0, 0, 1), 1)
    raw.fails(raw.host, raw.move(1, 12, 1, 3), "0x", 1)


@pytest.mark.parametrize(
    "dirty",
    [
        lambda raw: raw.move(1, 12, 1, 3, match=raw.match + 2**48),
        lambda raw: raw.move(1, 12, 1, 3, match=raw.match + 2**255),
        lambda raw: raw.move(1 + 2**32, 12, 1, 3),
        lambda raw: raw.move(1, 12 + 2**8, 1, 3),
        lambda raw: raw.move(1, 12, 2, 3),
        lambda raw: raw.move(1, 12, 2**256 - 1, 3),
        lambda raw: raw.move(1, 12, 1, 3 + 2**8),
        lambda raw: raw.move(1, 12, 1, 3)[:-2],
        lambda raw: raw.move(1, 12, 1, 3)[:-64],
        lambda _: MOVE,
        lambda _: "",
        lambda _: "00",
        lambda _: "deadbeef",
        lambda raw: SURRENDER + word(raw.match),
        lambda raw: SURRENDER + word(raw.match) + word(2**255) + word(0) + word(128),
        lambda raw: SURRENDER + word(raw.match) + word(2**64) + word(0) + word(128),
        lambda raw: SURRENDER + word(raw.match) + word(128) + word(0) + word(128) + word(2**64),
        lambda raw: SURRENDER + word(raw.match) + word(128) + word(0) + word(128) + word(33) + word(0),
        lambda _: INVITE + word(2**160) + word(5) + 3 * word(0),
        lambda _: INVITE + word(0) + word(5) + word(2**24) + word(0) + word(0),
        lambda _: INVITE + word(0) + word(5) + word(60) + word(2**160) + word(0),
        lambda _: INVITE + word(0) + word(5) + word(60) + word(0) + word(2**96),
        lambda raw: ACCEPT + word(raw.match) + word(5) + word(256),
    ],
)
def test_malformed_calldata_is_refused_without_a_word(raw: RawMatch, dirty: Any) -> None:
    raw.fails(raw.host, dirty(raw), "0x")


def test_strings_that_overlap_or_trail_are_read_as_they_lie(raw: RawMatch) -> None:
    """The offsets of both strings (the ships and the message) point to the same bytes, and extra
    bytes follow. Tests that the contract still decodes the calldata."""
    data = SURRENDER + word(raw.match) + word(128) + raw.nonces[0].hex() + word(128) + _padded(SHIPS) + "ff" * 99
    assert raw.host.send(data)["status"] == "0x1"
    assert raw.view.faults == (0, 0)
    assert raw.view.revealed == (True, False)


def test_a_signature_for_another_chain_is_not_taken(raw: RawMatch) -> None:
    signed = raw.host.account.sign_transaction(
        {
            "type": 2, "chainId": 1, "gas": GAS, "maxFeePerGas": 10**10, "maxPriorityFeePerGas": 1, "value": 0,
            "nonce": 1, "to": raw.game.address, "data": "0x" + raw.move(1, 12, 1, 3),
        }
    )  # fmt: skip
    before = raw.view
    with pytest.raises(AnvilError):
        raw.game.node.rpc("eth_sendRawTransaction", "0x" + signed.raw_transaction.hex())
    assert raw.view == before


def test_who_knows_the_fleet_can_not_move_for_its_owner(game: Contract) -> None:
    """Tests that a thief who knows a player's fleet and nonce still can't make calls for that
    player."""
    battle = Battle(game)
    battle.accept(12)
    thief = RawClient(game.node, game.address)
    fleet: Sealed = battle.fleets[0]
    data = told(SURRENDER, battle.match, fleet.ships.encode(), fleet.nonce)
    why = error("NotAPlayer(uint48,address)", battle.match, int(thief.account.address, 16))
    assert thief.revert_reason(data) == why
    assert thief.send(data)["status"] == "0x0"
