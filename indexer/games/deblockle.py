"""The reducers for Deblockle. They fold the events of a match into its board.

Events contain the possible rolls and hops, so reducers need no rules. Cells are numbered row by row
from the top left. While a player waits for the opponent's move, the player's deposit streams back:
each second, a part of it can be withdrawn. The board has these fields, which are absent if they
don't apply:
- status, reason, winner, creator, rematchOf, width, height, turnStart
- ply: the number of rolls, hops and passes
- clock: seconds per turn
- deadline: the time from which anyone can claim the timeout, in seconds since 1970, or 0. It is the
  time when the clock runs out, or `runsDry` if that is earlier
- opponent: the invited player; if absent, anyone can join
- players: keyed by address, each with seat, withdrawn, and streamed (the seconds for which the
  deposit has streamed back in finished turns)
- mover: the address of the player to move
- phase: "roll" or "hop"
- hopper: the cube that must hop
- setup: the number of cubes per player at the start
- ruleset: "near" or "board"
- cubes: the remaining cubes, keyed by id, each with seat, cell, up, front, right
- moves: the mover's possible rolls or hops: for each cube, the target cells
- last: the last move: kind, cube, from, to, by (the player who moved)
- passes: the number of passes in a row
- quiet: the number of plies since a cube was last removed
- removed: for each seat, the number of removed cubes
- stake, rate (the part of the stake that streams back per second): in wei or token units, as
  decimal text
- token: the token of the stake; if absent, it is ether
- runsDry: the time when all of the waiting player's deposit has streamed back, in seconds since
  1970
"""

from __future__ import annotations

from indexer.gamekit.contract_view import STATUS, bits, duel_from_board, duel_from_contract, seats
from indexer.gamekit.game import Action, Deposit, Game, Input
from indexer.gamekit.lifecycle import (
    LIFECYCLE,
    MAX_CLOCK,
    NO_MATCH,
    NOBODY,
    duel_ended,
    duel_overdue,
    joined,
    to_move,
    with_player,
    without,
)
from indexer.model import Event, Json

SIDE = 7
CUBES = 4
"""The maximum number of cubes per player. Seat 0 has the ids 0..3, and seat 1 has the ids 4..7."""
RULESETS = ("near", "board")
PHASES = ("roll", "hop", "end")
NO_CUBE = 255
STEPS = (-SIDE, 1, SIDE, -1)
"""The numbers to add to a cell's number to get the next cell: forward, right, backward, left."""

_ONE_CUBE = ((4, 7, 2, 3, 6),), ((4, 1, 5, 3, 1),)
_TWO_CUBES = ((3, 7, 2, 3, 6), (5, 7, 4, 1, 2)), ((3, 1, 5, 3, 1), (5, 1, 4, 1, 2))
_THREE_CUBES = (*_TWO_CUBES[0], (4, 5, 4, 1, 2)), (*_TWO_CUBES[1], (4, 3, 6, 4, 2))
_FOUR_CUBES = (
    ((3, 5, 2, 3, 6), (5, 5, 2, 3, 6), (3, 7, 1, 3, 2), (5, 7, 3, 6, 2)),
    ((3, 1, 6, 4, 2), (5, 1, 2, 3, 6), (3, 3, 2, 3, 6), (5, 3, 5, 3, 1)),
)
SET_UPS = (_ONE_CUBE, _TWO_CUBES, _THREE_CUBES, _FOUR_CUBES)
"""The starting positions for 1 to 4 cubes per player. Each position lists the cubes of seat 0, and
then the cubes of seat 1. A cube has x, y, and three faces: up, front and right."""

START: Json = {
    **NO_MATCH,
    "cubes": {},
    "moves": {},
    "passes": 0,
    "quiet": 0,
    "removed": {"0": 0, "1": 0},
    "stake": "0",
    "rate": "0",
    "width": SIDE,
    "height": SIDE,
}


def game_created(board: Json, event: Event) -> Json:
    """Return the board after `GameCreated`. It shows the cubes even before the opponent joins."""
    args = event.args
    cubes = {
        str(CUBES * seat + number): {"seat": seat, "cell": cell_of(x, y), "up": up, "front": front, "right": right}
        for seat, side in enumerate(SET_UPS[args["cubes"] - 1])
        for number, (x, y, up, front, right) in enumerate(side)
    }
    after = {**board, "setup": args["cubes"], "ruleset": RULESETS[args["ruleset"]], "cubes": cubes}
    after |= {"stake": args["stake"], "rate": args["rate"]}
    return after if args["token"] == NOBODY else {**after, "token": args["token"]}


def player_joined(board: Json, event: Event) -> Json:
    return with_player(joined(board, event), event.args["player"], streamed=0, withdrawn="0")


def rolled(board: Json, event: Event) -> Json:
    """Return the board after `Rolled`. If the cube can't hop, another event ends the turn."""
    args = event.args
    after = _moved(board, event, "roll", up=args["up"], front=args["front"], right=args["right"])
    targets = bits(int(args["hops"]))
    if not targets:
        return after
    return {**after, "phase": "hop", "hopper": args["cube"], "moves": {str(args["cube"]): targets}}


def hopped(board: Json, event: Event) -> Json:
    return _moved(board, event, "hop")


def removed(board: Json, event: Event) -> Json:
    cube = str(event.args["cube"])
    seat = str(board["cubes"][cube]["seat"])
    return {
        **board,
        "cubes": without(board["cubes"], cube),
        "removed": {**board["removed"], seat: board["removed"][seat] + 1},
        "quiet": 0,
    }


def passed(board: Json, event: Event) -> Json:
    """Return the board after `Passed`. Another event ends the turn."""
    args = event.args
    after = without(board, "hopper") | {"ply": args["ply"] + 1, "moves": {}, "quiet": board["quiet"] + 1}
    return {**after, "passes": board["passes"] + 1, "last": {"kind": "pass", "by": args["player"]}}


def turn_changed(board: Json, event: Event) -> Json:
    player, time = event.args["player"], event.time
    seat = board["players"][player]["seat"]
    after = to_move(without(board, "hopper", "runsDry"), seat, time)
    after |= {"phase": "roll", "turnStart": time, "moves": rolls_of(event.args["rolls"], seat, _cells(board))}
    if board["stake"] == "0":
        return after
    waiting = next(one for address, one in board["players"].items() if address != player)
    lasts = -(-int(board["stake"]) // int(board["rate"]))
    dry = time + max(0, lasts - waiting["streamed"])
    return {**after, "runsDry": dry, "deadline": min(dry, after["deadline"] or dry)}


def streamed(board: Json, event: Event) -> Json:
    return with_player(board, event.args["player"], streamed=event.args["total"])


def match_ended(board: Json, event: Event) -> Json:
    after = without(duel_ended(board, event), "phase", "hopper", "turnStart", "runsDry")
    return {**after, "moves": {}}


def withdrawn(board: Json, event: Event) -> Json:
    account = event.args["account"]
    total = int(board["players"][account]["withdrawn"]) + int(event.args["amount"])
    return with_player(board, account, withdrawn=str(total))


def cell_of(x: int, y: int) -> int:
    return SIDE * (y - 1) + x - 1


def rolls_of(mask: int, seat: int, cells: dict[int, int]) -> Json:
    """Return, for each cube of a seat, the cells to which it can roll. `mask`: for each possible
    roll, bit 4 * (cube % 4) + direction is set. `cells`: each cube's cell."""
    found: Json = {}
    for bit in bits(mask):
        cube = CUBES * seat + bit // len(STEPS)
        found.setdefault(str(cube), []).append(cells[cube] + STEPS[bit % len(STEPS)])
    return {cube: sorted(targets) for cube, targets in found.items()}


def _cells(board: Json) -> dict[int, int]:
    return {int(cube): one["cell"] for cube, one in board["cubes"].items()}


def _moved(board: Json, event: Event, kind: str, **faces: int) -> Json:
    """Return the board after a cube rolled or hopped. `faces`: after a roll, the faces that are now
    up, front and right."""
    args = event.args
    cube, to = args["cube"], cell_of(args["toX"], args["toY"])
    cubes = {**board["cubes"], str(cube): {**board["cubes"][str(cube)], "cell": to, **faces}}
    last = {"kind": kind, "cube": cube, "from": cell_of(args["fromX"], args["fromY"]), "to": to, "by": args["player"]}
    after = without(board, "hopper") | {"ply": args["ply"] + 1, "cubes": cubes, "moves": {}, "last": last}
    return {**after, "passes": 0, "quiet": board["quiet"] + 1}


# ---- comparison with the contract's view


def from_contract(contract_view: Json) -> Json:
    playing = STATUS[contract_view["status"]] == "playing"
    cubes = {
        str(one["id"]): {
            "cell": cell_of(one["x"], one["y"]),
            **{face: one[face] for face in ("up", "front", "right")},
        }
        for one in contract_view["left"]
    }
    moves: Json = {}
    if playing and contract_view["hopper"] != NO_CUBE:
        moves = {str(contract_view["hopper"]): bits(contract_view["hops"])}
    elif playing:
        seat = contract_view["players"].index(contract_view["mover"])
        moves = rolls_of(contract_view["rolls"], seat, {int(cube): one["cell"] for cube, one in cubes.items()})
    return duel_from_contract(contract_view, contract_view["players"]) | {
        "setup": contract_view["cubes"],
        "ruleset": RULESETS[contract_view["ruleset"]],
        "phase": PHASES[contract_view["phase"]] if playing else None,
        "cubes": cubes,
        "moves": moves,
        "passes": contract_view["passes"],
        "quiet": contract_view["quiet"],
        "token": contract_view["token"],
        "stake": str(contract_view["stake"]),
        "rate": str(contract_view["rate"]),
        "streamed": contract_view["streamed"],
        "withdrawn": [str(amount) for amount in contract_view["withdrawn"]],
    }


def from_board(board: Json) -> Json:
    players = [board["players"][player] for player in seats(board)]
    missing = 2 - len(players)
    return duel_from_board(board) | {
        "setup": board["setup"],
        "ruleset": board["ruleset"],
        "phase": board.get("phase"),
        "cubes": {
            cube: {key: one[key] for key in ("cell", "up", "front", "right")} for cube, one in board["cubes"].items()
        },
        "moves": board["moves"],
        "passes": board["passes"],
        "quiet": board["quiet"],
        "token": board.get("token", NOBODY),
        "stake": board["stake"],
        "rate": board["rate"],
        "streamed": [player["streamed"] for player in players] + [0] * missing,
        "withdrawn": [player["withdrawn"] for player in players] + ["0"] * missing,
    }


GAME = Game(
    slug="deblockle",
    title="Deblockle",
    contract="Deblockle",
    layout="grid",
    start=START,
    reducers={
        **LIFECYCLE,
        "PlayerJoined": player_joined,
        "GameCreated": game_created,
        "Rolled": rolled,
        "Hopped": hopped,
        "Removed": removed,
        "Passed": passed,
        "TurnChanged": turn_changed,
        "Streamed": streamed,
        "MatchEnded": match_ended,
        "Withdrawn": withdrawn,
    },
    actions=(
        Action(
            "create",
            "New match",
            (
                Input("opponent", "Opponent (empty: anyone)", "opponent"),
                Input(
                    "cubes",
                    "Cubes per player",
                    "choice",
                    default=4,
                    options=tuple((number, str(number)) for number in range(1, CUBES + 1)),
                ),
                Input("ruleset", "Rules", "choice", default=0, options=((0, "NEAR"), (1, "Wooden board"))),
                Input("token", "Stake token (empty: ether)", "token"),
                Input("stake", "Stake of each player (0: none)", "amount", default="0", token="token"),
                Input("rate", "Refund per second while the opponent thinks", "amount", default="0", token="token"),
                Input("clock", "Seconds per turn (0: no clock, unrated)", "clock", 0, MAX_CLOCK, 0),
            ),
            gas=1_200_000,
            usual_gas=91_000,
            deposit=Deposit(),
        ),
        Action("join", "Join", gas=1_200_000, usual_gas=74_000, deposit=Deposit()),
        Action("cancel", "Cancel", gas=80_000, usual_gas=33_000),
        Action("makeMove", "Move", gas=120_000, usual_gas=46_000),
        Action("passMove", "Pass", gas=100_000, usual_gas=41_000),
        Action("resign", "Resign", gas=100_000, usual_gas=36_000),
        Action("claimTimeout", "Claim the win", gas=100_000, usual_gas=42_000),
        Action("withdraw", "Withdraw", gas=1_100_000, usual_gas=71_000),
    ),
    overdue=duel_overdue,
    stake_event="GameCreated",
    from_contract=from_contract,
    from_board=from_board,
)
