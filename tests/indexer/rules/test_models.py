"""Tests that the Python rules and the models in the contract tests give the same result for any
call, legal or illegal."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, TypeAlias

import pytest

from indexer.gamekit.game import fold
from indexer.games import GAMES
from indexer.model import Event, Json
from indexer.rules import battleship, deblockle, tic_tac_toe, touche_coule
from indexer.rules.call import Call, CallBlock, IllegalMove, Rule
from tests.contracts.models.battleship import BattleshipMatch, BattleshipRevert
from tests.contracts.models.deblockle import DeblockleMatch, DeblockleRevert
from tests.contracts.models.deblockle_views import folded_board
from tests.contracts.models.tic_tac_toe import TicTacToeRevert, TicTacToeWorld
from tests.contracts.models.touche_coule import ToucheCouleModel, ToucheCouleRevert
from tests.indexer.rules.overdue import check_overdue

A, B, C = ACCOUNTS = tuple(f"0x{digit * 40}" for digit in "123")
NOBODY = "0x" + 40 * "0"
CALLS = 60
NONCE = bytes(range(32))
FLEETS = {A: "PH12 SH81 DV7 BV51 CH40", B: "PH0 SH81 DV7 BV51 CH40", C: "PH0 SH1 DV7 BV51 CH40"}

ModelEvents: TypeAlias = list[tuple[str, dict[str, Any]]] | None
"""The events that the model predicts, or None if the model rejects the call."""


class RulesComparison:
    """A match that the rules and a model play at the same time. Their results must be equal after
    each call."""

    def __init__(self, slug: str, rules: Rule) -> None:
        self.game, self.rules, self.board, self.seq = GAMES[slug], rules, GAMES[slug].start, 0
        self.height = self.time = 1_000
        self.legal, self.illegal = set[str](), set[str]()

    def call(self, account: str, action: str, model_call: Callable[[], ModelEvents], **arguments: Any) -> None:
        block = CallBlock(self.height, self.time, 7, lambda height: bytes.fromhex(hash_of(height)[2:]), {C: 3}.get)
        expected = model_call()
        found: ModelEvents = None
        with suppress(IllegalMove):
            found = self.rules(self.board, Call(account, action, arguments, 1, 2, block))
        assert found == expected, (action, account, arguments)
        check_overdue(self.game, self.board, self.time)
        if found is None:
            self.illegal.add(action)
            return
        self.legal.add(action)
        for name, args in found:
            self.seq += 1
            self.board = fold(
                self.game,
                self.board,
                [Event(self.game.slug, 1, self.seq, name, args, self.height, "", self.time, "", 0)],
            )

    def pass_time(self, blocks: int, seconds: int) -> None:
        self.height, self.time = self.height + blocks, self.time + seconds


def hash_of(height: int) -> str:
    return "0x" + hashlib.sha256(str(height).encode()).hexdigest()


@pytest.mark.parametrize("seed", range(60))
def test_tic_tac_toe(seed: int) -> None:
    random, world, compared = Random(seed), TicTacToeWorld(1), RulesComparison("tic-tac-toe", tic_tac_toe.events)

    def model_call(entry: str, *given: Any) -> Callable[[], ModelEvents]:
        def call_model() -> ModelEvents:
            try:
                return [(name, args) for number, name, args in getattr(world, entry)(*given) if number == 1]
            except TicTacToeRevert:
                return None

        return call_model

    opponent, clock = random.choice([A, B, NOBODY, NOBODY, B, B]), random.choice([0, 0, 0, 10, 60, 60])
    compared.call(A, "create", model_call("create", A, opponent, clock), challenger=opponent, clock=clock)
    if compared.board["status"] == "none":
        return
    for _ in range(CALLS):
        who = random.choice([A, B, B, C, *[compared.board.get("mover", B)] * 8])
        row, column, ply = (
            random.randrange(4),
            random.randrange(3),
            compared.board["ply"] + random.choice([0] * 9 + [1]),
        )
        compared.pass_time(1, random.choice([1, 1, 1, 100]))
        now = compared.time
        choices: list[tuple[str, Callable[[], ModelEvents], Json]] = [
            ("move", model_call("move", 1, who, ply, row, column, now), {"ply": ply, "row": row, "column": column})
        ] * 14
        choices += [("accept", model_call("accept", 1, who, now), {})] * 2
        choices += [("offerRestart", model_call("offer_restart", 1, who), {})]
        choices += [("acceptRestart", model_call("accept_restart", 1, who, ply, now), {"ply": ply})]
        if random.random() < 0.2:
            choices += [
                ("claimTimeout", model_call("claim_timeout", 1, now), {}),
                ("close", model_call("close", 1, who), {}),
            ]
            choices += [("resign", model_call("resign", 1, who), {})]
        if "rematch" not in compared.board:
            choices += [("rematch", model_call("do_rematch", 1, who, now), {})] * 2
        action, call_model, arguments = random.choice(choices)
        compared.call(who, action, call_model, **arguments)
        board = {key: value for key, value in world.matches[1].board().items() if key != "rematchOf"}
        assert compared.board == board
    assert compared.illegal


@pytest.mark.parametrize("seed", range(40))
def test_battleship(seed: int) -> None:
    random, compared = Random(seed), RulesComparison("battleship", battleship.events)
    stake, clock = random.choice([0, 0, 5]), random.choice([0, 40, 60])
    model = BattleshipMatch(1, random.choice([B, NOBODY]), clock, NOBODY, stake)

    def model_call(entry: str, check: tuple[Any, ...], *given: Any) -> Callable[[], ModelEvents]:
        def call_model() -> ModelEvents:
            try:
                getattr(model, f"check_{entry}")(*check)
            except BattleshipRevert:
                return None
            found: ModelEvents = getattr(model, "close" if entry in ("decline", "cancel") else entry)(*given)
            return found

        return call_model

    seals = {who: battleship.commitment(ships, NONCE) for who, ships in FLEETS.items()}
    invitation = {"opponent": model.opponent, "clock": clock, "token": NOBODY, "stake": str(stake)}
    call_model = model_call("invite", (A, seals[A], stake), A, seals[A])
    compared.call(A, "invite", call_model, commitment="0x" + seals[A].hex(), **invitation)
    if compared.board["status"] == "none":
        return
    for _ in range(4 * CALLS):
        who = random.choice([A, B, A, B, A, B, C])
        compared.pass_time(1, random.choice([1] * 9 + [50, 90_000] if model.revealing else [1] * 60 + [50]))
        now, tile, ply = compared.time, random.randrange(101), model.ply + (random.random() < 0.05)
        fleet = (FLEETS[who].encode(), NONCE, b"hm")
        shown = {"ships": FLEETS[who], "nonce": "0x" + NONCE.hex(), "message": "hm"}
        answered, hit = random.choice([model.pending] * 20 + [4]), random.random() < 0.4
        shot = {"ply": ply, "answeredTile": answered, "hit": hit, "tile": tile}
        seal = seals[random.choice([who, who, A])]
        sealed = {"commitment": "0x" + seal.hex(), "tile": tile}
        choices: list[tuple[str, Callable[[], ModelEvents], Json]] = [
            ("move", model_call("move", (who, ply, answered, hit, tile), hit, tile, now), shot)
        ] * 30
        choices += [("accept", model_call("accept", (who, seal, tile, stake), who, seal, tile, now), sealed)] * 5
        choices += [("reveal", model_call("reveal", (who, *fleet), who, *fleet), shown)] * 4
        choices += [("claimTimeout", model_call("timeout", (now,), now), {})]
        if random.random() < 0.3 and who != C:
            choices += [("surrender", model_call("surrender", (who, *fleet), who, *fleet, now), shown)]
        if random.random() < 0.2:
            choices += [("withdraw", model_call("withdraw", (who,), who), {})] * 20
        if random.random() < 0.02:
            choices += [(one, model_call(one, (who,)), {}) for one in ("decline", "cancel")]
        action, call_model, arguments = random.choice(choices)
        compared.call(who, action, call_model, **arguments)
        assert compared.board == model.board()
    assert compared.illegal


@pytest.mark.parametrize("seed", range(40))
def test_touche_coule(seed: int) -> None:
    random, compared = Random(seed), RulesComparison("touche-coule", touche_coule.events)
    width, height, captains = random.choice([2, 3, 5, 20]), random.choice([3, 6, 20]), seed % 2 == 1
    model = ToucheCouleModel(1, width, height, captains, {C: 3})
    created = {"creator": A, "opponent": NOBODY, "clock": 0, "rematchOf": 0}
    size = {"width": width, "height": height, "captains": captains}
    compared.call(A, "create", lambda: [("MatchCreated", created), ("Size", size)], **size)

    def model_call(entry: str, check: tuple[Any, ...], *given: Any) -> Callable[[], ModelEvents]:
        def call_model() -> ModelEvents:
            try:
                getattr(model, f"check_{entry}")(*check)
            except ToucheCouleRevert:
                return None
            found: ModelEvents = getattr(model, entry)(*given)
            return found

        return call_model

    for _ in range(3 * CALLS):
        who = random.choice([A, B, A, B, C])
        compared.pass_time(random.choice([1, 2, 3]), random.choice([1] * 200 + [90_000]))
        now, at, ply = compared.time, compared.height, model.ply + (random.random() < 0.05)
        captain = random.choice([None, None, None, C])
        parent = bytes.fromhex(hash_of(at - 1)[2:])
        named = {} if captain is None else {"captain": captain}
        registered = model_call("register", (who, captain, True), who, captain, parent, 7)
        choices: list[tuple[str, Callable[[], ModelEvents], Json]] = [
            ("turn", model_call("turn", (who, ply, at), who, at, now, hash_of), {"turnNo": ply}),
            ("changePosition", model_call("change", (who, at), who, at, hash_of), {}),
            ("communicate", model_call("communicate", (who,), who), {}),
            ("register", registered, named),
            ("expire", model_call("expire", (now,)), {}),
        ]
        if model.status == 1 and len(model.ships) < 4:
            choices = [choices[3]]
        action, call_model, arguments = random.choice(choices)
        compared.call(who, action, call_model, **arguments)
        assert compared.board == model.board()
    assert {"create", "register", "turn"} <= compared.legal
    assert compared.illegal


@pytest.mark.parametrize("seed", range(60))
def test_deblockle(seed: int) -> None:
    random, compared = Random(seed), RulesComparison("deblockle", deblockle.events)
    stake, rate = random.choice([(0, 0), (0, 0), (60, 1), (1_000, 2), (1_001, 16), (1_000, 17), (59, 1), (0, 1)])
    cubes, ruleset, clock = random.randrange(6), random.choice([0, 1, 0, 1, 2]), random.choice([0, 40, 60, 600])
    terms = {"cubes": cubes, "ruleset": ruleset, "token": C, "stake": stake, "rate": rate, "clock": clock}
    model = DeblockleMatch(1, [NOBODY, random.choice([B, NOBODY])], *terms.values(), rematch_of=0)

    def model_call(entry: str, *given: Any) -> Callable[[], ModelEvents]:
        def call_model() -> ModelEvents:
            try:
                found: ModelEvents = getattr(model, entry)(*given)
            except DeblockleRevert:
                return None
            return found

        return call_model

    compared.call(A, "create", model_call("create", A, 0), opponent=model.seats[1], **terms, rematchOf=0)
    if compared.board["status"] == "none":
        return
    for _ in range(4 * CALLS):
        who = random.choice([A, B, C, *[compared.board.get("mover", B)] * 9])
        compared.pass_time(1, random.choice([0, 1, 1, 1, 1, 3, 20]))
        now, ply = compared.time, model.ply + (random.random() < 0.05)
        start, end = _ends(random, compared.board)
        named = dict(zip(("fromX", "fromY", "toX", "toY"), (*start, *end), strict=True))
        choices: list[tuple[str, Callable[[], ModelEvents], Json]] = [
            ("makeMove", model_call("move", who, ply, start, end, now), {"ply": ply, **named})
        ] * 30
        choices += [("passMove", model_call("skip", who, ply, now), {"ply": ply})]
        choices += [
            ("withdraw", model_call("withdraw", who, now), {}),
            ("claimTimeout", model_call("claim_timeout", now), {}),
        ]
        if model.status == 1 or random.random() < 0.02:
            given = dict(zip(terms, model.terms, strict=True))
            name = random.choice(list(terms))
            given |= random.choice([{}, {name: B if name == "token" else given[name] + 1}])
            call_model = model_call("join", who, tuple(given.values()), model.stake * (model.token == NOBODY), now)
            choices += [("join", call_model, given)] * 60
            choices += [("cancel", model_call("cancel", who), {})] * 10
        if random.random() < 0.01:
            choices += [("resign", model_call("resign", who, now), {})] * 40
        action, call_model, arguments = random.choice(choices)
        compared.call(who, action, call_model, **arguments)
        assert compared.board == folded_board(model)
    assert compared.illegal


def _ends(random: Random, board: Json) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the start and the end of a move. Most of these moves are legal."""
    offered = [(cube, cell) for cube, cells in board["moves"].items() for cell in cells]
    start, end = random.randrange(49), random.randrange(49)
    if offered and random.random() < 0.8:
        cube, end = random.choice(offered)
        start = board["cubes"][cube]["cell"]
    elif random.random() < 0.8:
        start = random.choice([one["cell"] for one in board["cubes"].values()])
    return (start % 7 + 1, start // 7 + 1), (end % 7 + random.choice([1] * 20 + [2]), end // 7 + 1)
