"""Compares the gas costs of Deblockle's calls with the limits in the game's rules."""

from __future__ import annotations

from collections.abc import Iterator

from tests.contracts.support.contract import Contract
from tests.contracts.support.matches.deblockle import BOARD, NEAR, SHEET_GAME, STAKE, DeblockleTable
from tests.contracts.support.session_keys import funded_account, offer_and_accept
from tests.contracts.support.tokens import fund_with_tokens, plain

ACCOUNTS = 3
MOVE_GAS, STAKED_MOVE_GAS, WIN_GAS = 55_000, 60_000, 110_000
"""The gas limits for a roll or a hop without a stake, for a roll or a hop with a stake, and for the
move that wins a stake."""


def rows(sessions: Contract, game: Contract) -> Iterator[tuple[str, int, int]]:
    """Play the example match in the game's rules, first without a stake and then for ether. After
    that, play the cases that cost more gas: four cubes per player, a stake in tokens, and a session
    key."""
    yield from _rolls_and_hops(game)
    yield from _stakes(game)
    yield from _by_key(sessions, game)


def _rolls_and_hops(game: Contract) -> Iterator[tuple[str, int, int]]:
    for stake, limit, kind in ((0, MOVE_GAS, ""), (STAKE, STAKED_MOVE_GAS, ", staked in ether")):
        table = DeblockleTable(game, stake=stake)
        *moves, last = [receipt.gas for receipt in table.play()]
        yield f"makeMove, maximum in the sheet's match{kind}", max(moves), limit
        yield f"makeMove, mean of its {len(moves)} before the last{kind}", sum(moves) // len(moves), limit
        yield f"makeMove, wins{kind}", last, WIN_GAS if stake else limit
        four = DeblockleTable(game, 4, BOARD, stake=stake)
        yield f"makeMove, a roll, four cubes each{kind}", four.move((3, 5), (3, 6)).gas, limit
        yield f"makeMove, a slide to the end{kind}", four.move((3, 6), (3, 4)).gas, limit
        three = DeblockleTable(game, 3, NEAR, stake=stake)
        yield f"makeMove, a roll that ends the turn{kind}", three.move((4, 5), (4, 4)).gas, limit
        yield f"passMove{kind}", three.skip().gas, 0


def _stakes(game: Contract) -> Iterator[tuple[str, int, int]]:
    token = plain(game.node)
    fund_with_tokens(token, game, STAKE, *game.node.accounts[:2])
    for address, kind in (({}, "in ether"), ({"token": token.address}, "in tokens")):
        table = DeblockleTable(game, stake=STAKE, **address)
        yield f"create, staked {kind}", table.opened.gas, 0
        yield f"join, staked {kind}", table.joined.gas if table.joined else 0, 0
        table.late(100)
        yield f"withdraw the streamed part, {kind}", table.send(1, "withdraw").gas, 0
        table.late()
        yield f"claimTimeout, staked {kind}", table.send(1, "claimTimeout").gas, 0
        yield f"withdraw at the end, {kind}", table.send(1, "withdraw").gas, 0
    friendly = DeblockleTable(game)
    yield "create", friendly.opened.gas, 0
    yield "join", friendly.joined.gas if friendly.joined else 0, 0
    yield "resign", friendly.send(0, "resign").gas, 0


def _by_key(sessions: Contract, game: Contract) -> Iterator[tuple[str, int, int]]:
    owner, key = funded_account(game.node), funded_account(game.node)
    offer_and_accept(sessions, owner, key, [game.address], 4_000_000_000)
    table = DeblockleTable(game, host=owner.address)
    start, end, _ = SHEET_GAME[0]
    yield "by a session key: makeMove", game.send(key.address, "makeMove", table.match, 0, *start, *end).gas, 0
