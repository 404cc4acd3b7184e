"""Shapes for one game, Conquest: its commands, its state in the original game's format, and
unsigned transactions for commands."""

from typing import Annotated, Literal, NotRequired

from typing_extensions import TypedDict

from api.shapes.blocks import BlockShape
from api.shapes.fields import ADDRESS, ALICE, HASH, Address, Contract, EventNumber, Shape, Status, about, example_hash

Name = Annotated[str, about("the match's name: `conquest/<id>`", "conquest/7")]
Seat = Annotated[int, about("the player's seat, from 0 to 5", 1, ge=0, le=5)]
Land = Annotated[int, about("the land's number, starting at 0", 12, ge=0, le=255)]
CommandType = Annotated[
    int,
    about(
        "the kind of command: 0 choose capital, 1 choose reinforcement, 2 build port, 3 pass, 4 surrender, "
        "5 attack or capture, 6 move, 7 use item",
        5,
        ge=0,
        le=7,
    ),
]
DrawKind = Annotated[
    Literal["first", "turn", "battle", "collect"],
    about(
        "the purpose of the random draw: first (which seat has the first turn), turn (whether an item appears), "
        "battle (the luck of attacks), or collect (the kind of a collected item)",
        "battle",
    ),
]
ITEMS = "item 1: distant attack; item 2: full-power attacks; item 3: attack and port; item 4: two turns"
"""The items that a player can store and use later. All other items take effect when a player
collects them."""


class InteractionShape(Shape):
    """A pair of lands. The soldiers on `landOne` attack `landTwo`, capture it or move to it."""

    landOne: Annotated[int, about("the number of the land where the soldiers start", 12, ge=0, le=255)]
    landTwo: Annotated[int, about("the number of the land that they attack, capture or move to", 13, ge=0, le=255)]


class CarriedOutDrawShape(Shape):
    """A random draw that has been carried out, with the block whose hash decided it."""

    kind: DrawKind
    block: Annotated[int, about("the height of the block whose hash decided the draw", 121)]
    seed: Annotated[
        str,
        about(
            "the hash of the block that decided the draw; all zeros if the block was too old for the contract",
            example_hash("5f"),
            pattern=HASH,
        ),
    ]


class OpenDrawShape(Shape):
    """A pending random draw. The hash of a block decides the result. After that block, the next
    command carries out the draw, unless somebody calls `settle` first."""

    kind: DrawKind
    block: Annotated[int, about("the height of the block whose hash decides the draw; may be a future block", 121)]


class CommandShape(Shape):
    """A command in a match's history."""

    index: Annotated[int, about("the command's number within the match, starting at 0, without gaps", 12, ge=0)]
    type: CommandType
    playerId: Seat
    landId: NotRequired[Annotated[int, about("the number of the chosen land; absent unless `type` is 0, 1 or 2", 12)]]
    interactions: NotRequired[
        Annotated[
            list[InteractionShape],
            about("the pairs of lands: one per attack, or exactly one for a capture or a move; otherwise absent"),
        ]
    ]
    ratio: NotRequired[
        Annotated[float, about("the share of the soldiers that moved: 0.25, 0.5, 0.75 or 1; absent unless `type` is 6")]
    ]
    hero: NotRequired[Annotated[bool, about("true if the hero moved with the soldiers; absent unless `type` is 6")]]
    phaseOnly: NotRequired[
        Annotated[bool, about("true if the player passed only the action phase, not the whole turn; otherwise absent")]
    ]
    forced: NotRequired[
        Annotated[bool, about("true if the player was made to pass because the time had run out; otherwise absent")]
    ]
    draw: NotRequired[
        Annotated[CarriedOutDrawShape, about("the random draw made just before the command; absent if there was none")]
    ]


class CommandsShape(Shape):
    """A match's commands, starting at a given index. To get the match's state, execute all commands
    in order, each after its draw."""

    match: Name
    commands: Annotated[
        list[CommandShape], about("the commands in the order of `index`; empty if the client already has all commands")
    ]
    draw: NotRequired[
        Annotated[CarriedOutDrawShape, about("the random draw made after the last command; absent if there was none")]
    ]


class ColorShape(Shape):
    """A player's colour."""

    r: Annotated[int, about("the red component, 0 to 255", 230, ge=0, le=255)]
    g: Annotated[int, about("the green component, 0 to 255", 159, ge=0, le=255)]
    b: Annotated[int, about("the blue component, 0 to 255", 0, ge=0, le=255)]


class ConquestPlayerShape(Shape):
    """A player in the match."""

    id: Seat
    account: Annotated[Address, about("the player's account")]
    alive: Annotated[bool, about("true until the player is out of the match", True)]
    deadHero: Annotated[bool, about("true if the player's hero has died", False)]
    storedItem: Annotated[int, about(f"the number of the stored item, or 0 for none. {ITEMS}", 0, ge=0, le=8)]
    color: Annotated[ColorShape, about("the player's colour on the page")]
    headquarters: NotRequired[
        Annotated[
            int, about("the number of the land with the player's capital; absent if the player has no capital", 12)
        ]
    ]
    heroPosition: NotRequired[
        Annotated[int, about("the number of the land where the player's hero stands; absent if the player has no hero")]
    ]


class LandShape(Shape):
    """A land on the map."""

    id: Land
    neighborLands: Annotated[list[int], about("the numbers of the lands that share a border with this land", [11, 13])]
    type: Annotated[int, about("the kind of land: 1 desert, 2 forest, 3 mountain, 4 coastal, 5 meadow", 5, ge=1, le=5)]
    fort: Annotated[bool, about("true if the land has a fort", False)]
    ports: Annotated[bool, about("true if the land has a port", False)]
    soldiersNumber: Annotated[int, about("the number of soldiers on the land, at most 99,999", 25, ge=0, le=99_999)]
    item: Annotated[
        int,
        about(
            "the number of the item on the land: 8 for the fat bonus; 0 if there is no item, or if the item's "
            "kind is decided when a player takes it",
            0,
        ),
    ]
    itemLifeTime: Annotated[
        int,
        about(
            "the number of turns until the item disappears, including this turn; 0 if there is no item", 0, ge=0, le=4
        ),
    ]
    owner: NotRequired[Annotated[int, about("the owner's seat; absent if the land is neutral")]]


class CellShape(Shape):
    """A cell of the map. The map has 64 by 64 cells."""

    x: Annotated[int, about("the cell's column, from 0 (left) to 63", 0, ge=0, le=63)]
    y: Annotated[int, about("the cell's row, from 0 (top) to 63", 0, ge=0, le=63)]
    land: Annotated[
        int, about("the number of the cell's land; for a water cell, 128 plus the number of its body of water", 12)
    ]


class ConquestStateShape(Shape):
    """The state of a match after one of its events, in the original game's format."""

    match: Name
    seq: Annotated[EventNumber, about("the number of the last event that is included in this state")]
    block: Annotated[BlockShape, about("the block that contains the event `seq`")]
    address: Annotated[Contract, about("the contract that holds the match")]
    status: Status
    reason: NotRequired[
        Annotated[str, about("the result: won, draw, resigned, timeout or cancelled; absent until the match ends")]
    ]
    winner: NotRequired[Annotated[int, about("the winner's seat; absent if the match hasn't ended or nobody won")]]
    commands: Annotated[int, about("the number of commands so far, which is the next command's `index`", 12, ge=0)]
    trail: Annotated[
        int, about("a 32-bit hash of the match's history; it changes with each command and random draw", 3735928559)
    ]
    currentStep: NotRequired[
        Annotated[
            int,
            about(
                "the phase: 0 reinforcement, 1 action, 2 move, 3 choice of capitals; "
                "absent unless the match is in progress",
                0,
            ),
        ]
    ]
    currentPlayer: NotRequired[
        Annotated[int, about("the seat of the player whose turn it is; absent if no player can move", 1)]
    ]
    first: NotRequired[
        Annotated[int, about("the seat of the player with the first turn; absent until it has been drawn", 1)]
    ]
    activatedItem: Annotated[int, about("the highest number in `activatedItems`; 0 if no item is in use this turn", 0)]
    activatedItems: Annotated[list[int], about(f"the numbers of the items in use this turn. {ITEMS}", [])]
    draw: NotRequired[Annotated[OpenDrawShape, about("the pending random draw; absent if there is none")]]
    seatCount: Annotated[int, about("the number of seats, 2 to 6", 2, ge=2, le=6)]
    seed: Annotated[
        str, about("the seed for the map, from the player who opened the match", example_hash("a4"), pattern=HASH)
    ]
    grain: Annotated[int, about("the average number of cells per land, 48 to 200", 60, ge=48, le=200)]
    graph: Annotated[
        str,
        about(
            "the map's lands, borders and waters as 0x hex, in the format of the `Map` event",
            "0x0801",
            pattern="^0x[0-9a-f]*$",
        ),
    ]
    players: Annotated[list[ConquestPlayerShape], about("the players, ordered by seat")]
    lands: Annotated[list[LandShape], about("the lands, ordered by number")]
    cells: NotRequired[
        Annotated[
            list[CellShape],
            about(
                "the map's cells, row by row; absent with `cells=false`, or if `seed` doesn't generate the "
                "map in `graph`"
            ),
        ]
    ]


PrepareRequest = TypedDict(
    "PrepareRequest",
    {
        "from": Annotated[
            str,
            about(
                "the player's account, which will sign the transaction",
                ALICE,
                pattern=ADDRESS,
                json_schema_extra={"format": "address"},
            ),
        ],
        "type": CommandType,
        "playerId": Seat,
        "landId": NotRequired[
            Annotated[int, about("the number of the land to choose; required if `type` is 0, 1 or 2", 12)]
        ],
        "interactions": NotRequired[
            Annotated[
                list[InteractionShape],
                about("the pairs of lands: one for each attack, or exactly one for a capture; required if `type` is 5"),
            ]
        ],
        "interaction": NotRequired[
            Annotated[
                InteractionShape,
                about("the land that the soldiers leave and the land that they reach; required if `type` is 6"),
            ]
        ],
        "ratio": NotRequired[
            Annotated[
                float, about("the share of the soldiers that moves: 0.25, 0.5, 0.75 or 1; required if `type` is 6")
            ]
        ],
        "hero": NotRequired[
            Annotated[bool, about("true if the hero moves with the soldiers; required if `type` is 6")]
        ],
        "phaseOnly": NotRequired[
            Annotated[bool, about("true to pass only the action phase; absent or false to end the turn")]
        ],
        "index": NotRequired[
            Annotated[int, about("the number of commands that the player has seen; absent if that is all of them")]
        ],
        "trail": NotRequired[
            Annotated[
                int, about("the `trail` that the player has seen, after any pending draw; absent for the current one")
            ]
        ],
    },
)
PrepareRequest.__doc__ = (
    "A command in the original game's format, the account that signs it, and the position that the player has seen."
)
PreparedShape = TypedDict(
    "PreparedShape",
    {
        "from": Annotated[Address, about("the player's account, which must sign the transaction")],
        "to": Annotated[Contract, about("the contract that holds the match")],
        "data": Annotated[str, about("the transaction's call data, as 0x hex", "0x1b9a91a4", pattern="^0x[0-9a-f]*$")],
        "value": Annotated[str, about("the amount to send in wei, as 0x hex; always 0x0", "0x0")],
        "gas": Annotated[str, about("a sufficient gas limit, as 0x hex", "0x1d4c0")],
        "chainId": Annotated[str, about("the chain's id, as 0x hex", "0x7a69")],
    },
)
PreparedShape.__doc__ = "An unsigned transaction for eth_sendTransaction. The signer chooses the nonce and the fees."

SHAPES = (CommandsShape, ConquestStateShape, PrepareRequest, PreparedShape)
