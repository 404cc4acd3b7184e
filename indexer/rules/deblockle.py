"""The rules of Deblockle: the events that a contract call emits.

The module `deblockle_position` finds legal moves, and `deblockle_cube` describes the cubes."""

from __future__ import annotations

from indexer.gamekit.contract_view import seats
from indexer.gamekit.lifecycle import NOBODY
from indexer.games.deblockle import CUBES, PHASES, RULESETS, SIDE, STEPS, cell_of
from indexer.model import Json
from indexer.rules.call import Call, Emitted, IllegalMove, carry_out, require_status
from indexer.rules.deblockle_cube import ORIENTATIONS, ROLLS, STAR, STARS, TURNS, UP, rolled
from indexer.rules.deblockle_cube import hops as hops_of
from indexer.rules.deblockle_position import (
    MOVE_CELLS,
    NO_HOP,
    PASS,
    REMOVED,
    Position,
    cube_of,
    is_drawn,
    legal_moves,
    may_pass,
    play,
    winner,
)
from indexer.rules.duel import claim_timeout as claim_of_the_clock
from indexer.rules.duel import ended, joined, opened, other_than, require_player, require_turn
from indexer.rules.duel import resign as resignation

MIN_STAKE_CLOCK = MIN_STREAM = 60
"""Both in seconds: the shortest clock in a match with a stake, and the shortest time in which a
whole stake can stream back."""
MAX_STREAMED = 2**32 - 1
"""The maximum number of seconds for which a deposit can stream back to its player."""


def position_of(board: Json) -> Position:
    """Return the position that a board shows. The match must be running."""
    cubes = [REMOVED] * (2 * CUBES)
    for cube, one in board["cubes"].items():
        cubes[int(cube)] = cube_of(one["cell"], one["up"], one["front"], one["right"])
    occupied = sum(1 << one["cell"] for one in board["cubes"].values())
    mover, hopper = board["players"][board["mover"]]["seat"], board.get("hopper", NO_HOP)
    board_ruleset = board["ruleset"] == RULESETS[1]
    return Position(tuple(cubes), occupied, mover, hopper, board["passes"], board["quiet"], board_ruleset)


def move_of(board: Json, call: Call) -> int:
    """Return the move that a call of makeMove describes. The checks are in the contract's order.
    Raises IllegalMove."""
    (seat, at), corners = (require_turn(board, call), position_of(board)), []
    for end in ("from", "to"):
        x, y = call.uint(f"{end}X", 8), call.uint(f"{end}Y", 8)
        if not (1 <= x <= SIDE and 1 <= y <= SIDE):
            raise IllegalMove(f"squares are (1, 1) to ({SIDE}, {SIDE}), not ({x}, {y})")
        corners.append(cell_of(x, y))
    start, to = corners
    cube = next((number for number, one in enumerate(at.cubes) if one != REMOVED and one // TURNS == start), None)
    if cube is None:
        raise IllegalMove(f"there is no cube on {_square(start)}")
    if cube // CUBES != seat:
        raise IllegalMove(f"the cube on {_square(start)} belongs to the opponent")
    if to == STARS[1 - seat]:
        raise IllegalMove(f"{_square(to)} is the opponent's star square, which your cubes can't enter")
    if at.hopper not in (NO_HOP, cube):
        raise IllegalMove(f"the cube on {_square(at.cubes[at.hopper] // TURNS)} has rolled, so it must hop")
    if at.occupied >> to & 1:
        raise IllegalMove(f"there is already a cube on {_square(to)}")
    move = MOVE_CELLS * cube + to
    if move not in legal_moves(at):
        raise IllegalMove(_why_not(at, at.cubes[cube], to))
    return move


def _why_not(at: Position, cube: int, to: int) -> str:
    up, directions = UP[cube % TURNS], _directions(cube // TURNS)
    if at.hopper != NO_HOP:
        return f"a cube with face {up} up can't hop to {_square(to)}"
    if to not in directions:
        return f"{_square(to)} is not next to {_square(cube // TURNS)}"
    up = rolled(ORIENTATIONS[cube % TURNS], directions.index(to))[0]
    return (
        f"on {_square(to)}, face {up} would be up. The star (face 1) must be up on your own star square, and must not "
        "be up on any other square"
    )


def _directions(cell: int) -> list[int]:
    return [cell + step for step in STEPS]


def _square(cell: int) -> str:
    y, x = divmod(cell, SIDE)
    return f"({x + 1}, {y + 1})"


def rolls_mask(at: Position) -> int:
    """Return a mask of the possible rolls of the player to move, in the contract's encoding. A roll
    of a cube sets the bit 4 * (cube % 4) + direction."""
    mask = 0
    for move in legal_moves(at):
        cube, cell = divmod(move, MOVE_CELLS)
        mask |= 1 << len(STEPS) * (cube % CUBES) + STEPS.index(cell - at.cubes[cube] // TURNS)
    return mask


# ---- stakes, which stream back to a player while the opponent thinks


def streamed_by(board: Json, account: str, now: int) -> int:
    """Return for how many seconds a player's deposit has streamed back so far."""
    seconds = int(board["players"][account]["streamed"])
    waits = board["status"] == "playing" and board["mover"] != account
    return min(MAX_STREAMED, seconds + now - board["turnStart"] if waits else seconds)


def due(board: Json, account: str, now: int) -> int:
    """Return the amount that an account can withdraw now, in wei or token units."""
    stake, rate, status = int(board["stake"]), int(board["rate"]), board["status"]
    if not stake or status == "open":
        return 0
    refunded = {one: min(stake, rate * streamed_by(board, one, now)) for one in seats(board)}
    total = refunded[account]
    if status == "cancelled" or (status == "finished" and "winner" not in board):
        total = stake
    elif board.get("winner") == account:
        total = 2 * stake - refunded[other_than(board, account)]
    return total - int(board["players"][account]["withdrawn"])


def _turn_over(board: Json, call: Call) -> list[Emitted]:
    """Return the event that reports how much of the waiting player's deposit has streamed back.
    Return no event if there is no stake."""
    if board["stake"] == "0":
        return []
    waiting = other_than(board, board["mover"])
    return [("Streamed", {"player": waiting, "total": streamed_by(board, waiting, call.block.time)})]


def _followed(board: Json, call: Call, after: Position) -> list[Emitted]:
    """Return the events that follow after a roll, a hop or a pass: the end of the match, or the
    next turn."""
    won, seat = winner(after), board["players"][call.account]["seat"]
    if won is not None:
        return [*_turn_over(board, call), ended(call.account, "won")]
    if is_drawn(after):
        return [*_turn_over(board, call), ended(None, "draw")]
    if after.mover == seat:
        return []
    turn = {"player": other_than(board, call.account), "rolls": rolls_mask(after)}
    return [*_turn_over(board, call), ("TurnChanged", turn)]


# ---- contract calls: each function returns the call's events, or raises IllegalMove


def create(board: Json, call: Call) -> list[Emitted]:
    cubes, ruleset = call.uint("cubes", 8), call.uint("ruleset", 8)
    stake, rate, token = call.uint("stake", 96), call.uint("rate", 96), call.address("token")
    minimum = MIN_STAKE_CLOCK if stake else 0
    found = opened(board, call, call.address("opponent"), minimum, call.uint("rematchOf", 48))
    if not 1 <= cubes <= CUBES:
        raise IllegalMove(f"each player must have 1 to {CUBES} cubes, not {cubes}")
    if ruleset >= len(RULESETS):
        raise IllegalMove(f"rulesets are 0 ({RULESETS[0]}) and 1 ({RULESETS[1]}), not {ruleset}")
    most = stake // MIN_STREAM
    if not bool(stake) <= rate <= most:
        raise IllegalMove(f"for a stake of {stake}, the refund must be {min(1, most)} to {most} per second, not {rate}")
    terms = {"token": token if stake else NOBODY, "stake": str(stake), "rate": str(rate)}
    return [*found, ("GameCreated", {"cubes": cubes, "ruleset": ruleset, **terms})]


def join(board: Json, call: Call) -> list[Emitted]:
    cubes, ruleset, clock = call.uint("cubes", 8), call.uint("ruleset", 8), call.uint("clock", 24)
    token, stake, rate = call.address("token"), call.uint("stake", 96), call.uint("rate", 96)
    found = joined(board, call)
    if token != board.get("token", NOBODY):
        raise IllegalMove(f"the token of the match is {board.get('token', NOBODY)}, not {token}")
    if str(stake) != board["stake"]:
        raise IllegalMove(f"the stake is {board['stake']}, not {stake}")
    own = (board["setup"], RULESETS.index(board["ruleset"]), int(board["rate"]), board["clock"])
    if (cubes, ruleset, rate, clock) != own:
        terms = "{} cubes per player, ruleset {}, {} per second, {} seconds per turn"
        named = terms.format(cubes, ruleset, rate, clock)
        raise IllegalMove(f"the terms are {terms.format(*own)}, not {named}")
    first, players = board["creator"], {board["creator"]: {"seat": 0}}
    start = position_of({**board, "players": players, "mover": first})
    return [*found, ("TurnChanged", {"player": first, "rolls": rolls_mask(start)})]


def cancel(board: Json, call: Call) -> list[Emitted]:
    require_status(board, "open")
    if call.account != board["creator"]:
        raise IllegalMove(f"only the creator {board['creator']} can cancel the match, not {call.account}")
    return [ended(None, "cancelled")]


def make_move(board: Json, call: Call) -> list[Emitted]:
    move, at = move_of(board, call), position_of(board)
    number, cell = divmod(move, MOVE_CELLS)
    after = play(at, move)
    about = {"ply": board["ply"], "player": call.account, "cube": number}
    about |= {f"{end}{axis}": call.uint(f"{end}{axis}", 8) for end in ("from", "to") for axis in "XY"}
    if at.hopper != NO_HOP:
        return [("Hopped", about), *_followed(board, call, after)]
    cube = next(cube for _, to, cube in ROLLS[at.mover][at.cubes[number]] if to == cell)
    up, front, right = ORIENTATIONS[cube % TURNS]
    targets = hops_of(at.mover, cube, after.occupied, at.board_ruleset) if up != STAR else 0
    found: list[Emitted] = [("Rolled", {**about, "up": up, "front": front, "right": right, "hops": str(targets)})]
    if up == STAR:
        first = CUBES * at.mover
        left = sum(one != REMOVED for one in after.cubes[first : first + CUBES])
        found.append(("Removed", {"player": call.account, "cube": number, "left": left}))
    return [*found, *_followed(board, call, after)]


def pass_move(board: Json, call: Call) -> list[Emitted]:
    require_turn(board, call)
    at = position_of(board)
    if not may_pass(at):
        raise IllegalMove("with the wooden board's rules, you can pass only if no roll or hop is possible")
    passed = {"ply": board["ply"], "player": call.account, "phase": PHASES.index(board["phase"])}
    return [("Passed", passed), *_followed(board, call, play(at, PASS))]


def resign(board: Json, call: Call) -> list[Emitted]:
    found = resignation(board, call)
    return [*_turn_over(board, call), *found]


def claim_timeout(board: Json, call: Call) -> list[Emitted]:
    found = claim_of_the_clock(board, call)
    return [*_turn_over(board, call), *found]


def withdraw(board: Json, call: Call) -> list[Emitted]:
    require_player(board, call)
    amount = due(board, call.account, call.block.time)
    if not amount:
        raise IllegalMove(f"{call.account} has nothing to withdraw at the moment")
    payment = {"account": call.account, "token": board.get("token", NOBODY), "amount": str(amount)}
    return [("Withdrawn", payment)]


ACTIONS = {
    "create": create,
    "join": join,
    "cancel": cancel,
    "makeMove": make_move,
    "passMove": pass_move,
    "resign": resign,
    "claimTimeout": claim_timeout,
    "withdraw": withdraw,
}


def events(board: Json, call: Call) -> list[Emitted]:
    """Return the events that the contract emits for a call. Raises IllegalMove. Rematches,
    deposits, and who pays them are not checked here, only in the contract."""
    return carry_out(ACTIONS, board, call)
