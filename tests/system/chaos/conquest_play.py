"""Random moves in Conquest for the chaos kit, on one small map. Some of the moves are illegal."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bots.conquest import FIRST_SEED, GRAIN
from chaos.game import MatchView, Move
from indexer.gamekit.contract_view import STATUS, bits
from indexer.gamekit.lifecycle import NOBODY
from indexer.games.conquest_graph import decode_graph, lands_by_sea
from indexer.games.conquest_history import trail_after_draw
from indexer.games.conquest_map import generate_map
from indexer.model import Json

MAP = generate_map(FIRST_SEED, GRAIN).graph
"""The encoded map on which all matches are played. The computer players open their matches on the
same map."""
GRAPH = decode_graph(MAP)
SEA = lands_by_sea(GRAPH)
CLOCK = 3600
NONE = 255
REINFORCEMENT, ACTION, MOVING, CAPITAL = range(4)


def conquest(random: Random, players: Sequence[str], table: MatchView | None) -> Move:
    """Return a random move in a match of two or three players. While a random draw is pending, any
    player can use a move to settle the draw. If the newest block decides the draw, the next
    player's command can also settle it."""
    if table is None:
        terms = (FIRST_SEED, GRAIN, random.choice((2, 2, 3)), [], CLOCK, 0, MAP)
        return Move(random.randrange(len(players)), "create", terms)
    board, match = table.board, table.match
    if STATUS[board["status"]] != "playing":
        seated = [players.index(one) for one in board["players"] if one != NOBODY]
        if random.random() < 0.05 and seated:
            return Move(random.choice(seated), "leave", (match,))
        return Move(random.randrange(len(players)), "join", (match,))
    trail = board["trail"]
    if board["drawBlock"]:
        height, hash = table.newest
        if board["mover"] == NONE or height != board["drawBlock"] + 1 or random.random() < 0.5:
            return Move(random.randrange(len(players)), random.choice((*["settle"] * 9, "claimTimeout")), (match,))
        trail = trail_after_draw(trail, hash)
    function, arguments = _command(random, board)
    mover = players.index(board["players"][board["mover"]])
    return Move(mover, function, (match, board["ply"], trail, *arguments))


def _command(random: Random, board: Json) -> tuple[str, tuple[object, ...]]:
    owners = [NONE] * GRAPH.lands
    for seat, lands in enumerate(board["owned"]):
        for land in bits(int(lands)):
            owners[land] = seat
    mover, phase, how = board["mover"], board["phase"], random.random()
    own = [land for land, owner in enumerate(owners) if owner == mover]
    if how < 0.01:
        return "surrender", ()
    if how < 0.1 and phase != CAPITAL:
        return "pass", (phase == ACTION and how < 0.05,)
    if board["stored"][mover] and how < 0.5:
        return "useItem", ()
    if phase == CAPITAL:
        return "chooseCapital", (random.choice([land for land, owner in enumerate(owners) if owner == NONE]),)
    if phase == REINFORCEMENT:
        return "reinforce", (random.choice(own),)
    ways = [(start, end) for start in own for end in bits(_reach(board, start))]
    if phase == ACTION:
        if how < 0.2:
            return "buildPort", (random.choice(own),)
        enemies = [way for way in ways if owners[way[1]] not in (mover, NONE)]
        neutral = [way for way in ways if owners[way[1]] == NONE]
        if enemies and (how < 0.6 or not neutral):
            chosen = random.sample(enemies, min(len(enemies), random.choice((1, 1, 2))))
            return "attack", (bytes(land for way in chosen for land in way),)
        return ("capture", random.choice(neutral)) if neutral else ("pass", (False,))
    moves = [way for way in ways if owners[way[1]] == mover]
    return ("move", (*random.choice(moves), random.randint(1, 4), how < 0.2)) if moves else ("pass", (False,))


def _reach(board: Json, start: int) -> int:
    return GRAPH.neighbours[start] | (SEA[start] if int(board["ports"]) >> start & 1 else 0)
