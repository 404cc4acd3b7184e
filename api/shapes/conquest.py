"""Shapes for one game, Conquest: its commands, its state in the original game's format, and
commands as transactions."""

from typing import Annotated, Literal, NotRequired

from typing_extensions import TypedDict

from api.shapes.blocks import BlockShape
from api.shapes.fields import ADDRESS, ALICE, HASH, Address, Contract, EventNumber, Shape, Status, about, example_hash

Name = Annotated[str, about("the match's name", "conquest/7")]
Seat = Annotated[int, about("a player's seat", 1, ge=0, le=5)]
Land = Annotated[int, about("a land's number", 12, ge=0, le=255)]
CommandType = Annotated[
    int,
    about(
        "0 choose capital, 1 choose reinforcement, 2 build port, 3 pass, 4 surrender, 5 attack or capture, 6 move, "
        "7 use item",
        5,
        ge=0,
        le=7,
    ),
]
DrawKind = Annotated[
    Literal["first", "turn", "battle", "collect"],
    about(
        "what chance decides: the first player, whether an item appears, the luck of attacks, or the kind of an item",
        "battle",
    ),
]
ITEMS = (
    "0 none, 1 distant attack, 2 attacks at full power, 3 attack and port, 4 two turns, 5 more soldiers, "
    "6 fewer soldiers, 7 a lost land, 8 the fat bonus"
)


class InteractionShape(Shape):
    """The numbers of two lands. The soldiers on the first land act on the second land."""

    landOne: Land
    landTwo: Annotated[int, about("a land's number", 13, ge=0, le=255)]


class CarriedOutDrawShape(Shape):
    """A draw that has been carried out, with the block whose hash decided it."""

    kind: DrawKind
    block: Annotated[int, about("the block whose hash is the seed", 121)]
    seed: Annotated[str, about("32 bytes; zero if the chain no longer knew the hash", example_hash("5f"), pattern=HASH)]


class OpenDrawShape(Shape):
    """A pending draw, which the hash of a future block decides. After that block, the draw is
    carried out by `settle` or by the next command."""

    kind: DrawKind
    block: Annotated[int, about("the block whose hash will be the seed", 121)]


class CommandShape(Shape):
    """A command in a match's history."""

    index: Annotated[int, about("the command's number, starting at 0, without gaps", 12, ge=0)]
    type: CommandType
    playerId: Seat
    landId: NotRequired[Annotated[int, about("the land, for types 0 to 2", 12)]]
    interactions: NotRequired[
        Annotated[list[InteractionShape], about("pairs of lands, for types 5 and 6; a move has one pair")]
    ]
    ratio: NotRequired[Annotated[float, about("the share of the soldiers that moved: 0.25, 0.5, 0.75 or 1")]]
    hero: NotRequired[Annotated[bool, about("true if the hero went with the soldiers")]]
    phaseOnly: NotRequired[Annotated[bool, about("true if the player passed only the phase and not the turn")]]
    forced: NotRequired[Annotated[bool, about("true if the turn was passed because the player's time had run out")]]
    draw: NotRequired[Annotated[CarriedOutDrawShape, about("the draw before the command; if absent, there was none")]]


class CommandsShape(Shape):
    """A match's commands from a given index on. To get the match's state, execute the commands in
    order, each after its draw."""

    match: Name
    commands: Annotated[list[CommandShape], about("in order of index; empty if there are no newer commands")]
    draw: NotRequired[
        Annotated[
            CarriedOutDrawShape,
            about("the draw after the last command; it will also be the `draw` of the next command"),
        ]
    ]


class ColorShape(Shape):
    """A player's colour."""

    r: Annotated[int, about("red", 230, ge=0, le=255)]
    g: Annotated[int, about("green", 159, ge=0, le=255)]
    b: Annotated[int, about("blue", 0, ge=0, le=255)]


class ConquestPlayerShape(Shape):
    """A player in the match."""

    id: Seat
    account: Address
    alive: Annotated[bool, about("false if the player is out of the match", True)]
    deadHero: Annotated[bool, about("true if the player had a hero and has lost it", False)]
    storedItem: Annotated[int, about(f"{ITEMS}; anyone can see it on the chain", 0, ge=0, le=8)]
    color: Annotated[ColorShape, about("the player's colour on the page")]
    headquarters: NotRequired[
        Annotated[
            int,
            about("the capital's land; absent before the player chooses a capital and after the player loses it", 12),
        ]
    ]
    heroPosition: NotRequired[Annotated[int, about("the hero's land; if absent, there is no hero")]]


class LandShape(Shape):
    """A land on the map."""

    id: Land
    neighborLands: Annotated[list[int], about("adjacent lands", [11, 13])]
    type: Annotated[int, about("1 desert, 2 forest, 3 mountain, 4 coastal, 5 meadow", 5, ge=1, le=5)]
    fort: Annotated[bool, about("true if the land has a fort", False)]
    ports: Annotated[bool, about("true if the land has ports", False)]
    soldiersNumber: Annotated[int, about("the number of soldiers on the land", 25, ge=0, le=99_999)]
    item: Annotated[
        int,
        about("8 for a fat bonus; 0 for no item, and for an item whose kind is decided only when a player takes it", 0),
    ]
    itemLifeTime: Annotated[int, about("turns until the item here disappears; 0 if there is no item", 0, ge=0, le=4)]
    owner: NotRequired[Annotated[int, about("the owner's seat; if absent, the land is neutral")]]


class CellShape(Shape):
    """A cell of the map. The map has 64 by 64 cells."""

    x: Annotated[int, about("the column, from the left", 0, ge=0, le=63)]
    y: Annotated[int, about("the row, from the top", 0, ge=0, le=63)]
    land: Annotated[int, about("the cell's land, or 128 + the number of its body of water", 12)]


class ConquestStateShape(Shape):
    """The state of a match after one of its events."""

    match: Name
    seq: EventNumber
    block: Annotated[BlockShape, about("the block of that event")]
    address: Contract
    status: Status
    reason: NotRequired[Annotated[str, about("how the match ended; if absent, it has not ended")]]
    winner: NotRequired[Annotated[int, about("the winner's seat; if absent, there is no winner")]]
    commands: Annotated[int, about("the number of commands so far, which is the index of the next one", 12, ge=0)]
    trail: Annotated[
        int,
        about("the hash of the history, which the next command must name; a pending draw changes it first", 3735928559),
    ]
    currentStep: NotRequired[
        Annotated[
            int,
            about("0 reinforcement, 1 action, 2 move, 3 choice of capitals; if absent, the match isn't in progress", 0),
        ]
    ]
    currentPlayer: NotRequired[
        Annotated[int, about("the seat of the player to move; absent if no player is to move", 1)]
    ]
    first: NotRequired[Annotated[int, about("the seat of the first player; absent until it has been drawn", 1)]]
    activatedItem: Annotated[int, about(f"the item with the highest number in use this turn: {ITEMS}", 0)]
    activatedItems: Annotated[list[int], about("all items in use this turn", [])]
    draw: NotRequired[Annotated[OpenDrawShape, about("the pending draw; if absent, there is none")]]
    seatCount: Annotated[int, about("the number of seats", 2, ge=2, le=6)]
    seed: Annotated[str, about("the seed of the map", example_hash("a4"), pattern=HASH)]
    grain: Annotated[int, about("the average number of cells per land", 60, ge=48, le=200)]
    graph: Annotated[str, about("the map's graph, in the contract's format", "0x0801", pattern="^0x[0-9a-f]*$")]
    players: Annotated[list[ConquestPlayerShape], about("the players by seat")]
    lands: Annotated[list[LandShape], about("the lands by number")]
    cells: NotRequired[
        Annotated[
            list[CellShape],
            about("the cells row by row; absent with `cells=false`, or if the seed doesn't generate this graph"),
        ]
    ]


PrepareRequest = TypedDict(
    "PrepareRequest",
    {
        "from": Annotated[
            str,
            about(
                "the player's account, which signs the transaction",
                ALICE,
                pattern=ADDRESS,
                json_schema_extra={"format": "address"},
            ),
        ],
        "type": CommandType,
        "playerId": Seat,
        "landId": NotRequired[Annotated[int, about("the land, for types 0 to 2", 12)]],
        "interactions": NotRequired[
            Annotated[
                list[InteractionShape],
                about("for type 5: one pair to capture a neutral land, or a pair for each attack on an enemy's land"),
            ]
        ],
        "interaction": NotRequired[
            Annotated[
                InteractionShape, about("for type 6: the land that the soldiers leave and the land that they reach")
            ]
        ],
        "ratio": NotRequired[Annotated[float, about("for type 6: the share of the soldiers, 0.25, 0.5, 0.75 or 1")]],
        "hero": NotRequired[Annotated[bool, about("for type 6: true if the hero moves with the soldiers")]],
        "phaseOnly": NotRequired[Annotated[bool, about("for type 3: true to pass only the phase and not the turn")]],
        "index": NotRequired[
            Annotated[int, about("the number of commands that the player has seen; if absent, all commands so far")]
        ],
        "trail": NotRequired[Annotated[int, about("the trail that the player has seen; if absent, the current one")]],
    },
)
PrepareRequest.__doc__ = (
    "A command in the original game's format, the account that signs it, and the position that the player has seen."
)
PreparedShape = TypedDict(
    "PreparedShape",
    {
        "from": Address,
        "to": Contract,
        "data": Annotated[str, about("the encoded call", "0x1b9a91a4", pattern="^0x[0-9a-f]*$")],
        "value": Annotated[str, about("the amount of wei, which is always 0", "0x0")],
        "gas": Annotated[str, about("a sufficient gas limit", "0x1d4c0")],
        "chainId": Annotated[str, about("the chain's id", "0x7a69")],
    },
)
PreparedShape.__doc__ = "An unsigned transaction for eth_sendTransaction. The signer chooses the nonce and the fees."

SHAPES = (CommandsShape, ConquestStateShape, PrepareRequest, PreparedShape)
