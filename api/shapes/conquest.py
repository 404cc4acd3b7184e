"""Conquest's own interface: its commands, its state as the original tells it, and commands as transactions."""

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
    about("what is drawn: who plays first, whether an item appears, the luck of attacks, or what an item is", "battle"),
]
ITEMS = (
    "0 none, 1 distant attack, 2 attacks at full power, 3 attack and port, 4 two turns, 5 and 6 soldiers, 7 a land, "
    "8 fat bonus"
)


class InteractionShape(Shape):
    """Two lands, by their numbers: from the first to the second."""

    landOne: Land
    landTwo: Annotated[int, about("a land's number", 13, ge=0, le=255)]


class CarriedOutDrawShape(Shape):
    """What chance decided, and by which block."""

    kind: DrawKind
    block: Annotated[int, about("the block whose hash is the seed", 121)]
    seed: Annotated[str, about("32 bytes; zero: the chain knew the hash no more", example_hash("5f"), pattern=HASH)]


class OpenDrawShape(Shape):
    """What chance is to decide: from the block after this one on by `settle`, or by the next command."""

    kind: DrawKind
    block: Annotated[int, about("the block whose hash will be the seed", 121)]


class CommandShape(Shape):
    """A command of the history."""

    index: Annotated[int, about("its number, from 0 on without a hole", 12, ge=0)]
    type: CommandType
    playerId: Seat
    landId: NotRequired[Annotated[int, about("the land, of the types 0 to 2", 12)]]
    interactions: NotRequired[
        Annotated[list[InteractionShape], about("the lands of the types 5 and 6; of a move one pair")]
    ]
    ratio: NotRequired[Annotated[float, about("the part of the soldiers that moved: 0.25, 0.5, 0.75 or 1")]]
    hero: NotRequired[Annotated[bool, about("whether the hero went with them")]]
    phaseOnly: NotRequired[Annotated[bool, about("true: only the phase was passed, not the turn")]]
    forced: NotRequired[Annotated[bool, about("true: a pass that the clock gave")]]
    draw: NotRequired[Annotated[CarriedOutDrawShape, about("carried out before it; absent: none")]]


class CommandsShape(Shape):
    """The history of a match from a command on: executed in order, each after its draw, they give its state."""

    match: Name
    commands: Annotated[list[CommandShape], about("by their indices; empty: there are no newer ones")]
    draw: NotRequired[
        Annotated[
            CarriedOutDrawShape,
            about("carried out after the last command; it is that of the next command, too, once there is one"),
        ]
    ]


class ColorShape(Shape):
    """A colour."""

    r: Annotated[int, about("red", 230, ge=0, le=255)]
    g: Annotated[int, about("green", 159, ge=0, le=255)]
    b: Annotated[int, about("blue", 0, ge=0, le=255)]


class ConquestPlayerShape(Shape):
    """A player."""

    id: Seat
    account: Address
    alive: Annotated[bool, about("false: out", True)]
    deadHero: Annotated[bool, about("whether a hero was there and is not any more", False)]
    storedItem: Annotated[int, about(f"{ITEMS}; public, as everything on a chain", 0, ge=0, le=8)]
    color: Annotated[ColorShape, about("as the page has it")]
    headquarters: NotRequired[Annotated[int, about("the capital's land; absent: not chosen, or lost", 12)]]
    heroPosition: NotRequired[Annotated[int, about("the hero's land; absent: no hero")]]


class LandShape(Shape):
    """A land."""

    id: Land
    neighborLands: Annotated[list[int], about("lands on which it borders", [11, 13])]
    type: Annotated[int, about("1 desert, 2 forest, 3 mountain, 4 coastal, 5 meadow", 5, ge=1, le=5)]
    fort: Annotated[bool, about("whether it has a fort", False)]
    ports: Annotated[bool, about("whether ports were built", False)]
    soldiersNumber: Annotated[int, about("soldiers there", 25, ge=0, le=99_999)]
    item: Annotated[
        int, about("8: a fat bonus lies here; 0: none, or one whose kind nobody knows before it is taken", 0)
    ]
    itemLifeTime: Annotated[int, about("turns for which the item lies here yet; 0: none lies here", 0, ge=0, le=4)]
    owner: NotRequired[Annotated[int, about("the owner's seat; absent: neutral")]]


class CellShape(Shape):
    """A cell of the map, 64 by 64."""

    x: Annotated[int, about("from the left", 0, ge=0, le=63)]
    y: Annotated[int, about("from the top", 0, ge=0, le=63)]
    land: Annotated[int, about("the land that it is of; 128 and more: 128 + the number of its body of water", 12)]


class ConquestStateShape(Shape):
    """A match after one of its events."""

    match: Name
    seq: EventNumber
    block: Annotated[BlockShape, about("the block of that event")]
    address: Contract
    status: Status
    reason: NotRequired[Annotated[str, about("how it ended; absent: it has not")]]
    winner: NotRequired[Annotated[int, about("who has won, by seat; absent: nobody")]]
    commands: Annotated[int, about("commands so far: the index of the next one", 12, ge=0)]
    trail: Annotated[
        int, about("what the next command names beside its index, after an open draw another one", 3735928559)
    ]
    currentStep: NotRequired[
        Annotated[int, about("0 reinforcement, 1 action, 2 move, 3 choice of capitals; absent: not played", 0)]
    ]
    currentPlayer: NotRequired[Annotated[int, about("who is to move, by seat; absent: nobody", 1)]]
    first: NotRequired[Annotated[int, about("who plays first, by seat; absent: not drawn yet", 1)]]
    activatedItem: Annotated[int, about(f"the item in use this turn, the highest of several: {ITEMS}", 0)]
    activatedItems: Annotated[list[int], about("all of them", [])]
    draw: NotRequired[Annotated[OpenDrawShape, about("what chance is to decide yet; absent: nothing")]]
    seatCount: Annotated[int, about("for how many players it is", 2, ge=2, le=6)]
    seed: Annotated[str, about("the seed of the map", example_hash("a4"), pattern=HASH)]
    grain: Annotated[int, about("cells of a land in the mean", 60, ge=48, le=200)]
    graph: Annotated[str, about("the map's graph, as the contract has it", "0x0801", pattern="^0x[0-9a-f]*$")]
    players: Annotated[list[ConquestPlayerShape], about("by their seats")]
    lands: Annotated[list[LandShape], about("by their numbers")]
    cells: NotRequired[
        Annotated[
            list[CellShape], about("row by row; absent: not asked for, or the graph is not the seed's: a foreign map")
        ]
    ]


PrepareRequest = TypedDict(
    "PrepareRequest",
    {
        "from": Annotated[
            str,
            about(
                "the account that will sign: that of the player",
                ALICE,
                pattern=ADDRESS,
                json_schema_extra={"format": "address"},
            ),
        ],
        "type": CommandType,
        "playerId": Seat,
        "landId": NotRequired[Annotated[int, about("of the types 0 to 2: the land", 12)]],
        "interactions": NotRequired[
            Annotated[list[InteractionShape], about("of type 5: a neutral land to capture, or enemies to attack")]
        ],
        "interaction": NotRequired[Annotated[InteractionShape, about("of type 6: from where to where")]],
        "ratio": NotRequired[Annotated[float, about("of type 6: 0.25, 0.5, 0.75 or 1 of the soldiers")]],
        "hero": NotRequired[Annotated[bool, about("of type 6: whether the hero goes with them")]],
        "phaseOnly": NotRequired[Annotated[bool, about("of type 3: true: only the phase, not the turn")]],
        "index": NotRequired[Annotated[int, about("commands that the player knows; absent: as many as there are")]],
        "trail": NotRequired[Annotated[int, about("the trail that the player knows; absent: the present one")]],
    },
)
PrepareRequest.__doc__ = "A command of the original, who signs it, and the position that it answers."
PreparedShape = TypedDict(
    "PreparedShape",
    {
        "from": Address,
        "to": Contract,
        "data": Annotated[str, about("the call", "0x1b9a91a4", pattern="^0x[0-9a-f]*$")],
        "value": Annotated[str, about("wei: none", "0x0")],
        "gas": Annotated[str, about("a limit that suffices", "0x1d4c0")],
        "chainId": Annotated[str, about("the chain", "0x7a69")],
    },
)
PreparedShape.__doc__ = (
    "A transaction without a signature, as eth_sendTransaction takes it: nonce and fees are the signer's."
)

SHAPES = (CommandsShape, ConquestStateShape, PrepareRequest, PreparedShape)
