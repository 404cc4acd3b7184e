"""The reducers for Battleship. They fold the events of a match into its board.

Before the players reveal their fleets, a board contains no ships, because events contain only
commitments (hashes of the fleets).

The board has these fields, which are absent if they don't apply:
- status, reason, winner, ply, clock, creator, width, height
- deadline: in seconds since 1970, or 0 if no clock is running
- opponent: the invited player; if absent, anyone can join
- players: keyed by address, each with seat and shots. `shots` contains the answered shots:
  the tile as the key, and "hit" or "miss" as the value
- mover: the address of the player to move, as long as the players shoot
- phase: "shots", then "reveals"; only while the match is in progress
- pending: the shot that the opponent must still answer: tile, by (the player who fired)
- loser, and cause (why the shooting ended)
- fleets: keyed by address, each with commitment; after the reveal, also with ships, nonce, message,
  fault
- stake: the deposit of each player in wei or token units, or "0" if there are no stakes
- token: the token of the stakes; if absent, they are ether
- withdrawn: the withdrawn amounts, keyed by address
"""

from __future__ import annotations

from indexer.gamekit.contract_view import STATUS, bits, duel_from_board, duel_from_contract, seats
from indexer.gamekit.game import Action, Deposit, Game, Input
from indexer.gamekit.lifecycle import (
    LIFECYCLE,
    MAX_CLOCK,
    NO_MATCH,
    NOBODY,
    REASONS,
    duel_ended,
    duel_overdue,
    joined,
    started,
    to_move,
    with_player,
    without,
)
from indexer.model import Event, Json

MAX_MESSAGE = 280
"""The maximum length of a player's message, in bytes of UTF-8."""
NOT_SEALED = "0x" + 64 * "0"
NOT_PENDING = 255
WIDTH, HEIGHT = 9, 11

START: Json = {
    **NO_MATCH,
    "fleets": {},
    "stake": "0",
    "withdrawn": {},
    "width": WIDTH,
    "height": HEIGHT,
}


def player_joined(board: Json, event: Event) -> Json:
    return with_player(joined(board, event), event.args["player"], shots={})


def match_started(board: Json, event: Event) -> Json:
    return {**started(board, event), "phase": "shots"}


def staked(board: Json, event: Event) -> Json:
    args = event.args
    ether = args["token"] == NOBODY
    return {**board, "stake": args["amount"]} | ({} if ether else {"token": args["token"]})


def sealed(board: Json, event: Event) -> Json:
    return _fleet(board, event.args["player"], commitment=event.args["commitment"])


def shot(board: Json, event: Event) -> Json:
    """Return the board after `Shot`. The player who must answer the shot moves next."""
    args = event.args
    after = {**board, "ply": args["ply"] + 1, "pending": {"tile": args["tile"], "by": args["by"]}}
    return to_move(after, 1 - board["players"][args["by"]]["seat"], event.time)


def answered(board: Json, event: Event) -> Json:
    args = event.args
    shooter = board["pending"]["by"]
    shots = {**board["players"][shooter]["shots"], str(args["tile"]): "hit" if args["hit"] else "miss"}
    return {**with_player(without(board, "pending"), shooter, shots=shots), "ply": args["ply"] + 1}


def game_over(board: Json, event: Event) -> Json:
    """Return the board after `GameOver`. If a shot has not been answered, it is removed."""
    args = event.args
    return {
        **without(board, "pending", "mover"),
        "phase": "reveals",
        "loser": args["loser"],
        "cause": REASONS[args["cause"]],
        "deadline": args["deadline"],
    }


def revealed(board: Json, event: Event) -> Json:
    args = event.args
    return _fleet(
        board,
        args["by"],
        ships=_ships(args["ships"]),
        nonce=args["nonce"],
        message=_message(args["message"]),
        fault=args["fault"],
    )


def match_ended(board: Json, event: Event) -> Json:
    return without(duel_ended(board, event), "phase", "pending")


def withdrawn(board: Json, event: Event) -> Json:
    return {**board, "withdrawn": {**board["withdrawn"], event.args["account"]: event.args["amount"]}}


def _fleet(board: Json, address: str, **changes: object) -> Json:
    fleets = board["fleets"]
    return {**board, "fleets": {**fleets, address: {**fleets.get(address, {}), **changes}}}


def _ships(data: str) -> str:
    """Decode the ships of a fleet from 0x hex to text. Return the hex unchanged if the text would
    not be printable ASCII."""
    text = bytes.fromhex(data[2:]).decode("ascii", "replace")
    return text if text.isascii() and text.isprintable() else data


def _message(data: str) -> str:
    """Decode a player's message from 0x hex to text. Replace invalid bytes. Also replace zero
    bytes, because databases reject them."""
    return bytes.fromhex(data[2:]).decode("utf-8", "replace").replace("\0", "\ufffd")


def from_contract(contract_view: Json) -> Json:
    playing = STATUS[contract_view["status"]] == "playing"
    both = zip(contract_view["shots"], contract_view["hits"], strict=True)
    return duel_from_contract(contract_view, contract_view["players"]) | {
        "commitments": [one for one in contract_view["commitments"] if one != NOT_SEALED],
        "shots": [{str(tile): "hit" if hits >> tile & 1 else "miss" for tile in bits(shots)} for shots, hits in both],
        "faults": [
            fault if is_revealed else None
            for fault, is_revealed in zip(contract_view["faults"], contract_view["revealed"], strict=True)
        ],
        "stake": str(contract_view["stake"]),
        "token": contract_view["token"],
        "phase": ("reveals" if contract_view["revealing"] else "shots") if playing else None,
        "pending": None if contract_view["pending"] == NOT_PENDING else contract_view["pending"],
        "loser": contract_view["loser"],
        "cause": REASONS[contract_view["cause"]],
        "withdrawn": [
            player for player, out in zip(contract_view["players"], contract_view["withdrawn"], strict=True) if out
        ],
    }


def from_board(board: Json) -> Json:
    players = seats(board)
    fleets = [board["fleets"].get(player, {}) for player in players]
    shots = [board["players"][player].get("shots", {}) for player in players]
    missing = 2 - len(players)
    return duel_from_board(board) | {
        "commitments": [fleet["commitment"] for fleet in fleets if "commitment" in fleet],
        "shots": shots + [{}] * missing,
        "faults": [fleet.get("fault") for fleet in fleets] + [None] * missing,
        "stake": board["stake"],
        "token": board.get("token", NOBODY),
        "phase": board.get("phase") if board["status"] == "playing" else None,
        "pending": board["pending"]["tile"] if "pending" in board else None,
        "loser": board.get("loser", NOBODY),
        "cause": board.get("cause", REASONS[0]),
        "withdrawn": [player for player in players if player in board["withdrawn"]],
    }


_MESSAGE = Input("message", "Message to your opponent", "text", 0, MAX_MESSAGE, "")

GAME = Game(
    slug="battleship",
    title="Battleship",
    contract="Battleship",
    layout="pair",
    start=START,
    reducers={
        **LIFECYCLE,
        "PlayerJoined": player_joined,
        "MatchStarted": match_started,
        "Staked": staked,
        "Sealed": sealed,
        "Shot": shot,
        "Answered": answered,
        "GameOver": game_over,
        "Revealed": revealed,
        "MatchEnded": match_ended,
        "Withdrawn": withdrawn,
    },
    actions=(
        Action(
            "invite",
            "New match",
            (
                Input("opponent", "Opponent (empty: anyone)", "opponent"),
                Input("clock", "Seconds per move (0: no clock, unrated)", "clock", 0, MAX_CLOCK, 0),
                Input("stake", "Stake of each player (0: none)", "amount", default="0", token="token"),
                Input("token", "Stake token (empty: ether)", "token"),
            ),
            gas=1_200_000,
            usual_gas=134_000,
            deposit=Deposit(),
            secret=True,
        ),
        Action("accept", "Accept and fire", gas=1_200_000, usual_gas=120_000, deposit=Deposit(), secret=True),
        Action("decline", "Decline", gas=80_000, usual_gas=39_000),
        Action("cancel", "Cancel", gas=80_000, usual_gas=33_000),
        Action("move", "Fire", gas=100_000, usual_gas=45_000, secret=True),
        Action("surrender", "Surrender", (_MESSAGE,), gas=250_000, usual_gas=60_000, secret=True),
        Action("reveal", "Reveal", (_MESSAGE,), gas=250_000, usual_gas=61_000, secret=True),
        Action("claimTimeout", "Claim the timeout", gas=100_000, usual_gas=37_000),
        Action("withdraw", "Withdraw", gas=1_100_000, usual_gas=49_000),
    ),
    overdue=duel_overdue,
    from_contract=from_contract,
    from_board=from_board,
)
