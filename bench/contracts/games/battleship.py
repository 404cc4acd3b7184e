"""Compares the gas costs of Battleship's calls with the limits in the game's rules."""

from __future__ import annotations

from collections.abc import Iterator

from tests.contracts.support.contract import Contract
from tests.contracts.support.matches.battleship import NOBODY, STAKE, Battle
from tests.contracts.support.tokens import fund_with_tokens, plain

ACCOUNTS = 3
SHOT_GAS, MEAN_SHOT_GAS, REVEAL_GAS = 62_000, 48_000, 95_000
"""The gas limits for a single move, for the mean of a match's moves, and for a reveal."""


def rows(_sessions: Contract, game: Contract) -> Iterator[tuple[str, int, int]]:
    """Play a long match with a stake in ether, and then the cases that cost more gas.

    These cases are a stake in tokens, a surrender and the longest message."""
    token = plain(game.node)
    fund_with_tokens(token, game, STAKE, *game.node.accounts[:2])
    battle = Battle(game, stake=STAKE)
    yield "invite, staked in ether", battle.opened.gas, 0
    in_tokens = Battle(game, stake=STAKE, token=token.address)
    yield "invite, staked in tokens", in_tokens.opened.gas, 0
    yield "accept, staked in tokens", in_tokens.accept().gas, 0
    yield "surrender", in_tokens.surrender(0).gas, REVEAL_GAS
    yield "claimTimeout", in_tokens.timeout().gas, 0
    yield "withdraw, in tokens", in_tokens.send(0, "withdraw").gas, 0
    yield "accept, staked in ether", battle.accept(98).gas, 0
    moves = []
    for tile in range(98):
        for shot in (tile, tile):
            if battle.view.mover != NOBODY:
                moves.append(battle.move(shot).gas)
    yield "move, maximum", max(moves), SHOT_GAS
    yield f"move, mean of {len(moves)}", sum(moves) // len(moves), MEAN_SHOT_GAS
    yield "reveal", battle.reveal(0).gas, REVEAL_GAS
    yield "reveal that settles, with a message of 280 bytes", battle.reveal(1, message="x" * 280).gas, REVEAL_GAS
    view = battle.view
    yield "withdraw, in ether", battle.send(view.players.index(view.winner), "withdraw").gas, 0
