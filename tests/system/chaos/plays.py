"""Random moves in all games except Conquest, for the chaos kit."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from chaos.game import MatchView, Move, Play
from indexer.gamekit.contract_view import STATUS
from indexer.gamekit.lifecycle import NOBODY
from indexer.rules.battleship import TILES, commitment, mask
from tests.system.chaos.conquest_play import conquest


def three_in_a_row(random: Random, players: Sequence[str], table: MatchView | None) -> Move:
    """Return a random move in Tic-tac-toe. Usually, the player to move marks a random square, which
    may be taken already. Sometimes, a player offers a restart or resigns."""
    if table is None:
        return Move(random.randrange(len(players)), "create", (NOBODY, random.choice((0, 3600))))
    board, match = table.board, table.match
    status = STATUS[board["status"]]
    if status == "open":
        return Move(random.randrange(len(players)), "accept", (match,))
    if status != "playing":
        return Move(players.index(board["host"]), "rematch", (match,))
    mover = players.index(board["mover"])
    how = random.random()
    if how < 0.1:
        return Move(mover, "offerRestart", (match,))
    if how < 0.15:
        return Move(mover, "resign", (match,))
    row, column = divmod(random.randrange(9), 3)
    return Move(mover, "move", (match, board["ply"], row, column))


def touche_coule(random: Random, players: Sequence[str], table: MatchView | None) -> Move:
    """Return a random move in Touché Coulé on a small sea. A player registers a ship, takes a turn,
    changes a ship's position, or communicates."""
    if table is None:
        return Move(random.randrange(len(players)), "create", (8, 8, False))
    board, match = table.board, table.match
    owners = sorted({players.index(ship["owner"]) for ship in board["ships"]})
    if STATUS[board["status"]] == "open":
        if len(owners) > 1 and random.random() < 0.5:
            return Move(random.choice(owners), "turn", (match, 0))
        return Move(random.randrange(len(players)), "register", (match,))
    player = random.choice(owners or [0])
    how = random.choice(("turn", "turn", "turn", "changePosition", "communicate"))
    return Move(player, how, (match, board["ply"]) if how == "turn" else (match,))


FLEET = "PH12 SH81 DV7 BV51 CH40"
NONCES = {"0x" + commitment(FLEET, nonce).hex(): nonce for nonce in (number.to_bytes(32) for number in range(2_000))}
"""The commitments to the fleet, each with its nonce. An account can use each commitment only once,
so the scenarios need many commitments."""


def battleship(random: Random, players: Sequence[str], table: MatchView | None) -> Move:
    """Return a random move in Battleship. All players have the same fleet, and they answer
    truthfully."""
    sealed = bytes.fromhex(random.choice([*NONCES])[2:])
    if table is None:
        host, guest = random.sample(range(len(players)), 2)
        return Move(host, "invite", (players[guest], sealed, 0, NOBODY, 0))
    board, match = table.board, table.match
    if STATUS[board["status"]] == "open":
        return Move(players.index(board["players"][1]), "accept", (match, sealed, random.randrange(TILES)))
    seat = board["players"].index(board["mover"]) if board["mover"] != NOBODY else random.randrange(2)
    player, nonce = players.index(board["players"][seat]), NONCES.get(board["commitments"][seat], bytes(32))
    if STATUS[board["status"]] != "playing" or board["revealing"]:
        return Move(player, "reveal", (match, FLEET, nonce, ""))
    if random.random() < 0.1:
        return Move(player, "surrender", (match, FLEET, nonce, ""))
    tile = random.choice([tile for tile in range(TILES) if not board["shots"][seat] >> tile & 1])
    hit = bool(mask(FLEET) >> board["pending"] & 1)
    return Move(player, "move", (match, board["ply"], board["pending"], hit, tile))


def deblockle(random: Random, players: Sequence[str], table: MatchView | None) -> Move:
    """Return a random move in Deblockle. Usually, it is a roll or a hop that the contract's view
    lists. Sometimes, a player passes, resigns or withdraws. Some matches have a stake in ether."""
    if table is None:
        stake, ruleset = random.choice((0, 6_000)), random.randrange(2)
        terms = (NOBODY, random.randint(1, 4), ruleset, NOBODY, stake, stake // 100, 3600 if stake else 0, 0)
        return Move(random.randrange(len(players)), "create", terms, stake)
    board, match = table.board, table.match
    status = STATUS[board["status"]]
    if status == "open":
        terms = tuple(board[name] for name in ("cubes", "ruleset", "token", "stake", "rate", "clock"))
        return Move(random.randrange(len(players)), "join", (match, *terms), board["stake"])
    how = random.random()
    if status != "playing" or how < 0.1:
        return Move(players.index(board["players"][random.randrange(status != "cancelled")]), "withdraw", (match,))
    mover = players.index(board["mover"])
    if how < 0.12:
        return Move(mover, "resign", (match,))
    cubes = {cube["id"]: (cube["x"], cube["y"]) for cube in board["left"]}
    seat = board["players"].index(board["mover"])
    rolls = [(cubes[4 * seat + bit // 4], bit % 4) for bit in range(16) if board["rolls"] >> bit & 1]
    moves = [(x, y, x + (0, 1, 0, -1)[way], y + (-1, 0, 1, 0)[way]) for (x, y), way in rolls]
    if board["hopper"] in cubes:
        moves += [(*cubes[board["hopper"]], bit % 7 + 1, bit // 7 + 1) for bit in range(49) if board["hops"] >> bit & 1]
    if how < 0.2 or not moves:
        return Move(mover, "passMove", (match, board["ply"]))
    return Move(mover, "makeMove", (match, board["ply"], *random.choice(moves)))


PLAYS = (
    Play("tic-tac-toe", three_in_a_row),
    Play("touche-coule", touche_coule),
    Play("battleship", battleship, only_with_opponents=True),
    Play("deblockle", deblockle, every=4),
    Play("conquest", conquest, every=5),
)
