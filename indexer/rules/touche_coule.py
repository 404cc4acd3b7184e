"""The rules of Touché Coulé: the events that a contract call emits.

Random numbers are derived from block hashes with the contract's algorithm."""

from __future__ import annotations

from eth_utils.crypto import keccak

from indexer.gamekit.lifecycle import NOBODY
from indexer.games.touche_coule import WORD_BITS
from indexer.model import Json
from indexer.rules.call import Call, Emitted, IllegalMove, carry_out, require_status
from indexer.rules.cells import draw, pick, words
from indexer.rules.duel import ended

MIN_SIDE, MAX_SIDE = 2, 64
SHIPS_PER_PLAYER, MAX_SHIPS = 2, 256
HISTORY_SERVE_WINDOW = 8_191
"""The number of recent blocks whose hashes a contract can read (EIP-2935)."""
NO_SEED = "0x" + 64 * "0"


def create(board: Json, call: Call) -> list[Emitted]:
    require_status(board, "none")
    width, height, captains = call.uint("width", 8), call.uint("height", 8), call.flag("captains")
    if not (MIN_SIDE <= width <= MAX_SIDE and MIN_SIDE <= height <= MAX_SIDE):
        raise IllegalMove(f"the width and the height must be {MIN_SIDE} to {MAX_SIDE} cells, not {width} and {height}")
    created = {"creator": call.account, "opponent": NOBODY, "clock": 0, "rematchOf": 0}
    return [("MatchCreated", created), ("Size", {"width": width, "height": height, "captains": captains})]


def register(board: Json, call: Call) -> list[Emitted]:
    """Put a ship on a random free cell. The argument `captain` is a contract that a player wrote
    and that decides where the ship fires. Not every match allows such contracts."""
    require_status(board, "open")
    captain = call.address("captain") if "captain" in call.arguments else NOBODY
    if captain != NOBODY and not board["captains"]:
        raise IllegalMove("this match allows only built-in ships")
    player, number = board["players"].get(call.account), len(board["ships"]) + 1
    if player is not None and len(player["ships"]) == SHIPS_PER_PLAYER:
        raise IllegalMove(f"{call.account} already has its {SHIPS_PER_PLAYER} ships")
    if number > MAX_SHIPS:
        raise IllegalMove(f"a match has at most {MAX_SHIPS} ships")
    block = call.block
    seed = _hashed(int.from_bytes(block.hash_of(block.height - 1)), block.randao, call.match, number)
    y, x = divmod(_free_cell(occupied(board), cells_of(board), seed), board["width"])
    seat: list[Emitted] = [] if player else [("PlayerJoined", {"player": call.account, "seat": len(board["players"])})]
    return [*seat, ("Registered", {"ship": number, "owner": call.account, "x": x, "y": y, "captain": captain})]


def turn(board: Json, call: Call) -> list[Emitted]:
    """Play a turn: all ships afloat fire, and then the ships that were hit sink. In turn 0, no ship
    fires, because it only starts the match."""
    require_status(board, "open", "playing")
    number = call.uint("turnNo", 32)
    if number != board["ply"]:
        raise IllegalMove(f"the match is at turn {board['ply']}, not {number}")
    _require_afloat(board, call)
    played = {"by": call.account, "turnNo": number, "entropyBlock": 0, "seed": NO_SEED}
    if number == 0:
        if len(board["players"]) < 2:
            raise IllegalMove("a second player must register a ship first")
        return [("MatchStarted", {}), ("TurnPlayed", played)]
    played["entropyBlock"], seed = _entropy(board, call)
    played["seed"] = "0x" + seed.hex()
    shots = {int(ship): cell for ship in afloat(board) if (cell := _target(board, call, ship, seed)) is not None}
    sunk: list[Emitted] = []
    for ship in afloat(board):
        x, y = (board["ships"][ship][axis] for axis in "xy")
        if by := [shooter for shooter, cell in shots.items() if cell == cell_of(board, ship)]:
            sunk.append(("Touched", {"ship": int(ship), "x": x, "y": y, "by": by[0]}))
    fired = "0x" + "".join(f"{ship:03x}{cell:03x}" for ship, cell in shots.items())
    found: list[Emitted] = [("Fired", {"shots": fired}), *sunk, ("TurnPlayed", played)]
    hit = {str(touched["ship"]) for _, touched in sunk}
    owners = {board["ships"][ship]["owner"] for ship in afloat(board) if ship not in hit}
    if len(owners) < 2:
        found.append(ended(owners.pop(), "won") if owners else ended(None, "draw"))
    return found


def change_position(board: Json, call: Call) -> list[Emitted]:
    """Move the caller's ships to random cells. A ship can move only after it has stayed in place
    for five turns."""
    require_status(board, "playing")
    own = _require_afloat(board, call)
    ready = [ship for ship in own if board["ships"][ship]["ready"] <= board["ply"]]
    if not ready:
        first = min(board["ships"][ship]["ready"] for ship in own)
        raise IllegalMove(f"no ship of {call.account} can move before turn {first}, but it is turn {board['ply']}")
    (height, seed), taken, width, found = _entropy(board, call), occupied(board), board["width"], list[Emitted]()
    for ship in ready:
        cell = _free_cell(taken, cells_of(board), _hashed(int.from_bytes(seed), call.match, int(ship)))
        taken ^= 1 << cell | 1 << cell_of(board, ship)
        before, (y, x) = board["ships"][ship], divmod(cell, width)
        cells = {"fromX": before["x"], "fromY": before["y"], "x": x, "y": y}
        drawn = {"entropyBlock": height, "seed": "0x" + seed.hex()}
        found.append(("Moved", {"ship": int(ship), "owner": call.account, **cells, **drawn}))
    return found


def communicate(board: Json, call: Call) -> list[Emitted]:
    """Merge the maps of the caller's two built-in ships. From then on, neither ship fires at a cell
    at which the other has fired."""
    require_status(board, "playing")
    able = [
        ship for ship in _own(board, call.account) if board["ships"][ship]["afloat"] and "fired" in board["ships"][ship]
    ]
    if len(able) < SHIPS_PER_PLAYER:
        raise IllegalMove(f"{call.account} needs {SHIPS_PER_PLAYER} built-in ships afloat, but has {len(able)}")
    a, b = able
    if all(known_words(board, *pair) == fired_of(board, pair[0]) for pair in ((a, b), (b, a))):
        raise IllegalMove(f"the maps of ships {a} and {b} are already merged")
    return [("Communicated", {"owner": call.account, "a": int(a), "b": int(b)})]


def expire(board: Json, call: Call) -> list[Emitted]:
    require_status(board, "playing")
    if call.block.time < board["deadline"]:
        raise IllegalMove(
            f"the match can't expire before {board['deadline']}, but the block's time is only {call.block.time}"
        )
    return [ended(None, "cancelled")]


# ---- values of a board: a ship is a number as text, and a set of cells is a bit mask


def cells_of(board: Json) -> int:
    return int(board["width"] * board["height"])


def cell_of(board: Json, ship: str) -> int:
    return int(board["ships"][ship]["y"] * board["width"] + board["ships"][ship]["x"])


def afloat(board: Json) -> list[str]:
    """Return the ships afloat, ordered by number. They fire in this order."""
    return sorted((number for number, ship in board["ships"].items() if ship["afloat"]), key=int)


def occupied(board: Json) -> int:
    return sum(1 << cell_of(board, ship) for ship in afloat(board))


def fired_of(board: Json, ship: str) -> int:
    """Return the cells at which a built-in ship has fired. Return 0 for a ship with a captain,
    because the captain's cells are unknown."""
    return sum(int(word, 16) << WORD_BITS * int(key) for key, word in board["ships"][ship].get("fired", {}).items())


def known_words(board: Json, ship: str, ally: str) -> int:
    """Return a ship's map after a merge with its ally's map: the cells at which the ship won't fire
    again."""
    return (fired_of(board, ship) | fired_of(board, ally)) & ~(1 << cell_of(board, ship))


def friends(board: Json, ship: str) -> int:
    """Return the cells at which a ship never fires: those of the ship and of its ally."""
    ally = str(board["ships"][ship].get("ally", ship))
    return 1 << cell_of(board, ship) | (1 << cell_of(board, ally) if board["ships"][ally]["afloat"] else 0)


def _own(board: Json, account: str) -> list[str]:
    if account not in board["players"]:
        raise IllegalMove(f"{account} has no ship")
    return [str(ship) for ship in board["players"][account]["ships"]]


def _require_afloat(board: Json, call: Call) -> list[str]:
    found = [ship for ship in _own(board, call.account) if board["ships"][ship]["afloat"]]
    if not found:
        raise IllegalMove(f"all ships of {call.account} are sunk")
    return found


def _entropy(board: Json, call: Call) -> tuple[int, bytes]:
    """Return the height and hash of the block that decides the random numbers (Entropy.sol)."""
    first = board["anchor"] + 1
    if call.block.height <= first:
        raise IllegalMove(
            f"the block that decides the random numbers isn't mined yet. Try again at block {first + 1} or later"
        )
    passed = call.block.height - 1 - first
    number = first + passed - passed % HISTORY_SERVE_WINDOW
    return number, call.block.hash_of(number)


def _target(board: Json, call: Call, ship: str, seed: bytes) -> int | None:
    state, cells, never = board["ships"][ship], cells_of(board), friends(board, ship)
    if "captain" in state:
        answer = call.block.answer_of(state["captain"])
        return answer if answer is not None and 0 <= answer < cells and not never >> answer & 1 else None
    own = _hashed(int.from_bytes(seed), call.match, board["ply"], int(ship))
    target = draw(fired_of(board, ship) | never, cells, own)
    if target is None:  # all cells are used up, so the ship starts again in one word of 256 cells
        target = pick(next(free for word in words(cells, own) if (free := word & ~never)), own)
    return target


def _free_cell(taken: int, cells: int, seed: int) -> int:
    cell = draw(taken, cells, seed)
    if cell is None:
        raise IllegalMove(f"no cell is free, because each of the {cells} cells has a ship")
    return cell


def _hashed(*values: int) -> int:
    """Return keccak256(abi.encode(...)) of these numbers, as an integer."""
    return int.from_bytes(keccak(b"".join(value.to_bytes(32) for value in values)))


ACTIONS = {
    "create": create,
    "register": register,
    "turn": turn,
    "changePosition": change_position,
    "communicate": communicate,
    "expire": expire,
}


def events(board: Json, call: Call) -> list[Emitted]:
    """Return the events that the contract emits for a call. Raises IllegalMove."""
    return carry_out(ACTIONS, board, call)
