"""The recorded games of Touché Coulé."""

from __future__ import annotations

from tests.contracts.deployed import Contract
from tests.contracts.foreign import answers
from tests.contracts.table import PLAYING, Table

REST = 5
CAPTAIN = "0x" + 40 * "c"


def fought_out(game: Contract) -> int:
    """Two fleets talk and move, until one is left."""
    table = Table(game, 5, 5, 2, 2)
    table.start()
    while table.view.status == PLAYING:
        view = table.view
        afloat = {
            player: [b for b in view.ships if b.afloat and b.owner == table.accounts[player]] for player in (0, 1)
        }
        player = 0 if afloat[0] else 1
        talker = next((one for one in (0, 1) if len(afloat[one]) == 2), None)
        if view.ply == 2 and talker is not None:
            table.send(talker, "communicate")
        if view.ply == REST + 1:
            table.anvil.mine()
            table.send(player, "changePosition")
        table.turn(player)
    return int(table.match)


def given_up(game: Contract) -> int:
    """With a ship that a player wrote; nobody plays on."""
    table = Table(game, 12, 12, 1, 1, captains=True)
    table.anvil.rpc("anvil_setCode", CAPTAIN, answers(7))
    table.register(2, CAPTAIN)
    table.start()
    table.turns(3)
    table.anvil.rpc("evm_setNextBlockTimestamp", table.view.deadline)
    table.send(4, "expire")
    return int(table.match)


STORIES = {"fought-out": fought_out, "given-up": given_up}
