"""Tests that our Conquest has none of the defects of the original game's server and computer
players (sections 5.4, 5.6 and 5.8 of the game's rules).

If our contract could have a defect, `mutation/mutants.py` plants it in a copy of the contract, and
shows that the test with the defect's name fails.

- Given a match
  - When a player makes a legal call that the original's server or computer players didn't support
    - The contract should execute the call as the report on the original game describes
  - When a player makes an illegal call that the original's server or computer players allowed
    - The contract should reject the call with an error that explains why
"""

from __future__ import annotations

import pytest

from bots.conquest_strategies.minmax import DEPTH
from tests.contracts.support.conquest.storage import table_at
from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.matches.conquest import CLOCK, SEED
from tests.support.conquest.maps import row_of_lands
from tests.support.conquest.states import item_is

CONTRACT = "Conquest"
ROW = row_of_lands(8)


def test_defect_13_a_neutral_land_is_captured_without_superiority(game: Contract) -> None:
    """Tests that even a land without soldiers can capture a neutral land. The original game's
    computer player made such a capture only if the attacking land had more soldiers than the
    neutral land."""
    table = table_at(game, ROW, [[0], [7]], soldiers=[0, 90, 0, 0, 0, 0, 0, 0])
    table.send_command("capture", **{"from": 0, "to": 1})
    assert (table.state.owners[1], table.view["soldiers"][1]) == (0, 90)


def test_defect_14_nobody_commands_for_another(game: Contract) -> None:
    """Tests that no player can command for another player. The original server trusted any player
    number in the request body."""
    table = table_at(game, ROW, [[0], [7]])
    host, guest = table.accounts
    for action, arguments in (("pass", {"phaseOnly": False}), ("surrender", {})):
        rejection = table.expect_revert(guest, action, **table.named(), **arguments)
        assert rejection == Reverted("NotYourTurn", table.match, guest, host)
        rejection = table.expect_revert(table.stranger, action, **table.named(), **arguments)
        assert rejection == Reverted("NotAPlayer", table.match, table.stranger)


def test_defect_15_two_turns_in_a_row_are_stored(game: Contract) -> None:
    """Tests that the item for two turns in a row is stored. In the original game, it took effect
    immediately."""
    table = table_at(game, ROW, [[0], [7]], items={1: False})
    table.send_command("capture", **{"from": 0, "to": 1})
    table.settle(lambda chance: item_is(chance, 4))
    assert (table.view["stored"], table.view["used"]) == ([4, 0], 0)


def test_defect_16_there_is_no_seventh_player(game: Contract) -> None:
    """Tests that a match can't have seven players. The original game allowed player numbers from 0
    to 6."""
    terms = (bytes.fromhex(SEED[2:]), 76, 7, [], CLOCK, 0, row_of_lands(28))
    with pytest.raises(Reverted) as caught:
        game.call("create", *terms)
    assert caught.value == Reverted("BadPlayers", 7, 2, 6)


def test_defect_17_none_of_the_soldiers_are_no_move(game: Contract) -> None:
    """Tests that a move must take some of a land's soldiers. The original's computer player tried
    to move with a ratio of 0, which means no soldiers."""
    table = table_at(game, ROW, [[0, 1], [7]], phase=2)
    ends = {"from": 0, "to": 1, "quarters": 0, "hero": False}
    assert table.expect_revert(table.mover, "move", **table.named(), **ends) == Reverted("BadRatio", 0)


def test_defect_18_there_is_a_capital_for_everybody(game: Contract) -> None:
    terms = (bytes.fromhex(SEED[2:]), 76, 3, [], CLOCK, 0, row_of_lands(11))
    with pytest.raises(Reverted) as caught:
        game.call("create", *terms)
    assert caught.value == Reverted("BadMap", 2, 11)


def test_defect_19_the_strongest_computer_player_looks_four_plies_ahead() -> None:
    """Tests that the strongest computer player looks four plies ahead. In the original game, it
    looked only one ply ahead."""
    assert DEPTH == 4
