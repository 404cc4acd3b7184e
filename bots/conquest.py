"""The computer players for Conquest. `dumb` takes the first legal command, `heuristic` takes the
command that looks best, and `minmax` searches several commands ahead. They never choose to
surrender, and they join only matches whose map is generated from the match's seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random

from bots.conquest_strategies.commands import (
    ALL_QUARTERS,
    MAX_SOLDIERS,
    NONE,
    PHASE_OVER,
    TURN_OVER,
    Command,
    CommandKind,
    TurnPhase,
)
from bots.conquest_strategies.heuristic import dumb, heuristic
from bots.conquest_strategies.minmax import minmax
from bots.conquest_strategies.player_view import PlayerView, lands_in
from bots.opponent import Choice, Opponents, is_to_move, may_join
from indexer.games.conquest_map import generate_map, is_map_of_seed
from indexer.model import Json

THINK: Mapping[str, Callable[[PlayerView], Command]] = {"dumb": dumb, "heuristic": heuristic, "minmax": minmax}
SEATS = 5
"""The maximum number of computer players of one strength in a match. They can take all seats except
that of one visitor."""
CLOCK, GRAIN = 3_600, 148
"""The settings of a match that a computer player opens: the seconds per command, and the average
number of cells per land."""
ONE_LAND_COMMANDS = {
    CommandKind.CAPITAL: "chooseCapital",
    CommandKind.REINFORCE: "reinforce",
    CommandKind.PORT: "buildPort",
}
FIRST_SEED = bytes(32)


def choose(board: Json, seat: int, strength: str, _random: Random) -> Choice | None:
    if not _may_command(board, seat):
        return next(iter(_before_a_command(board, seat)), None)
    view = PlayerView.of(board, seat)
    return _choice(board, view, THINK[strength](view))


def moves(board: Json, seat: int) -> list[Choice]:
    if not _may_command(board, seat):
        return _before_a_command(board, seat)
    view = PlayerView.of(board, seat)
    return [_choice(board, view, command) for command in permitted(view)]


def _may_command(board: Json, seat: int) -> bool:
    return is_to_move(board, seat) and "draw" not in board


def _before_a_command(board: Json, seat: int) -> list[Choice]:
    """Return a list with the choice to join the match or to settle a pending random draw. The list
    is empty if the player can do neither. The random draw that decides who goes first is settled by
    the player in the last seat."""
    if may_join(board, seat):
        found = board["map"]
        return [Choice("join")] if is_map_of_seed(found["seed"], found["grain"], found["graph"]) else []
    if "draw" not in board:
        return []
    settles = is_to_move(board, seat) if "mover" in board else seat == board["seatCount"] - 1
    return [Choice("settle")] if settles else []


def permitted(view: PlayerView) -> Iterator[Command]:
    """Yield the commands that are legal for the player to move, except attacks from several lands
    at once."""
    mine, phase = view.mine, view.phase
    if phase == TurnPhase.CAPITAL:
        yield from ((CommandKind.CAPITAL, (land,)) for land in lands_in(view.neutral))
        return
    yield TURN_OVER
    if view.item:
        yield CommandKind.USE, ()
    if phase == TurnPhase.REINFORCEMENT:
        yield from ((CommandKind.REINFORCE, (land,)) for land in lands_in(mine))
    elif phase == TurnPhase.ACTION:
        yield PHASE_OVER
        yield from _actions(view)
    elif phase == TurnPhase.MOVE:
        hero = view.heroes[view.mover]
        for start in lands_in(mine):
            for end in lands_in(view.reach(start) & mine):
                if view.soldiers[end] == MAX_SOLDIERS:
                    continue
                for quarters in range(1, ALL_QUARTERS + 1):
                    if view.soldiers[start] * quarters // ALL_QUARTERS:
                        yield CommandKind.MOVE, (start, end, quarters, int(hero == start))


def _actions(view: PlayerView) -> Iterator[Command]:
    if not view.built:
        yield from ((CommandKind.PORT, (land,)) for land in lands_in(view.mine & view.terrain.shore & ~view.ports))
    if view.attacked:
        return
    for start in lands_in(view.mine):
        for end in lands_in(view.reach(start) & view.neutral):
            yield CommandKind.ATTACK, (start, end)
        for end in lands_in(view.reach(start) & view.enemies):
            if view.strength(start) > view.defence(end) * view.way(start, end):
                yield CommandKind.ATTACK, (start, end)


def _choice(board: Json, view: PlayerView, command: Command) -> Choice:
    kind, lands = command
    at = {"ply": board["ply"], "trail": board["trail"]}
    if kind == CommandKind.ATTACK and view.owners[lands[1]] != NONE:
        return Choice("attack", {**at, "pairs": "0x" + bytes(lands).hex()})
    if kind == CommandKind.ATTACK:
        return Choice("capture", {**at, "from": lands[0], "to": lands[1]})
    if kind == CommandKind.PASS:
        return Choice("pass", {**at, "phaseOnly": command == PHASE_OVER})
    if kind == CommandKind.USE:
        return Choice("useItem", at)
    if kind == CommandKind.MOVE:
        start, end, quarters, hero = lands
        return Choice("move", {**at, "from": start, "to": end, "quarters": quarters, "hero": bool(hero)})
    return Choice(ONE_LAND_COMMANDS[kind], {**at, "land": lands[0]})


def concede(board: Json, seat: int) -> Choice | None:
    """Return the choice to surrender. If a random draw is pending, it must be settled first, so
    return the choice to settle it. Return None during other players' turns, because the contract
    allows players to surrender only in their own turn."""
    if not _may_command(board, seat):
        return next(iter(_before_a_command(board, seat)), None)
    return Choice("surrender", {"ply": board["ply"], "trail": board["trail"]})


def invite(opponent: str) -> Choice:
    return opened([opponent], FIRST_SEED)


def vary(invitation: Choice, random: Random, grain: int = GRAIN) -> Choice:
    """Return an invitation to the same accounts, but on a random map."""
    return opened(invitation.arguments["invited"], random.randbytes(len(FIRST_SEED)), grain)


def opened(accounts: list[str], seed: bytes, grain: int = GRAIN) -> Choice:
    """Return the choice to open a match to which only these accounts are invited."""
    about = {"seed": "0x" + seed.hex(), "grain": grain, "graph": "0x" + generate_map(seed, grain).graph.hex()}
    return Choice(
        "create", {**about, "players": len(accounts) + 1, "invited": accounts, "clock": CLOCK, "rematchOf": 0}
    )


def is_alive(board: Json, account: str) -> bool:
    if board["status"] != "playing" or account not in board["players"]:
        return True
    return bool(board["seats"][str(board["players"][account]["seat"])]["alive"])


OPPONENTS = Opponents(
    tuple(THINK), choose, moves, invite, concede=concede, accounts=SEATS, is_alive=is_alive, vary=vary
)
