"""The computer players for Deblockle. `careful` looks one ply ahead, and `thinker` searches deeper.
To judge a position, both count the turns that a player would need to remove each cube if the rest
of the board were empty.

A ply is a roll, a hop or a pass."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import NamedTuple

from bots.opponent import Choice, Opponents, is_to_move, may_join, player_in
from indexer.gamekit.lifecycle import NOBODY
from indexer.games.deblockle import RULESETS, SIDE
from indexer.model import Json
from indexer.rules.deblockle import due, position_of
from indexer.rules.deblockle_cube import CELLS, ROLLS, STAR, TURNS, UP, hops
from indexer.rules.deblockle_position import (
    MOVE_CELLS,
    NO_HOP,
    PASS,
    REMOVED,
    Position,
    is_over,
    play,
    successors,
    winner,
)

MIN_DEPTH, MAX_DEPTH = 4, 12
"""The minimum and the maximum depth, in plies, of the thinker's search."""
NODES = 10_000
"""The number of visited positions at which the thinker stops searching deeper. Searches up to
MIN_DEPTH ignore this limit."""
WON, INFINITY = 1_000.0, 10_000.0
FAR = 20
"""The number of turns that is assumed for a cube that can't be removed at all."""
PATIENCE, DETOUR, SETBACK = 12, 3, 2
"""As long as no cube is removed, the last 3 of every 12 plies are special. In these plies,
`careful` also accepts moves that are up to two turns worse than the best move."""


def choose(board: Json, seat: int, strength: str, random: Random) -> Choice | None:
    if not is_to_move(board, seat):
        return next(iter(moves(board, seat)), None)
    at = position_of(board)
    return _choice(board, search_moves(at, random).move if strength == "thinker" else careful_move(at, random))


def moves(board: Json, seat: int) -> list[Choice]:
    if may_join(board, seat):
        terms = {name: board[name] for name in ("stake", "rate", "clock")} | {"token": board.get("token", NOBODY)}
        return [Choice("join", {"cubes": board["setup"], "ruleset": RULESETS.index(board["ruleset"]), **terms})]
    if is_to_move(board, seat):
        return [_choice(board, move) for move, _ in expand(position_of(board))]
    player = player_in(board, seat)
    over = board["status"] in ("finished", "cancelled")
    return [Choice("withdraw")] if over and player is not None and due(board, player, 0) else []


def invite(opponent: str) -> Choice:
    terms = {"cubes": 3, "ruleset": 0, "token": NOBODY, "stake": 0, "rate": 0, "clock": 0, "rematchOf": 0}
    return Choice("create", {"opponent": opponent, **terms})


def _choice(board: Json, move: int) -> Choice:
    ply = {"ply": board["ply"]}
    if move == PASS:
        return Choice("passMove", ply)
    cube, to = divmod(move, MOVE_CELLS)
    start = board["cubes"][str(cube)]["cell"]
    corners = {"fromX": start % SIDE, "fromY": start // SIDE, "toX": to % SIDE, "toY": to // SIDE}
    return Choice("makeMove", {**ply, **{name: 1 + at for name, at in corners.items()}})


def expand(at: Position) -> list[tuple[int, Position]]:
    """Return all legal moves, each with the position after the move. Passing is a legal move if the
    NEAR rules allow it, or if there is no other move."""
    found = successors(at)
    if not at.board_ruleset or not found:
        found.append((PASS, play(at, PASS)))
    return found


# ---- evaluation


@cache
def turns_left(seat: int, board_ruleset: bool) -> tuple[int, ...]:
    """Return the number of turns that the owner of a cube needs to remove the cube if the rest of
    the board is empty. The result covers all places and orientations of a cube.

    The number is 0 for a cube that has been removed."""
    left = [FAR] * (CELLS * TURNS) + [0]
    after = [_after_a_turn(seat, cube, board_ruleset) for cube in range(CELLS * TURNS)]
    before: list[list[int]] = [[] for _ in left]
    for cube, reached in enumerate(after):
        for one in reached:
            before[one].append(cube)
    level, turns = [REMOVED], 0
    while level:
        turns += 1
        level = [cube for cube in {one for each in level for one in before[each]} if left[cube] == FAR]
        for cube in level:
            left[cube] = turns
    return tuple(left)


def _after_a_turn(seat: int, cube: int, board_ruleset: bool) -> set[int]:
    found = set()
    for _, _, after in ROLLS[seat][cube]:
        if UP[after % TURNS] == STAR:
            found.add(REMOVED)
            continue
        ends = _hop_ends(seat, after, board_ruleset)
        found |= {*ends} if ends and board_ruleset else {*ends, after}
    return found


def _hop_ends(seat: int, cube: int, board_ruleset: bool) -> list[int]:
    """Return the places at which a cube can end a hop if the rest of the board is empty."""
    targets = hops(seat, cube, 0, board_ruleset)
    return [TURNS * cell + cube % TURNS for cell in range(CELLS) if targets >> cell & 1]


@cache
def turns_left_after_hop(seat: int, board_ruleset: bool) -> tuple[int, ...]:
    """Return the same numbers of turns as `turns_left`, but for cubes that have just rolled and may
    hop in the same turn."""
    left = turns_left(seat, board_ruleset)
    return tuple(
        min(
            [left[one] for one in _hop_ends(seat, cube, board_ruleset)] + [left[cube]] * (not board_ruleset),
            default=FAR,
        )
        for cube in range(CELLS * TURNS)
    )


def worth(at: Position) -> float:
    """Return the number of turns by which the player to move is ahead of the opponent."""
    cubes, _, mover, hopper, _, _, board_ruleset = at
    one, two = turns_left(0, board_ruleset), turns_left(1, board_ruleset)
    ahead = float(
        two[cubes[4]] + two[cubes[5]] + two[cubes[6]] + two[cubes[7]]
        - one[cubes[0]] - one[cubes[1]] - one[cubes[2]] - one[cubes[3]]
    )  # fmt: skip
    if mover:
        ahead = -ahead
    if hopper == NO_HOP:
        return ahead + 0.5
    cube = cubes[hopper]
    return ahead + (two if mover else one)[cube] - turns_left_after_hop(mover, board_ruleset)[cube] - 0.5


# ---- strengths


def careful_move(at: Position, random: Random) -> int:
    """Look one ply ahead and return one of the best moves, chosen at random. From time to time,
    also consider slightly worse moves. Without them, players whose cubes block each other would
    repeat their best moves forever."""
    values = {move: _value(at, after) for move, after in expand(at)}
    setback = SETBACK if at.quiet % PATIENCE >= PATIENCE - DETOUR else 0
    threshold = max(values.values()) - setback
    return random.choice([move for move, value in values.items() if value >= threshold])


def _value(at: Position, after: Position) -> float:
    """Return the value of a move for the player who makes it, without looking further ahead."""
    if is_over(after):
        return 0.0 if winner(after) is None else WON
    return worth(after) if after.mover == at.mover else -worth(after)


class SearchResult(NamedTuple):
    """The result of a search: the best move, its value, the number of plies searched, and the
    number of positions visited."""

    move: int
    value: float
    depth: int
    nodes: int


def search_moves(at: Position, random: Random) -> SearchResult:
    """Return the best move that the deepest completed search has found. Each search goes one ply
    deeper. The searches stop when the number of visited positions reaches its limit."""
    moves = expand(at)
    random.shuffle(moves)
    search, depth = Search(), 0
    while len(moves) > 1 and depth < MAX_DEPTH and search.value < WON:
        search.limit = NODES if depth >= MIN_DEPTH else None
        try:
            moves = search.ordered(at, moves, depth + 1)
        except _NodesUsed:
            break
        depth += 1
    return SearchResult(moves[0][0], search.value, depth, search.nodes)


class _NodesUsed(Exception):
    """Raised to abandon a search that has visited too many positions. The player uses the previous
    search's result instead."""


class Search:
    """An alpha-beta search. `value` is the value of the best move, according to the last completed
    search."""

    def __init__(self) -> None:
        self.nodes, self.value = 0, 0.0
        self.limit: int | None = None

    def ordered(self, at: Position, moves: list[tuple[int, Position]], depth: int) -> list[tuple[int, Position]]:
        """Return these moves with the best move first. Raises _NodesUsed if the search visits too
        many positions."""
        best, value = moves[0], -INFINITY
        for move in moves:
            found = self._after(at, move[1], depth - 1, value, INFINITY)
            if found > value:
                best, value = move, found
        self.value = value
        return [best, *(move for move in moves if move is not best)]

    def _after(self, at: Position, after: Position, depth: int, alpha: float, beta: float) -> float:
        """Return the value of a move for the player who makes it. After a roll, it can still be the
        same player's turn, because the player may hop."""
        if after.mover == at.mover:
            return self._best(after, depth, alpha, beta)
        return -self._best(after, depth, -beta, -alpha)

    def _best(self, at: Position, depth: int, alpha: float, beta: float) -> float:
        """Return the value of a position for the player to move. Earlier wins are worth more."""
        self.nodes += 1
        if self.limit is not None and self.nodes > self.limit:
            raise _NodesUsed
        if is_over(at):
            return 0.0 if winner(at) is None else -WON - depth
        if depth == 0:
            return worth(at)
        moves = expand(at)
        if depth > 1:
            moves.sort(key=lambda one: -_value(at, one[1]))
        best = -INFINITY
        for _, after in moves:
            best = max(best, self._after(at, after, depth - 1, max(alpha, best), beta))
            if best >= beta:
                break
        return best


OPPONENTS = Opponents(("careful", "thinker"), choose, moves, invite, concede=Choice("resign"))
