"""Tests that the Battleship contract prevents the cheats that the game's rules list (section 2.6),
and that it has no other defects of this kind.

`mutation/mutants.py` plants each defect in a copy of the contract, and shows that the test with the
defect's name fails. Defects that concern money and the end of a match are in
`test_defects_at_the_end.py`.

- Given a match
  - When a player calls out of turn, twice, too early, for somebody else, or with an invalid tile
    - The contract should reject the call with an error that explains why, and change nothing
  - When a player has sealed an illegal fleet or given a false answer
    - The contract should detect the illegal fleet, or each false answer, at the reveal
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.models.battleship import sealed
from tests.contracts.support.contract import Contract, Reverted, expect_revert
from tests.contracts.support.matches.battleship import (
    CHEATING,
    DAY,
    FINISHED,
    FLEETS,
    NOBODY,
    OPEN,
    PLAYING,
    WON,
    Battle,
    Sealed,
    seal,
)

CONTRACT = "Battleship"
VECTORS = json.loads((Path(__file__).parents[2] / "fixtures/vectors/battleship.json").read_text("utf-8"))
FOREVER = 2**40 - 1


@pytest.fixture
def battle(game: Contract) -> Battle:
    """A match without a stake, after three shots. The guest has hit tile 12, and the host has
    missed at tile 1. The guest has also fired at tile 13, and the host must answer this shot."""
    battle = Battle(game)
    battle.accept(12)
    battle.fire([1], [13])
    assert battle.view.pending == 13
    return battle


# ---- fleet strings that the contract must recognise as illegal


def test_defect_01_legal_fleets_are_sound_and_cover_their_tiles(game: Contract) -> None:
    """Tests the legal fleets in the test vectors. After a shot at every tile, the contract must
    have recorded exactly the tiles of the vector's ships as hits."""
    for one in [each for each in VECTORS["legal"] if each["note"].startswith("sheet")]:
        covered = {tile for tiles in one["boats"].values() for tile in tiles}
        battle = Battle(game, fleets=(one["ships"], FLEETS[1]))
        battle.accept(0)
        # The 16 hits among these shots don't end the shooting.
        shots = iter(sorted(range(99), key=lambda tile: tile in battle.tiles[1])[:98])
        order = [tile for tile in range(1, 99) if tile not in covered] + sorted(covered - {0})
        for tile in order:
            battle.move(next(shots))
            battle.move(tile)
        battle.move(255)
        view = battle.view
        assert (view.cause, view.hits[1]) == (WON, int(one["mask"], 16))
        assert battle.reveal(0).named("Revealed")[0]["fault"] == 0


@pytest.mark.parametrize("one", VECTORS["legal"], ids=lambda one: one["ships"])
def test_defect_01_each_legal_fleet_is_taken_and_one_tile_aside_is_not(game: Contract, one: dict[str, Any]) -> None:
    covered = sorted(tile for tiles in one["boats"].values() for tile in tiles)
    rng = random.Random(one["ships"])
    shots = [rng.choice(covered), rng.choice([tile for tile in range(99) if tile not in covered])]
    for lie, fault in ((False, 0), (True, 5)):
        battle = Battle(game, fleets=(one["ships"], FLEETS[1]))
        battle.accept(shots[0])
        battle.move(1)
        battle.move(shots[1])
        battle.move(2, hit=lie)
        assert battle.surrender(0).named("Revealed")[0]["fault"] == fault


@pytest.mark.parametrize("one", VECTORS["illegal"], ids=lambda one: one["note"])
def test_defect_02_an_illegal_layout_is_told_by_its_fault(game: Contract, one: dict[str, Any]) -> None:
    battle = Battle(game, fleets=(one["ships"], FLEETS[1]))
    battle.accept(40)
    told = battle.surrender(0).named("Revealed")[0]
    assert told["fault"] == one["fault"]
    assert bytes.fromhex(told["ships"][2:]).decode() == one["ships"]
    assert battle.view.faults == (one["fault"], 0)


def test_defect_02_bytes_that_are_no_text_are_judged_too(game: Contract) -> None:
    """A custom client can seal bytes that are not valid text. Tests that the contract recognises
    them as an illegal fleet. A string encoder would reject these bytes, so the test encodes the
    call by hand."""
    host, guest = game.node.accounts[:2]
    ships, nonce = b"\xff\xfe\xc0\x80", bytes(32)
    match = game.send(host, "invite", NOBODY, sealed(ships, nonce), 0, NOBODY, 0).events[0].match
    game.send(guest, "accept", match, seal(FLEETS[1]).commitment, 0)
    data = game.data("surrender", match, "abcd", nonce, "").replace(b"abcd".hex(), ships.hex())
    raw = game.node.send(host, game.address, data)
    assert game.receipt(raw).named("Revealed")[0]["fault"] == 1


# ---- commitments


@pytest.mark.parametrize(
    "one", [one for one in VECTORS["commitments"] if len(one["nonce"]) == 66], ids=lambda one: one["note"]
)
def test_defect_03_a_fleet_sealed_elsewhere_by_the_protocol_is_accepted(game: Contract, one: dict[str, str]) -> None:
    """Tests that the error of a rejected reveal contains the commitment that the contract computed.
    This commitment must be the one in the vector."""
    battle = Battle(game)
    battle.accept()
    fleet = Sealed(one["ships"], bytes.fromhex(one["nonce"][2:]))
    with expect_revert(battle, "BadReveal", battle.fleets[0].commitment, bytes.fromhex(one["commitment"][2:])):
        battle.surrender(0, fleet)


def test_defect_03_ships_and_nonce_put_together_open_nothing(game: Contract) -> None:
    one = VECTORS["not_commitments"][0]
    fleet = Sealed(one["ships"], bytes.fromhex(one["nonce"][2:]))
    plain = bytes.fromhex(one["commitment"][2:])
    host, guest = game.node.accounts[:2]
    match = game.send(host, "invite", NOBODY, plain, 0, NOBODY, 0).events[0].match
    game.send(guest, "accept", match, seal(FLEETS[1]).commitment, 0)
    with pytest.raises(Reverted) as told:
        game.send(host, "surrender", match, fleet.ships, fleet.nonce, "")
    assert told.value == Reverted("BadReveal", plain, fleet.commitment)


def test_defect_04_a_copied_commitment_is_refused(game: Contract) -> None:
    """Tests that the contract rejects a copied commitment. Otherwise, the copier could open it
    after the original player has revealed the fleet."""
    battle = Battle(game)
    copied = battle.fleets[0].commitment
    with expect_revert(battle, "CommitmentUsed", copied):
        battle.send(1, "accept", copied, 0)


def test_defect_04_a_stranger_uses_up_no_commitment(game: Contract) -> None:
    """A stranger who sees a commitment in the mempool can use it in a match of their own. Tests
    that the stranger can't open the commitment, and that its owner can still use it."""
    battle = Battle(game)
    stranger, pending = game.node.accounts[5], battle.fleets[1].commitment
    copy = game.send(stranger, "invite", NOBODY, pending, 0, NOBODY, 0).events[0].match
    battle.accept(0)
    assert battle.view.commitments[1] == pending
    game.send(battle.accounts[1], "accept", copy, seal(FLEETS[0]).commitment, 0)
    with pytest.raises(Reverted) as told:
        game.call("surrender", copy, battle.fleets[1].ships, bytes(32), "", sender=stranger)
    assert told.value.name == "BadReveal"


def test_defect_04_a_commitment_is_used_once_for_ever(battle: Battle) -> None:
    """Tests that the contract rejects a used commitment even after the match has ended, because the
    reveal has made the fleet public."""
    battle.surrender(0)
    battle.reveal(1)
    assert battle.view.status == FINISHED
    game, used = battle.game, battle.fleets[1].commitment
    with expect_revert(battle, "CommitmentUsed", used):
        game.send(battle.accounts[1], "invite", NOBODY, used, 0, NOBODY, 0)
    other = Battle(game)
    with expect_revert(other, "CommitmentUsed", used):
        other.send(1, "accept", used, 0)


def test_defect_04_a_fleet_must_be_sealed(game: Contract) -> None:
    battle = Battle(game)
    with expect_revert(battle, "ZeroCommitment"):
        battle.send(1, "accept", bytes(32), 0)
    with expect_revert(battle, "ZeroCommitment"):
        game.send(battle.accounts[1], "invite", NOBODY, bytes(32), 0, NOBODY, 0)


# ---- reveals


def test_defect_05_what_was_not_sealed_is_refused_and_can_be_mended(battle: Battle) -> None:
    battle.surrender(0)
    own = battle.fleets[1]
    for ships, nonce in [
        (own.ships, battle.fleets[0].nonce),
        (own.ships + " ", own.nonce),
        (FLEETS[0], own.nonce),
        (own.ships[:-1], own.nonce),
        (own.ships, own.nonce[:-1] + bytes([own.nonce[-1] ^ 1])),
    ]:
        other = Sealed(ships, nonce)
        with expect_revert(battle, "BadReveal", own.commitment, other.commitment):
            battle.reveal(1, other)
    battle.reveal(1)
    assert battle.view.winner == battle.accounts[1]


def test_defect_05_someone_elses_reveal_is_refused(battle: Battle) -> None:
    battle.surrender(0)
    stranger = battle.node.accounts[5]
    fleet = battle.fleets[1]
    with expect_revert(battle, "NotAPlayer", battle.match, stranger):
        battle.game.send(stranger, "reveal", battle.match, fleet.ships, fleet.nonce, "")
    with expect_revert(battle, "BadReveal", fleet.commitment, battle.fleets[0].commitment):
        battle.reveal(1, battle.fleets[0])


def test_defect_06_a_second_reveal_is_refused(battle: Battle) -> None:
    battle.surrender(0)
    with expect_revert(battle, "AlreadyRevealed", battle.match, battle.accounts[0]):
        battle.reveal(0)
    battle.reveal(1)
    with expect_revert(battle, "WrongStatus", battle.match, FINISHED, PLAYING):
        battle.reveal(1)


def test_defect_06_nothing_is_revealed_before_the_shooting_is_over(game: Contract) -> None:
    battle = Battle(game)
    with expect_revert(battle, "WrongStatus", battle.match, OPEN, PLAYING):
        battle.reveal(0)
    with expect_revert(battle, "WrongStatus", battle.match, OPEN, PLAYING):
        battle.surrender(0)
    battle.accept()
    for seat in range(2):
        with expect_revert(battle, "WrongPhase", battle.match, False):
            battle.reveal(seat)


def test_defect_06_no_shot_and_no_surrender_after_the_shooting(battle: Battle) -> None:
    battle.surrender(1)
    for tile in (5, 12):
        with expect_revert(battle, "WrongPhase", battle.match, True):
            battle.send(0, "move", 3, 13, True, tile)
    with expect_revert(battle, "WrongPhase", battle.match, True):
        battle.surrender(0)


@pytest.mark.parametrize(("ships", "message", "told"), [(256, 0, (256, 255)), (23, 281, (281, 280))])
def test_defect_06_texts_that_are_too_long_are_refused(
    battle: Battle, ships: int, message: int, told: tuple[int, int]
) -> None:
    with expect_revert(battle, "TooLong", *told):
        battle.send(0, "surrender", "x" * ships, bytes(32), "x" * message)


# ---- answers


def test_defect_07_only_answered_shots_are_compared(game: Contract) -> None:
    """Tests that a ship at the tile of a pending shot doesn't prove a lie, because the player
    hasn't answered this shot yet."""
    battle = Battle(game)
    battle.accept(12)
    battle.fire([1], [13])
    assert battle.surrender(0).named("Revealed")[0]["fault"] == 0


@pytest.mark.parametrize(("tile", "hit"), [(12, False), (0, True)], ids=["o_for_a_boat", "x_for_water"])
def test_defect_07_a_false_answer_is_found(game: Contract, tile: int, hit: bool) -> None:
    battle = Battle(game)
    battle.accept(tile)
    battle.move(1, hit=hit)
    battle.surrender(1)
    assert battle.reveal(0).named("Revealed")[0]["fault"] == 5
    view = battle.view
    assert (view.winner, view.reason, view.faults) == (battle.accounts[1], CHEATING, (5, 0))


def test_defect_08_an_impossible_answer_loses_at_once(game: Contract) -> None:
    battle = Battle(game)
    battle.accept(0)
    for shot in range(82):
        battle.move(shot, hit=False)
        battle.move(shot + 1, hit=False)
    battle.move(90, hit=False)
    assert (battle.view.status, battle.view.winner) == (FINISHED, battle.accounts[1])


def test_defect_08_the_17th_hit_is_the_end(game: Contract) -> None:
    battle = Battle(game)
    battle.sink(1)
    view = battle.view
    assert (view.revealing, view.loser, view.cause) == (True, battle.accounts[1], WON)
    assert view.hits[0].bit_count() == 17


# ---- moves, and the shots that moves answer


def test_defect_09_a_repeated_shot_is_refused(battle: Battle) -> None:
    with expect_revert(battle, "TileTaken", 1):
        battle.move(1)
    battle.move(2)
    with expect_revert(battle, "TileTaken", 12):
        battle.move(12)


@pytest.mark.parametrize("tile", [99, 128, 255])
def test_defect_09_a_tile_off_the_grid_is_refused(game: Contract, tile: int) -> None:
    battle = Battle(game)
    with expect_revert(battle, "BadTile", tile):
        battle.accept(tile)
    battle.accept(98)
    with expect_revert(battle, "BadTile", tile):
        battle.move(tile)


def test_defect_10_only_who_is_to_move_moves(battle: Battle) -> None:
    host, guest = battle.accounts
    with expect_revert(battle, "NotYourTurn", battle.match, guest, host):
        battle.send(1, "move", 3, 13, True, 2)
    stranger = battle.node.accounts[5]
    with expect_revert(battle, "NotAPlayer", battle.match, stranger):
        battle.game.send(stranger, "move", battle.match, 3, 13, True, 2)
    with expect_revert(battle, "StaleMove", 3, 4):
        battle.send(1, "move", 4, 13, True, 2)


@pytest.mark.parametrize("ply", [0, 1, 2, 4, 2**32 - 1])
def test_defect_10_a_move_for_another_position_is_refused(battle: Battle, ply: int) -> None:
    with expect_revert(battle, "StaleMove", 3, ply):
        battle.send(0, "move", ply, 13, True, 2)


@pytest.mark.parametrize("answered", [12, 0, 99, 255])
def test_defect_10_an_answer_to_another_shot_is_refused(battle: Battle, answered: int) -> None:
    """An opponent can sign two shots for the same ply, and a reorg can replace the first shot by
    the second. Tests that the answer to the first shot doesn't count for the second shot."""
    with expect_revert(battle, "StaleMove", 13, answered):
        battle.send(0, "move", 3, answered, True, 2)


def test_defect_10_there_is_no_shot_without_an_answer(game: Contract) -> None:
    """Each move names the tile of the pending shot that it answers. Tests that the player who has
    just fired can't move again."""
    battle = Battle(game)
    battle.accept(12)
    with expect_revert(battle, "NotYourTurn", battle.match, battle.accounts[1], battle.accounts[0]):
        battle.send(1, "move", 1, 12, True, 13)
    with expect_revert(battle, "StaleMove", 12, 255):
        battle.send(0, "move", 1, 255, False, 13)
    assert not {"shoot", "shot", "fire"} & {entry["name"] for entry in game.abi if entry["type"] == "function"}


# ---- seats


def test_defect_11_nobody_plays_against_itself(game: Contract) -> None:
    host = game.node.accounts[0]
    battle = Battle(game)
    with expect_revert(battle, "SamePlayer", host):
        battle.send(0, "accept", seal(FLEETS[0]).commitment, 0)
    with expect_revert(battle, "SamePlayer", host):
        game.send(host, "invite", host, seal(FLEETS[0]).commitment, 0, NOBODY, 0)


def test_defect_11_a_named_seat_is_for_the_named(game: Contract) -> None:
    battle = Battle(game, named=True)
    stranger, (host, guest) = game.node.accounts[5], battle.accounts
    with expect_revert(battle, "NotInvited", battle.match, stranger, guest):
        game.send(stranger, "accept", battle.match, seal(FLEETS[0]).commitment, 0)
    for who in (stranger, host):
        with expect_revert(battle, "NotInvited", battle.match, who, guest):
            game.send(who, "decline", battle.match)
    for who in (stranger, guest):
        with expect_revert(battle, "NotTheInviter", battle.match, who, host):
            game.send(who, "cancel", battle.match)
    battle.accept()
    for seat, call in ((0, "cancel"), (1, "decline")):
        with expect_revert(battle, "WrongStatus", battle.match, PLAYING, OPEN):
            battle.send(seat, call)


def test_defect_11_an_invitation_to_anybody_is_declined_by_nobody(game: Contract) -> None:
    battle = Battle(game)
    with expect_revert(battle, "NotInvited", battle.match, battle.accounts[1], NOBODY):
        battle.send(1, "decline")


@pytest.mark.parametrize(
    ("clock", "stake", "least"),
    [(59, 1, 60), (0, 1, 60), (1, 0, 30), (29, 0, 30), (30 * DAY + 1, 0, 30), (2**24 - 1, 1, 60)],
)
def test_defect_11_a_clock_is_within_its_bounds(game: Contract, clock: int, stake: int, least: int) -> None:
    battle = Battle(game)
    with expect_revert(battle, "BadClock", clock, least, 30 * DAY):
        game.send(battle.accounts[0], "invite", NOBODY, bytes(32), clock, NOBODY, stake, value=stake)
