"""A Touché Coulé match on a test's chain."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from eth_utils import to_checksum_address

from tests.contracts.support.contract import Contract, ContractReceipt

ShipView = namedtuple("ShipView", "owner captain cell afloat ready")
ToucheCouleView = namedtuple(
    "ToucheCouleView", "seq status reason ply width height captains anchor deadline winner ships"
)
PLAYING, FINISHED = 2, 3
DRAW = 2

_addresses = iter(range(0xCAFE000, 0xCAFE000 + 10_000))


class ToucheCouleTable:
    """A match between the node's first accounts. `ships` contains the number of built-in ships of
    each account."""

    def __init__(self, game: Contract, width: int = 12, height: int = 12, *ships: int, captains: bool = False) -> None:
        self.game = game
        self.node = game.node
        self.accounts = game.node.accounts
        self.match = game.send(self.accounts[0], "create", width, height, captains).events[0].match
        for player, count in enumerate(ships):
            for _ in range(count):
                self.register(player)

    def register(self, player: int, captain: str | None = None) -> ContractReceipt:
        if captain is None:
            return self.send(player, "register(uint48)")
        return self.send(player, "register(uint48,address)", captain)

    def deploy_code(self, code: str) -> str:
        """Install this bytecode at a new address, and return the address."""
        address = to_checksum_address(f"0x{next(_addresses):040x}")
        self.node.rpc("anvil_setCode", address, code)
        return address

    def register_captain_code(self, player: int, code: str) -> str:
        """Register a ship with a captain that runs this bytecode. Return the captain's address."""
        captain = self.deploy_code(code)
        self.register(player, captain)
        return captain

    def send(self, player: int, function: str, *args: Any, **options: Any) -> ContractReceipt:
        return self.game.send(self.accounts[player], function, self.match, *args, **options)

    def start(self, player: int = 0) -> ContractReceipt:
        return self.send(player, "turn", 0)

    def turn(self, player: int = 0, **options: Any) -> ContractReceipt:
        """Play the next turn in the first block that allows it."""
        self.node.mine()
        return self.send(player, "turn", self.view.ply, **options)

    def turns(self, count: int, player: int = 0) -> list[ContractReceipt]:
        return [self.turn(player) for _ in range(count)]

    @property
    def view(self) -> ToucheCouleView:
        *head, winner, ships = self.game.call("board", self.match)
        views = [ShipView(to_checksum_address(s[0]), to_checksum_address(s[1]), *s[2:]) for s in ships]
        return ToucheCouleView(*head, to_checksum_address(winner), views)

    def ship_view(self, ship: int) -> ShipView:
        found = self.view.ships[ship - 1]
        assert isinstance(found, ShipView)
        return found

    def address(self, ship: int) -> str:
        return to_checksum_address(self.game.call("shipAddress", self.match, ship))

    def fired(self, ship: int) -> list[int]:
        """Return the map of a built-in ship as a list of storage words. Each word has 256 cells."""
        view = self.view
        words = range((view.width * view.height + 255) // 256)
        reads = [("eth_getStorageAt", self.address(ship), hex(word), "latest") for word in words]
        return [int(word, 16) for word in self.node.batch(reads)]


def shots(receipt: ContractReceipt) -> dict[int, int]:
    """Return the volley in this receipt. It maps each ship's number to the cell at which the ship
    has fired."""
    (fired,) = receipt.named("Fired")
    data = fired["shots"][2:]
    numbers = (int(data[at : at + 6], 16) for at in range(0, len(data), 6))
    return {number >> 12: number & 0xFFF for number in numbers}
