"""Tests that actions get their signatures from the contract's ABI. If the ABI lacks a function, the
error lists the existing functions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from contracts.artifacts import load
from indexer.gamekit.game import Action, Input
from indexer.gamekit.signatures import UnknownAction, with_signatures
from indexer.games import GAMES

OPENING = {
    "battleship": "invite",
    "conquest": "create",
    "deblockle": "create",
    "tic-tac-toe": "create",
    "touche-coule": "create",
}
CAPTAIN = Input("captain", "Contract", "address")


def signature(*action: Action) -> list[str]:
    game = replace(GAMES["touche-coule"], actions=action)
    return [one.signature for one in with_signatures(game, load("ToucheCoule").abi).actions]


def test_an_action_has_the_types_of_its_arguments() -> None:
    assert signature(Action("turn", "Turn")) == ["turn(uint48,uint32)"]


def test_what_takes_no_match_opens_one() -> None:
    for slug, opening in OPENING.items():
        game = with_signatures(GAMES[slug], load(GAMES[slug].contract).abi)
        assert {one.name for one in game.actions if one.opens} == {opening}


def test_overloads_are_distinguished_by_inputs() -> None:
    own, captain = Action("register", "Register"), Action("register", "Register a captain", (CAPTAIN,))
    assert signature(own, captain) == ["register(uint48)", "register(uint48,address)"]


@pytest.mark.parametrize(
    ("action", "why"),
    [
        (
            Action("tern", "Turn"),
            "Touché Coulé: ToucheCoule has no function 'tern'; it has changePosition, communicate, create, expire, "
            "register, turn",
        ),
        (Action("board", "A view"), "ToucheCoule has no function 'board'; it has changePosition"),
        (
            Action("register", "Register", (replace(CAPTAIN, name="captian"),)),
            "Touché Coulé: the action 'register' has no argument 'captian'. Its signature is register(matchId) or "
            "register(matchId, captain)",
        ),
        (
            Action("create", "New", (Input("captains", "", "bool"), CAPTAIN)),
            "'create' has no argument 'captain'. Its signature is",
        ),
    ],
)
def test_what_the_contract_has_not_is_reported(action: Action, why: str) -> None:
    with pytest.raises(UnknownAction) as told:
        signature(action)
    assert why in str(told.value)


def test_inputs_of_different_overloads_are_reported() -> None:
    overloads = [
        {"type": "function", "stateMutability": "nonpayable", "name": "register", "inputs": [{"name": name}]}
        for name in ("captain", "owner")
    ]
    action = Action("register", "Register", (CAPTAIN, Input("owner", "Owner", "address")))
    with pytest.raises(UnknownAction) as told:
        with_signatures(replace(GAMES["touche-coule"], actions=(action,)), overloads)
    assert str(told.value) == (
        "Touché Coulé: no overload of 'register' takes all these inputs. Use register(captain) or register(owner)"
    )
