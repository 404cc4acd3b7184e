"""Tests that the computer players of Conquest find the right moves in clear positions, have the
expected strength, and use only information that a player can see."""

from __future__ import annotations

from copy import deepcopy
from random import Random

import pytest

from bots import conquest
from bots.arena import play
from bots.conquest import OPPONENTS, THINK, permitted
from bots.conquest_strategies.heuristic import best_source
from bots.conquest_strategies.minmax import DEPTH, NODES, WON, Tree, candidates, danger, value
from bots.conquest_strategies.player_view import PlayerView
from bots.conquest_strategies.plies import after
from bots.opponent import Choice
from bots.registry import Opponent
from indexer.games.conquest import GAME
from indexer.model import Json
from indexer.rules.call import IllegalMove
from indexer.rules.conquest_state.battle import powers
from indexer.rules.conquest_state.boards import match_of
from tests.bots.conquest_table import ACCOUNTS, Match, chain_of, owned, played, star_of

STRENGTHS = OPPONENTS.strengths
AT = {"ply": 4, "trail": 7}
TURN_OVER, PHASE_OVER = Choice("pass", {**AT, "phaseOnly": False}), Choice("pass", {**AT, "phaseOnly": True})


def choice(strength: str, board: Json, seat: int = 0) -> Choice | None:
    return conquest.choose(board, seat, strength, Random(1))


def capture(start: int, end: int) -> Choice:
    return Choice("capture", {**AT, "from": start, "to": end})


def attack(*lands: int) -> Choice:
    return Choice("attack", {**AT, "pairs": "0x" + bytes(lands).hex()})


def move(start: int, end: int, quarters: int = 4, hero: bool = False) -> Choice:
    return Choice("move", {**AT, "from": start, "to": end, "quarters": quarters, "hero": hero})


def with_item(board: Json, item: int) -> Json:
    return {**board, "seats": {**board["seats"], "0": {**board["seats"]["0"], "item": item}}}


# ---- seats, random draws and surrender


def test_the_weakest_is_first_and_five_of_one_are_seated() -> None:
    assert (STRENGTHS, OPPONENTS.accounts) == (("dumb", "heuristic", "minmax"), 5)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_seat_is_taken_on_the_map_of_its_seed_alone(strength: str) -> None:
    match = Match()
    match.call(ACCOUNTS[0], conquest.opened([ACCOUNTS[1]], bytes(32)))
    assert choice(strength, match.board, 1) == Choice("join")
    assert choice(strength, match.board, 0) is None
    assert choice(strength, match.board, 2) is None
    foreign = deepcopy(match.board)
    foreign["map"]["seed"] = "0x" + "11" * 32
    assert choice(strength, foreign, 1) is None


def test_a_draw_is_settled_by_who_is_to_move_and_the_first_by_the_last_seat() -> None:
    board = {**owned(chain_of(5, 5, 5), [0], [2]), "draw": {"kind": "turn", "block": 5}}
    assert [choice("dumb", board, seat) for seat in (0, 1)] == [Choice("settle"), None]
    first = {key: one for key, one in board.items() if key != "mover"}
    assert [choice("dumb", first, seat) for seat in (0, 1)] == [None, Choice("settle")]
    assert OPPONENTS.moves(board, 0) == [Choice("settle")]


def test_a_match_is_given_up_in_its_own_turn_and_after_the_draw() -> None:
    board = owned(chain_of(5, 5, 5), [0], [2])
    assert OPPONENTS.conceded(board, 0) == Choice("surrender", AT)
    assert OPPONENTS.conceded(board, 1) is None
    assert OPPONENTS.conceded({**board, "draw": {"kind": "turn", "block": 5}}, 0) == Choice("settle")


def test_who_is_out_takes_no_part() -> None:
    board = owned(chain_of(5, 5, 5), [0], [2])
    board["seats"]["1"] = {"alive": False}
    assert [OPPONENTS.is_alive(board, account) for account in ACCOUNTS[:3]] == [True, False, True]


# ---- choices


def test_capitals() -> None:
    board = chain_of(3, 9, 9, 2, 30, 1)
    board["phase"] = "capital"
    assert choice("dumb", board) == Choice("chooseCapital", {**AT, "land": 0})
    assert choice("heuristic", board) == Choice("chooseCapital", {**AT, "land": 4})
    assert choice("minmax", board) == Choice("chooseCapital", {**AT, "land": 4})
    board["lands"]["4"]["owner"] = 1
    found = [choice(name, board) for name in ("heuristic", "minmax")]
    assert [one and one.arguments["land"] for one in found] == [1, 1]


def test_minmax_chooses_no_capital_that_falls_to_the_first_attack() -> None:
    """Tests that `minmax` chooses no capital that an opponent could conquer with the first attack.
    With the best luck, an attack's damage is 120 % of the difference in soldiers. Therefore, 40 + 3
    soldiers can conquer a land with 20. A neutral land counts as a danger while an opponent can
    still choose it."""
    board = {**star_of(20, 40, 30, 30, 20), "phase": "capital"}
    assert choice("minmax", board) == Choice("chooseCapital", {**AT, "land": 1})
    board["lands"]["1"]["owner"] = 1
    assert choice("minmax", board) == Choice("chooseCapital", {**AT, "land": 2})
    weak = {**star_of(20, 33, 30, 30, 20), "phase": "capital"}
    assert choice("minmax", weak) == Choice("chooseCapital", {**AT, "land": 0})
    weak["lands"]["4"]["owner"] = 1
    weak["lands"]["1"]["soldiers"] = 34
    assert choice("minmax", weak) == Choice("chooseCapital", {**AT, "land": 0})


@pytest.mark.parametrize("is_third_alive", [False, True])
def test_minmax_fears_a_capital_more_than_one_that_may_come_and_nobody_who_is_out(is_third_alive: bool) -> None:
    """Tests that `minmax` fears an existing capital more than a possible capital, and ignores a
    player who has lost. Land 1 could immediately take land 0. If the third player chose land 2 or
    3, this capital could take the land with the next number."""
    board = {**chain_of(20, 90, 15, 8, 3), "phase": "capital", "seatCount": 3}
    board["seats"] = {**board["seats"], "2": {"alive": is_third_alive}}
    board["players"] = {**board["players"], ACCOUNTS[2]: {"seat": 2}}
    board["lands"]["1"]["owner"] = 1
    assert choice("minmax", board) == Choice("chooseCapital", {**AT, "land": 3})


def test_dumb_reinforces_its_lowest_front_and_else_the_capital() -> None:
    board = owned(chain_of(5, 5, 5, 5, 5), [1, 0, 2], [3], phase="reinforcement")
    assert choice("dumb", board) == Choice("reinforce", {**AT, "land": 2})
    far = owned(chain_of(5, 5, 5, 5, 5), [1, 0], [4], phase="reinforcement")
    assert choice("dumb", far) == Choice("reinforce", {**AT, "land": 1})


def test_dumb_captures_the_first_land_then_attacks_then_passes() -> None:
    assert choice("dumb", owned(chain_of(5, 90, 9, 1, 5), [1, 2], [3])) == capture(1, 0)
    assert choice("dumb", owned(chain_of(5, 5, 9, 5, 1), [0, 1, 2], [4, 3])) == attack(2, 3)
    assert choice("dumb", owned(chain_of(5, 5, 6, 5, 1), [0, 1, 2], [4, 3])) == TURN_OVER
    assert choice("dumb", owned(chain_of(5, 5, 9, 5), [0, 1, 2], [3], phase="move")) == TURN_OVER


def test_heuristic_reinforces_where_a_capital_falls() -> None:
    board = owned(chain_of(40, 2, 3, 30, 1, 50), [1, 3], [2, 4, 0, 5], phase="reinforcement")
    assert choice("heuristic", board) == Choice("reinforce", {**AT, "land": 3})


def test_heuristic_takes_a_capital_before_a_land_before_a_fight() -> None:
    assert choice("heuristic", owned(chain_of(1, 90, 1, 5), [1], [2, 3])) == attack(1, 2)
    assert choice("heuristic", owned(chain_of(1, 90, 1, 5), [1], [3, 2])) == capture(1, 0)
    assert choice("heuristic", owned(chain_of(1, 90, 1, 5), [1, 0], [3, 2])) == attack(1, 2)


def test_heuristic_builds_a_port_where_nothing_is_in_reach() -> None:
    board = owned(chain_of(5, 5, 5, 50, 5, water=0b10001), [0, 1, 2], [3, 4])
    assert choice("heuristic", board) == Choice("buildPort", {**AT, "land": 0})
    assert choice("heuristic", owned(chain_of(5, 5, 5, 50, 5), [0, 1, 2], [3, 4])) == PHASE_OVER


def test_heuristic_moves_what_is_idle_to_the_front() -> None:
    board = owned(chain_of(9, 30, 2, 5), [0, 1, 2], [3], phase="move")
    assert choice("heuristic", board) == move(1, 2)
    board["seats"]["0"]["hero"] = 1
    assert choice("heuristic", board) == move(1, 2, hero=True)


@pytest.mark.parametrize(("item", "phase", "used"), [
    (4, "reinforcement", True), (4, "action", True), (1, "reinforcement", False), (1, "action", True),
    (2, "action", True), (3, "action", True), (3, "move", False),
])  # fmt: skip
def test_heuristic_uses_two_turns_at_once_and_the_others_before_it_acts(item: int, phase: str, used: bool) -> None:
    board = with_item(owned(chain_of(5, 50, 5, 5), [1, 0], [3]), item) | {"phase": phase}
    assert (choice("heuristic", board) == Choice("useItem", AT)) is used
    if used and item != 4:
        assert choice("heuristic", {**board, "attacked": True}) != Choice("useItem", AT)


def test_with_a_port_in_the_same_turn_both_are_done() -> None:
    board = owned(chain_of(5, 50, 5, 5, water=0b1001), [1, 0], [3], used=[3], attacked=True)
    assert choice("heuristic", board) == Choice("buildPort", {**AT, "land": 0})
    for strength in STRENGTHS[1:]:
        found = choice(strength, {**board, "built": True})
        assert found == PHASE_OVER
    assert choice("dumb", {**board, "built": True}) == TURN_OVER


def test_minmax_takes_the_last_capital() -> None:
    board = owned(chain_of(1, 90, 1, 5, 40), [1, 0], [2, 3])
    assert choice("minmax", board) == attack(1, 2)


def test_minmax_launches_together_what_stays_permitted() -> None:
    board = owned(chain_of(9, 9, 99, 3, 3, 3), [2], [5, 1, 3, 0, 4])
    found = candidates(PlayerView.of(board, 0))
    assert (5, (2, 1, 2, 3)) in found
    assert (5, (2, 1)) in found
    assert len(found) <= 8
    weak = owned(chain_of(9, 40, 60, 40, 3, 3), [2], [5, 1, 3, 0, 4])
    assert not [lands for kind, lands in candidates(PlayerView.of(weak, 0)) if kind == 5 and len(lands) > 2]
    strong = {**weak, "used": [2]}
    assert (5, (2, 3, 2, 1)) in candidates(PlayerView.of(strong, 0))


# ---- how minmax evaluates a position


def test_the_value_of_an_end() -> None:
    view = PlayerView.of(owned(chain_of(5, 5, 5), [0], [2]), 0)
    view.alive = 0b01
    assert value(view, 2) == WON + 2
    view.alive = 0b10
    assert value(view, 2) == 0


def test_the_value_counts_soldiers_lands_ports_dangers_and_rivals() -> None:
    board = owned(chain_of(10, 4, 0, 0, 20), [0, 1], [4])
    board["lands"]["1"]["port"] = True
    view = PlayerView.of(board, 0)
    assert (danger(view, 0), danger(view, 1)) == (0, 0)
    assert value(view, 0) == 400_000 + 8 * 14 + 200 + 40 - (8 * 20 + 100) - 1_000


@pytest.mark.parametrize(("soldiers", "percent"), [(4, 0), (5, 54), (9, 74), (30, 100)])
def test_the_danger_of_a_capital(soldiers: int, percent: int) -> None:
    """The power of the attack is the number of the neighbour's soldiers plus 60 for each of the
    neighbour's two lands. The danger is this power divided by 401. The capital has 200 soldiers,
    and 401 is 2 × 200 + 1."""
    assert danger(PlayerView.of(owned(chain_of(10, soldiers, 1), [0], [2, 1]), 0), 0) == percent


def test_a_search_looks_at_so_many_positions_at_most() -> None:
    for board, seat, _ in played(("minmax", "minmax"), "nodes", 40, 50):
        if seat >= 0 and board.get("phase") == "action" and "draw" not in board:
            tree = Tree()
            tree.best(PlayerView.of(board, seat))
            assert tree.nodes <= NODES + DEPTH * 9


def plain_value(view: PlayerView, left: int, me: int) -> int:
    """Return the value of a position from a search without alpha-beta bounds."""
    if not left or view.alive in (1 << me,) or not view.alive >> me & 1:
        return value(view, left)
    found = [plain_value(after(view, each), left - 1, me) for each in candidates(view)]
    return max(found) if view.mover == me else min(found)


def test_alpha_beta_finds_what_a_plain_search_finds() -> None:
    compared = 0
    for board, seat, _ in played(("heuristic", "heuristic", "dumb"), "plain", 60):
        if seat < 0 or "draw" in board or board["phase"] == "capital":
            continue
        view = PlayerView.of(board, seat)
        values = {each: plain_value(after(view, each), 2, seat) for each in candidates(view)}
        assert Tree(depth=3).best(view) == max(values, key=lambda each: values[each])
        compared += 1
    assert compared > 20


# ---- the engine's rules


def test_powers_are_the_engines() -> None:
    compared = 0
    for board, seat, _ in played(("minmax", "heuristic", "heuristic"), "powers", 150, 50):
        if seat < 0 or "draw" in board or board["phase"] == "capital":
            continue
        state, view = match_of(board, 1).state, PlayerView.of(board, seat)
        assert state is not None
        for end in [land for land, owner in enumerate(state.owners) if owner not in (255, seat)]:
            for start in [land for land, owner in enumerate(state.owners) if owner == seat]:
                assert powers(state, start, end) == (view.strength(start), view.defence(end))
                assert (0, 2, 1)[state.connection(start, end)] == view.way(start, end)
                compared += 1
            start, surplus = best_source(view, end)
            assert (start == 255) == (surplus == -1)
    assert compared > 500


def test_what_the_search_thinks_is_what_the_engine_does_but_for_chance() -> None:
    """Tests that the search and the engine compute the same board after each command that doesn't
    involve chance."""
    compared = 0
    for board, seat, chosen in played(("minmax", "heuristic", "minmax"), "plies", 300, 76):
        if seat < 0 or "draw" in board or board["phase"] == "capital":
            continue
        view = PlayerView.of(board, seat)
        for command in candidates(view):
            if command[0] == 5 and view.owners[command[1][1]] != 255:
                continue
            match = Match()
            match.board, match.height = board, 10_000
            match.call(ACCOUNTS[seat], conquest._choice(board, view, command))
            expected, found = PlayerView.of(match.board, seat), after(view, command)
            # don't compare items: the search ignores the fat bonus, and chance decides the others
            expected.item = found.item
            if not any("item" in one for one in board["lands"].values()):
                assert found == expected, (command, chosen)
                compared += 1
    assert compared > 300


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_all_that_is_permitted_is_legal(seats: int) -> None:
    for board, seat, _ in played(("heuristic",) * seats, f"legal {seats}", 60, 100):
        if seat < 0:
            continue
        for each in OPPONENTS.moves(board, seat):
            match = Match()
            match.board, match.height = board, 10_000
            match.call(ACCOUNTS[seat], each)


# ---- hidden information


def differing(board: Json, seat: int, random: Random) -> Json:
    """Return a copy of the board with different values for everything that a player can't see or
    must not use. These are other players' stored items, random results, reserved seats, and the
    match's opener."""
    found = deepcopy(board)
    for number, one in found["seats"].items():
        if int(number) != seat and one["alive"]:
            one.pop("item", None)
            if random.random() < 0.7:
                one["item"] = random.randint(1, 4)
    found["map"]["seed"] = "0x" + random.randbytes(32).hex()
    found["invited"] = {"1": "0x" + random.randbytes(20).hex()}
    found["creator"], found["rematchOf"] = "0x" + random.randbytes(20).hex(), random.randint(1, 9)
    found["last"] = {"kind": 3, "seat": 0, "data": "0x00", "ply": 0}
    found["deadline"], found["clock"] = random.randint(1, 9_999), random.randint(60, 9_999)
    return found


@pytest.mark.parametrize("strength", STRENGTHS)
def test_boards_that_differ_in_hidden_things_get_the_same_command(strength: str) -> None:
    random, compared = Random(3), 0
    for board, seat, chosen in played((strength, "heuristic", strength), "hidden", 400):
        if seat < 0 or "draw" in board:
            continue
        for _ in range(2):
            assert conquest.choose(differing(board, seat, random), seat, strength, Random(9)) == (
                chosen if seat != 1 else choice(strength, board, seat)
            )
            compared += 1
    assert compared > 100


def test_what_a_player_stores_it_sees() -> None:
    board = owned(chain_of(5, 50, 5, 5), [1, 0], [3])
    assert [PlayerView.of(with_item(board, 2), seat).item for seat in (0, 1)] == [2, 0]


# ---- matches


@pytest.mark.parametrize("strengths", [STRENGTHS, (*STRENGTHS, *STRENGTHS), ("dumb",) * 4, ("minmax",) * 5])
def test_matches_of_many_go_on_without_a_fault(strengths: tuple[str, ...]) -> None:
    *_, (board, _, _) = played(strengths, f"{len(strengths)}", 400, 76)
    assert board["ply"] > 150 or board["status"] == "finished"


def test_no_command_is_refused_for_hundreds_of_turns() -> None:
    for seed in range(3):
        try:
            *_, (board, _, _) = played(("minmax", "dumb", "heuristic"), f"long {seed}", 900)
        except IllegalMove as refused:
            pytest.fail(f"{refused}")
        assert board["status"] == "finished" or board["ply"] > 300


def duels(first: str, second: str, matches: int) -> int:
    """Play matches between two strengths, which swap their seats after each match. Return how many
    matches the first strength wins."""
    won = 0
    for number in range(matches):
        pair = [Opponent(name, OPPONENTS, name) for name in (first, second)]
        found = play(GAME, pair if number % 2 == 0 else pair[::-1], f"duel {number}")
        assert not found.fault
        won += found.winner == number % 2
    return won


def test_each_strength_beats_the_one_below_it() -> None:
    """Tests that each strength beats the next weaker strength. In `python -m bench strength`,
    `heuristic` and `minmax` win at least 85 % and 92 % of 200 matches against the next weaker
    strength."""
    assert duels("heuristic", "dumb", 12) >= 10
    assert duels("minmax", "heuristic", 8) >= 6


@pytest.mark.soak
def test_each_strength_beats_the_one_below_it_by_far() -> None:
    assert duels("heuristic", "dumb", 100) >= 85
    assert duels("minmax", "heuristic", 100) >= 90


def test_random_movers_may_do_everything() -> None:
    kinds = set()
    for board, seat, _ in played(("minmax", "heuristic"), "kinds", 500):
        if seat >= 0 and "draw" not in board:
            kinds |= {kind for kind, _ in permitted(PlayerView.of(board, seat))}
    assert kinds == {0, 1, 2, 3, 5, 6, 7}


@pytest.mark.parametrize("strength", STRENGTHS)
def test_none_surrenders_by_itself(strength: str) -> None:
    assert all(one.action != "surrender" for _, seat, one in played((strength, "dumb"), "end", 200) if seat == 0)
    assert strength in THINK
