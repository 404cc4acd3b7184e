"""The reducers for Touché Coulé. They fold the events of a match into its board.

The board has these fields:
- status, ply, width, height, captains; after the end, reason, and winner if there is one
- anchor: the last block in which a turn was played or a ship changed its position
- deadline: in seconds since 1970, or 0 before the first turn
- afloat: the number of ships afloat
- players: keyed by address, each with seat, ships
- ships: keyed by number, each with owner, x, y, afloat, ready, captain, ally, fired
- volley: all shots of the last turn: turn, shots, sunk

The field `fired` of a built-in ship marks the cells at which the ship or its ally has fired. Its
keys are word numbers, and its values are bitmap words: bit i of word w is cell 256 * w + i."""

from __future__ import annotations

from indexer.gamekit.contract_view import match_from_board, match_from_contract, seats
from indexer.gamekit.game import Action, Game, Input
from indexer.gamekit.lifecycle import NOBODY, SECONDS_PER_DAY, ended, is_overdue, started, with_player, without
from indexer.model import Event, Json

REST_TURNS = 5
"""The number of turns that a ship must stay in place after the player has placed or moved it."""
IDLE_SECONDS = SECONDS_PER_DAY
"""If nobody plays a turn for this number of seconds, anyone can end the match as expired."""
WORD_BITS = 256

START: Json = {"status": "none", "ply": 0, "players": {}, "ships": {}, "afloat": 0, "anchor": 0, "deadline": 0}


def created(board: Json, _event: Event) -> Json:
    return {**board, "status": "open"}


def sized(board: Json, event: Event) -> Json:
    args = event.args
    return {**board, "width": args["width"], "height": args["height"], "captains": args["captains"]}


def joined(board: Json, event: Event) -> Json:
    return with_player(board, event.args["player"], seat=event.args["seat"], ships=[])


def registered(board: Json, event: Event) -> Json:
    args = event.args
    owner, number = args["owner"], args["ship"]
    own = board["players"][owner]["ships"]
    ship: Json = {"owner": owner, "x": args["x"], "y": args["y"], "afloat": True, "ready": REST_TURNS, "fired": {}}
    if args["captain"] != NOBODY:
        del ship["fired"]
        ship["captain"] = args["captain"]
    ships = {**board["ships"], str(number): ship}
    for ally in own:
        ship["ally"] = ally
        ships[str(ally)] = {**ships[str(ally)], "ally": number}
    return {**with_player(board, owner, ships=[*own, number]), "ships": ships, "afloat": board["afloat"] + 1}


def fired(board: Json, event: Event) -> Json:
    shots = _shots(event.args["shots"])
    ships = dict(board["ships"])
    for number, cell in shots.items():
        ship = ships[number]
        if "fired" in ship:
            ships[number] = {**ship, "fired": _with_cell(ship["fired"], cell)}
    return {**board, "ships": ships, "volley": {"turn": board["ply"], "shots": shots, "sunk": []}}


def touched(board: Json, event: Event) -> Json:
    number = event.args["ship"]
    volley = board["volley"]
    return {
        **_with(board, number, afloat=False),
        "afloat": board["afloat"] - 1,
        "volley": {**volley, "sunk": [*volley["sunk"], number]},
    }


def moved(board: Json, event: Event) -> Json:
    args = event.args
    x, y = args["x"], args["y"]
    changes: Json = {"x": x, "y": y, "ready": board["ply"] + REST_TURNS}
    ship = board["ships"][str(args["ship"])]
    if "fired" in ship:
        changes["fired"] = _without_cell(ship["fired"], y * board["width"] + x)
    return {**_with(board, args["ship"], **changes), "anchor": event.height}


def communicated(board: Json, event: Event) -> Json:
    a, b = event.args["a"], event.args["b"]
    first, second = board["ships"][str(a)], board["ships"][str(b)]
    width = board["width"]
    after = _with(board, a, fired=_merged(first["fired"], second["fired"], first["y"] * width + first["x"]))
    return _with(after, b, fired=_merged(second["fired"], first["fired"], second["y"] * width + second["x"]))


def turn_played(board: Json, event: Event) -> Json:
    return {**board, "ply": event.args["turnNo"] + 1, "anchor": event.height, "deadline": event.time + IDLE_SECONDS}


def waits_for(board: Json) -> int | None:
    """Return the anchor while the match is in progress. The chain must pass this block, because the
    randomness of turns and moves comes from a later block."""
    anchor: int = board["anchor"]
    return anchor if board["status"] == "playing" else None


def overdue(board: Json, now: int) -> str | None:
    """Return the action `expire` if nobody has played a turn for a day, or None."""
    return "expire" if is_overdue(board, now) else None


def _with(board: Json, number: int, **changes: object) -> Json:
    ships = board["ships"]
    return {**board, "ships": {**ships, str(number): {**ships[str(number)], **changes}}}


def _shots(data: str) -> dict[str, int]:
    """Decode the shots of a turn, and return the target cell of each ship. The key is the ship's
    number. A shot has three bytes: 12 bits for the ship and 12 bits for the cell."""
    numbers = (int(data[at : at + 6], 16) for at in range(2, len(data), 6))
    return {str(number >> 12): number & 0xFFF for number in numbers}


def _with_cell(words: dict[str, str], cell: int) -> dict[str, str]:
    """Mark a cell in a ship's map as fired at. If the cell was already marked, the ship had fired
    at all cells, and the contract has cleared the bitmap word with this cell."""
    key, bit = str(cell // WORD_BITS), 1 << cell % WORD_BITS
    word = int(words.get(key, "0x0"), 16)
    return {**words, key: _hex(bit if word & bit else word | bit)}


def _without_cell(words: dict[str, str], cell: int) -> dict[str, str]:
    key, bit = str(cell // WORD_BITS), 1 << cell % WORD_BITS
    word = int(words.get(key, "0x0"), 16)
    if not word & bit:
        return words
    others = without(words, key)  # a word without bits is not stored
    return {**others, key: _hex(word & ~bit)} if word & ~bit else others


def _merged(mine: dict[str, str], theirs: dict[str, str], own: int) -> dict[str, str]:
    both = {key: _hex(int(mine.get(key, "0x0"), 16) | int(word, 16)) for key, word in theirs.items()}
    return _without_cell({**mine, **both}, own)


def _hex(word: int) -> str:
    return f"0x{word:064x}"


SHARED_FIELDS = ("width", "height", "captains", "anchor")


def from_contract(contract_view: Json) -> Json:
    """Convert the contract's view of a match. It doesn't contain the ships' maps (`fired`)."""
    ships = contract_view["ships"]
    return {
        **match_from_contract(contract_view),
        **{key: contract_view[key] for key in SHARED_FIELDS},
        "afloat": sum(ship["afloat"] for ship in ships),
        "owners": list(dict.fromkeys(ship["owner"] for ship in ships)),
        "ships": {str(number): _ship(ship, contract_view["width"]) for number, ship in enumerate(ships, start=1)},
    }


def _ship(ship: Json, width: int) -> Json:
    y, x = divmod(ship["cell"], width)
    found = {"owner": ship["owner"], "x": x, "y": y, "afloat": ship["afloat"], "ready": ship["readyAt"]}
    return found if ship["captain"] == NOBODY else {**found, "captain": ship["captain"]}


def from_board(board: Json) -> Json:
    ships = {
        number: {key: value for key, value in ship.items() if key not in ("fired", "ally")}
        for number, ship in board["ships"].items()
    }
    shared = {key: board[key] for key in (*SHARED_FIELDS, "afloat")}
    return {**match_from_board(board), **shared, "owners": seats(board), "ships": ships}


GAME = Game(
    slug="touche-coule",
    title="Touché Coulé",
    contract="ToucheCoule",
    layout="grid",
    start=START,
    reducers={
        "MatchCreated": created,
        "Size": sized,
        "PlayerJoined": joined,
        "Registered": registered,
        "MatchStarted": started,
        "Fired": fired,
        "Touched": touched,
        "Moved": moved,
        "Communicated": communicated,
        "TurnPlayed": turn_played,
        "MatchEnded": ended,
    },
    actions=(
        Action(
            "create",
            "New match",
            (
                Input("width", "Width", "int", 2, 64, 12),
                Input("height", "Height", "int", 2, 64, 12),
                Input("captains", "Allow captains: contracts that decide where a ship fires", "bool", default=False),
            ),
            gas=120_000,
            usual_gas=62_000,
        ),
        Action("register", "Register", gas=250_000, usual_gas=149_000),
        Action(
            "register",
            "Register a captain",
            (Input("captain", "Contract that fires for the ship", "address"),),
            gas=250_000,
            usual_gas=125_000,
        ),
        Action("turn", "Turn", gas=60_000, usual_gas=99_000, gas_each=60_000, gas_of="afloat"),
        Action("changePosition", "Change position", gas=200_000, usual_gas=77_000),
        Action("communicate", "Communicate", gas=600_000, usual_gas=67_000),
        Action("expire", "Expire", gas=100_000, usual_gas=30_000),
    ),
    companions=("AimCaptain", "SweepCaptain"),
    waits_for_block_after=waits_for,
    overdue=overdue,
    from_contract=from_contract,
    from_board=from_board,
)
