"""Generates the page's tutorials by playing matches with the rules in Python. `python -m
tests.support.page.tutorials` writes the files `frontend-static/games/<slug>/tutorial.json`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from bots.registry import rules_of
from indexer.gamekit.game import fold
from indexer.gamekit.lifecycle import NOBODY
from indexer.games import GAMES
from indexer.games.conquest_map import generate_map
from indexer.games.deblockle import SIDE as DEBLOCKLE_SIDE
from indexer.model import Event, Json
from indexer.rules.battleship import TILES, commitment, mask
from indexer.rules.call import Call, CallBlock

FOLDER = Path(__file__).parents[3] / "frontend-static/games"
ME, OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
BEGIN = 1_800_000_000
"""The time at which the tutorials begin, in seconds since 1970."""
CONQUEST_SIDE, CONQUEST_GRAIN = 64, 200
"""The size of the map in Conquest: the number of cells on each side, and the number of cells per
land. The lands are large, so that the map has only a few of them."""


class Lesson:
    """A match that follows the rules, with the tutorial's steps. `seed` determines the hashes of
    future blocks."""

    def __init__(self, slug: str, seed: int = 0) -> None:
        self.game, self.seed = GAMES[slug], seed
        rules = rules_of(self.game)
        assert rules is not None
        self.rules = rules
        self.board, self.height = self.game.start, 1
        self.script: Json = {"me": ME, "steps": []}

    def call(self, account: str, action: str, **arguments: Any) -> Json:
        """Make a call two blocks after the previous call, and return the new board. If a random
        draw is pending, the block in between decides it. Raises IllegalMove if the rules forbid the
        call."""
        self.height += 2
        time = BEGIN + self.height
        block = CallBlock(self.height, time, self.seed, self._hash_of)
        for name, args in self.rules(self.board, Call(account, action, arguments, block=block)):
            event = Event(self.game.slug, 1, 1, name, args, self.height, "", time, "", 0)
            self.board = fold(self.game, self.board, [event])
        return self.board

    def _hash_of(self, height: int) -> bytes:
        return hashlib.sha256(f"{self.seed}/{height}".encode()).digest()

    def begin(self) -> None:
        self.script["board"] = self.board

    def step(self, *boards: Json, press: tuple[int, ...] = (), action: str = "") -> None:
        """Add a step to the tutorial. The step consists of the cells to click, the button to press,
        and the boards that follow. The opponent's answer produces the last of these boards."""
        self.script["steps"].append({"press": [*press], "action": action, "boards": [*boards]})


def tic_tac_toe() -> Lesson:
    """Return a lesson in which the player completes a row, because the opponent doesn't notice the
    threat."""
    lesson = Lesson("tic-tac-toe")
    lesson.call(ME, "create", challenger=NOBODY, clock=0)
    lesson.call(OTHER, "accept")
    lesson.begin()

    def move(account: str, cell: int) -> Json:
        return lesson.call(account, "move", ply=lesson.board["ply"], row=cell // 3, column=cell % 3)

    for cell, answer in ((4, 1), (0, 2)):
        lesson.step(move(ME, cell), move(OTHER, answer), press=(cell,))
    lesson.step(move(ME, 8), press=(8,))
    return lesson


def deblockle() -> Lesson:
    """Return a lesson in which the player brings the last cube home. The cube rolls, hops (its top
    face allows it), and finally rolls onto the star."""
    lesson = Lesson("deblockle")
    terms = {"clock": 0, "cubes": 1, "ruleset": 0, "stake": 0, "rate": 0, "token": NOBODY}
    lesson.call(ME, "create", opponent=NOBODY, rematchOf=0, **terms)
    lesson.call(OTHER, "join", **terms)

    def move(account: str, to: int) -> Json:
        board = lesson.board
        (start,) = (one["cell"] for one in board["cubes"].values() if one["seat"] == board["players"][account]["seat"])
        (from_y, from_x), (to_y, to_x) = divmod(start, DEBLOCKLE_SIDE), divmod(to, DEBLOCKLE_SIDE)
        corners = {"fromX": from_x + 1, "fromY": from_y + 1, "toX": to_x + 1, "toY": to_y + 1}
        return lesson.call(account, "makeMove", ply=board["ply"], **corners)

    for account, to in ((ME, 44), (OTHER, 4), (ME, 45), (ME, 37), (OTHER, 5), (OTHER, 11)):
        move(account, to)
    lesson.begin()
    lesson.step(move(ME, 30), press=(30,))
    hopped, answer = move(ME, 9), move(OTHER, 4)
    lesson.step(hopped, answer, lesson.call(OTHER, "passMove", ply=answer["ply"]), press=(9,))
    lesson.step(move(ME, 10), press=(10,))
    return lesson


def battleship() -> Lesson:
    """Return a lesson in which the player finds and sinks a ship of two squares.

    After the lesson, there is one more board, which reveals the player's fleet. The page gets the
    player's fleet from this board."""
    lesson = Lesson("battleship")
    fleets = {ME: "CV9 BH39 SV16 DH75 PH6", OTHER: "CH73 BV17 SH10 DV45 PH30"}
    nonces = {ME: bytes(31) + b"1", OTHER: bytes(31) + b"2"}
    sealed = {one: "0x" + commitment(fleets[one], nonces[one]).hex() for one in fleets}
    staked = {"stake": 0, "token": NOBODY, "clock": 0, "opponent": NOBODY, "rematchOf": 0}
    lesson.call(ME, "invite", commitment=sealed[ME], **staked)
    lesson.call(OTHER, "accept", commitment=sealed[OTHER], tile=15)
    lesson.begin()

    def move(account: str, tile: int) -> Json:
        pending = lesson.board["pending"]["tile"]
        about = {"answeredTile": pending, "hit": bool(mask(fleets[account]) >> pending & 1), "tile": tile}
        return lesson.call(account, "move", ply=lesson.board["ply"], **about)

    for tile, answer in ((30, 58), (29, 40), (31, 84)):
        lesson.step(move(ME, tile), move(OTHER, answer), press=(TILES + tile,))
    shown = {"ships": fleets[ME], "nonce": "0x" + nonces[ME].hex(), "message": ""}
    lesson.script["latest"] = lesson.call(ME, "surrender", **shown)
    return lesson


def touche_coule() -> Lesson:
    """Return a lesson in which the player hits with a volley, moves a ship away, and wins with the
    last shot. The seed was chosen to make this possible."""
    lesson = Lesson("touche-coule")
    lesson.call(ME, "create", width=6, height=6, captains=False)
    for account in 2 * (ME, OTHER):
        lesson.call(account, "register")

    def fire(account: str, seed: int = 0) -> Json:
        lesson.seed = seed
        return lesson.call(account, "turn", turnNo=lesson.board["ply"])

    for account in 3 * (ME, OTHER):
        fire(account)
    lesson.begin()
    lesson.step(fire(ME, 9), action="turn")
    lesson.step(lesson.call(ME, "changePosition"), fire(OTHER), action="changePosition")
    lesson.step(fire(ME, 4), action="turn")
    return lesson


def conquest() -> Lesson:
    """Return a lesson in which the player takes one turn: it chooses a capital, adds soldiers and
    takes another land."""
    lesson = Lesson("conquest")
    seed = b"chainboard tutorial 7".ljust(32)
    made = generate_map(seed, CONQUEST_GRAIN)
    about = {"seed": "0x" + seed.hex(), "grain": CONQUEST_GRAIN, "graph": "0x" + made.graph.hex()}
    lesson.call(ME, "create", players=2, invited=[], clock=3600, rematchOf=0, **about)
    lesson.call(OTHER, "join")
    lesson.call(ME, "settle")

    def command(account: str, action: str, **arguments: int) -> list[Json]:
        """Carry out a command and return the new boards. If the command starts a random draw,
        settle it immediately."""
        position = {"ply": lesson.board["ply"], "trail": lesson.board["trail"]}
        board = lesson.call(account, action, **position, **arguments)
        return [board, lesson.call(account, "settle")] if "draw" in board else [board]

    def middle(land: int) -> int:
        cells = [cell for cell, one in enumerate(made.cells) if one == land]
        x, y = (sum(divmod(cell, CONQUEST_SIDE)[way] for cell in cells) / len(cells) for way in (1, 0))
        return min(cells, key=lambda cell: (cell % CONQUEST_SIDE - x) ** 2 + (cell // CONQUEST_SIDE - y) ** 2)

    command(OTHER, "chooseCapital", land=11)
    lesson.begin()
    home, next_to_it = 6, 4
    at = middle(home)
    lesson.step(*command(ME, "chooseCapital", land=home), press=(at,), action="chooseCapital")
    lesson.step(*command(ME, "reinforce", land=home), press=(at,), action="reinforce")
    captured = command(ME, "capture", **{"from": home, "to": next_to_it})
    lesson.step(*captured, press=(at, middle(next_to_it)), action="capture")
    return lesson


LESSONS: dict[str, Callable[[], Lesson]] = {
    "battleship": battleship,
    "conquest": conquest,
    "deblockle": deblockle,
    "tic-tac-toe": tic_tac_toe,
    "touche-coule": touche_coule,
}


def written(slug: str) -> bytes:
    return orjson.dumps(LESSONS[slug]().script, option=orjson.OPT_INDENT_2) + b"\n"


if __name__ == "__main__":
    for each in LESSONS:
        (FOLDER / each / "tutorial.json").write_bytes(written(each))
