"""The computer player for Touché Coulé. From the public positions of all ships, it decides which
action to call and when. It doesn't aim, because the ships aim by themselves.

`lookout` moves its ships away from danger. It lets them share where they have fired if that makes
them hit more often. We also tried to delay turns until the other players are in more danger. That
didn't win more matches."""

from __future__ import annotations

from random import Random

from bots.opponent import Choice, Opponents, player_in
from indexer.model import Json
from indexer.rules.cells import words
from indexer.rules.touche_coule import (
    SHIPS_PER_PLAYER,
    afloat,
    cell_of,
    cells_of,
    fired_of,
    friends,
    known_words,
    occupied,
)

SIDE = 12
"""The width and the height, in squares, of a match that the computer player opens."""
TURN_PAUSE = 30.0
"""The seconds that the computer player gives other players to register, move or talk before it
calls the next turn."""


def choose(board: Json, seat: int, _strength: str, _random: Random) -> Choice | None:
    found = {move.action: move for move in moves(board, seat)}
    account = player_in(board, seat)
    if account is not None and "changePosition" in found and is_safer_elsewhere(board, account):
        return found["changePosition"]
    if account is not None and "communicate" in found and hits_more_after_talk(board, account):
        return found["communicate"]
    return found.get("register") or found.get("turn")


def moves(board: Json, seat: int) -> list[Choice]:
    """Return the legal moves of the player in the seat. Before the first turn, each player
    registers two ships."""
    account, players = player_in(board, seat), board["players"]
    if board["status"] == "open":
        if account is None or len(players[account]["ships"]) < SHIPS_PER_PLAYER:
            return [Choice("register")]
        ready = len(players) > 1 and all(len(player["ships"]) == SHIPS_PER_PLAYER for player in players.values())
        return [Choice("turn", {"turnNo": 0})] if ready else []
    own = fleet(board, account)
    if board["status"] != "playing" or not own:
        return []
    found = [Choice("turn", {"turnNo": board["ply"]})]
    if any(board["ships"][ship]["ready"] <= board["ply"] for ship in own) and board["afloat"] < cells_of(board):
        found.append(Choice("changePosition"))
    if len(own) == SHIPS_PER_PLAYER and all("fired" in board["ships"][ship] for ship in own):
        a, b = own
        if any(known_words(board, *pair) != fired_of(board, pair[0]) for pair in ((a, b), (b, a))):
            found.append(Choice("communicate"))
    return found


def invite(_opponent: str) -> Choice:
    """Return the choice that opens a match in which anyone may register ships."""
    return Choice("create", {"width": SIDE, "height": SIDE, "captains": False})


def fleet(board: Json, account: str | None) -> list[str]:
    """Return the account's ships that are still afloat."""
    return [ship for ship in afloat(board) if board["ships"][ship]["owner"] == account]


def hits(board: Json, shooter: str, fired: int, cells: int) -> float:
    """Return the probability that a ship's next shot hits one of these cells. The ship has already
    fired at the cells in `fired`. The contract chooses a random word of 256 cells, and then one of
    the cells in this word. Ships with captains are assumed to aim in the same way."""
    if "fired" not in board["ships"][shooter]:
        return 1.0
    size, never, found = cells_of(board), friends(board, shooter), 0.0
    for word in words(size, 0):
        free = word & ~(fired | never) or word & ~never  # a ship that has fired at all free cells starts again
        if free:
            found += word.bit_count() / size * (free & cells).bit_count() / free.bit_count()
    return found


def danger(board: Json, account: str, cells: int) -> float:
    """Return the expected number of shots that the other players' ships will fire at these cells in
    the next volley."""
    others = [ship for ship in afloat(board) if board["ships"][ship]["owner"] != account]
    return sum(hits(board, ship, fired_of(board, ship), cells) for ship in others)


def is_safer_elsewhere(board: Json, account: str) -> bool:
    """Return True if the account's ships that can move are more likely to be hit where they are
    than on an average free square."""
    movable = [ship for ship in fleet(board, account) if board["ships"][ship]["ready"] <= board["ply"]]
    here = sum(1 << cell_of(board, ship) for ship in movable)
    free = (1 << cells_of(board)) - 1 & ~occupied(board)
    return danger(board, account, here) > len(movable) * danger(board, account, free) / free.bit_count()


def hits_more_after_talk(board: Json, account: str) -> bool:
    """Return True if the account's two ships would hit more often in the next volley after they
    share where they have fired."""
    a, b = fleet(board, account)
    targets = occupied(board) & ~(1 << cell_of(board, a) | 1 << cell_of(board, b))
    before = sum(hits(board, ship, fired_of(board, ship), targets) for ship in (a, b))
    return sum(hits(board, ship, known_words(board, ship, ally), targets) for ship, ally in ((a, b), (b, a))) > before


def has_ships(board: Json, account: str) -> bool:
    return board["status"] == "open" or bool(fleet(board, account))


OPPONENTS = Opponents(("lookout",), choose, moves, invite, accounts=3, is_alive=has_ships, pauses={"turn": TURN_PAUSE})
