"""Tests the steps of pairing. They have no side effects, so the test chooses the times."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from api.live import seeks
from api.live.seeks import ANSWER_SECONDS, GRACE_SECONDS, JOIN_SECONDS, OPEN_SECONDS, Seek, Seeks, state_of


def seek(name: str, since: float = 0, *, asks: bool = False, rating: int | None = None, clock: int = 600) -> Seek:
    """Return a player's request for an opponent. The player's name is also its account and the
    request's ID."""
    return Seek(name, name, "marks", clock, rating, asks, "gateway", since)


def waiting(*them: Seek) -> Seeks:
    found: Seeks = {}
    for one in them:
        seeks.add(found, one)
    return found


def later(found: Seeks, now: float) -> Seeks:
    return seeks.advance(found, now)


def states(found: Seeks) -> dict[str, str]:
    return {key: state_of(one, found) for key, one in found.items()}


def paired(*them: Seek) -> set[frozenset[str]]:
    """Return the pairs that the server forms from these waiting players."""
    found = later(waiting(*them), max(one.since for one in them))
    return {frozenset((one.id, one.rival)) for one in found.values() if one.rival}


def test_who_waits_longer_opens_and_the_other_joins() -> None:
    found = later(waiting(seek("b", 1), seek("a", 0)), 2)
    assert states(found) == {"a": "opening", "b": "opening"}
    assert (found["a"].opens, found["b"].opens) == (True, False)
    seeks.set_opened(found, "b", 7, 3)
    assert found["a"].match is None, "only the player who opens the match names it"
    seeks.set_opened(found, "a", 7, 3)
    assert states(found) == {"a": "opened", "b": "opened"}
    seeks.remove(found, "b", joined=True)
    assert (state_of(found["a"], found), found["a"].why) == ("ended", "joined")


def test_only_players_of_one_queue_are_paired() -> None:
    assert paired(seek("a", clock=180), seek("b", clock=600)) == set()
    assert paired(replace(seek("a"), game="chess"), seek("b")) == set()


def test_an_account_waits_once() -> None:
    found = waiting(seek("a"), replace(seek("z"), account="a"))
    assert (states(found), found["a"].why) == ({"a": "ended", "z": "waiting"}, "elsewhere")
    assert states(later(found, 1)) == {"a": "ended", "z": "waiting"}, "nobody is paired with themselves"


def test_a_new_seek_of_a_paired_account_frees_the_rival() -> None:
    found = later(waiting(seek("a"), seek("b")), 0)
    seeks.add(found, replace(seek("z"), account="a", clock=180))
    found = later(found, 1)
    assert (states(found), found["b"].why) == ({"a": "ended", "b": "waiting", "z": "waiting"}, "left")


def test_the_nearest_in_rating_are_paired_first() -> None:
    one, near, far = seek("a", 0, rating=1500), seek("b", 2, rating=1520), seek("c", 1, rating=1590)
    assert paired(one, far, near) == {frozenset("ab")}
    assert paired(one, seek("c", 3), near) == {frozenset("ab")}, "players without a rating come last"


def test_ratings_far_apart_wait_and_then_play() -> None:
    found = waiting(seek("a", rating=1100), seek("b", rating=2100))
    for now in range(int(seeks.ANYBODY_SECONDS) + 1):
        found = later(found, now)
        assert states(found) == {"a": "waiting", "b": "waiting"}
    assert states(later(found, seeks.ANYBODY_SECONDS + 0.1)) == {"a": "opening", "b": "opening"}


def test_who_has_no_rating_plays_with_anybody() -> None:
    assert paired(seek("a", rating=2400), seek("b")) == {frozenset("ab")}


def test_who_plays_a_computer_is_asked_and_opens_only_for_another_such() -> None:
    found = later(waiting(seek("a", asks=True), seek("b", 5)), 5)
    assert states(found) == {"a": "asked", "b": "waiting"}
    seeks.accept(found, "a", 6)
    assert states(found) == {"a": "opening", "b": "opening"}
    assert found["b"].opens, "the player who waited for a person opens the match"


def test_nobody_who_need_not_be_asked_waits_for_one_who_must() -> None:
    assert paired(seek("a", asks=True), seek("b", 1), seek("c", 2)) == {frozenset("bc")}


def test_two_who_play_computers_are_both_asked() -> None:
    found = later(waiting(seek("a", asks=True), seek("b", asks=True)), 0)
    assert states(found) == {"a": "asked", "b": "asked"}
    seeks.accept(found, "a", 1)
    assert states(found) == {"a": "waiting", "b": "asked"}
    seeks.accept(found, "b", 2)
    assert states(found) == {"a": "opening", "b": "opening"}


def test_who_does_not_answer_is_asked_no_more() -> None:
    found = later(waiting(seek("a", asks=True), seek("b")), 0)
    assert states(later(found, ANSWER_SECONDS))["a"] == "asked"
    found = later(found, ANSWER_SECONDS + 1)
    assert (states(found), found["a"].why, found["b"].why) == ({"a": "ended", "b": "waiting"}, "unanswered", "late")


def test_who_leaves_frees_the_other() -> None:
    for match in (None, 7):
        found = later(waiting(seek("a"), seek("b", 1)), 1)
        if match:
            seeks.set_opened(found, "a", match, 2)
        seeks.remove(found, "a")
        found = later(found, 3)
        assert (states(found), found["b"].why, found["b"].match) == ({"b": "waiting"}, "left", None)


def test_who_is_freed_is_paired_with_the_next_at_once() -> None:
    found = later(waiting(seek("a"), seek("b", 1), seek("c", 2)), 2)
    assert states(found) == {"a": "opening", "b": "opening", "c": "waiting"}
    seeks.remove(found, "a")
    assert states(later(found, 3)) == {"b": "opening", "c": "opening"}


def test_who_is_paired_may_come_back_for_a_while() -> None:
    found = later(waiting(seek("a"), seek("b", 1)), 1)
    seeks.set_opened(found, "a", 7, 2)
    seeks.disconnect(found, "a", 2)
    assert states(later(found, 2 + GRACE_SECONDS)) == {"a": "opened", "b": "opened"}
    back = dict(found)
    seeks.add(back, replace(seek("z"), account="a"))
    assert (states(later(back, 3)), back["z"].match, back["b"].rival) == ({"z": "opened", "b": "opened"}, 7, "z")
    found = later(found, 2 + GRACE_SECONDS + 1)
    assert (states(found), found["b"].why) == ({"b": "waiting"}, "left")


def test_who_comes_back_for_something_else_or_too_late_waits_anew() -> None:
    found = later(waiting(seek("a"), seek("b", 1)), 1)
    seeks.disconnect(found, "a", 1)
    other = dict(found)
    seeks.add(other, replace(seek("z"), account="a", clock=180))
    assert states(later(other, 2)) == {"a": "ended", "b": "waiting", "z": "waiting"}
    seeks.remove(found, "b")
    seeks.add(found, replace(seek("z"), account="a"))
    assert states(later(found, 2)) == {"a": "ended", "z": "waiting"}


def test_who_only_waits_and_loses_the_connection_is_gone() -> None:
    found = waiting(seek("a"))
    seeks.disconnect(found, "a", 1)
    assert found == {}


def test_who_waits_for_an_answer_is_paired_with_one_who_need_not_be_asked() -> None:
    found = later(waiting(seek("a", asks=True), seek("b", 1)), 1)
    assert states(found) == {"a": "asked", "b": "waiting"}
    seeks.add(found, seek("c", 2))
    assert states(later(found, 2)) == {"a": "waiting", "b": "opening", "c": "opening"}
    seeks.add(found, seek("d", 2, asks=True))
    del found["c"]
    assert states(later(found, 2))["b"] == "waiting", "b keeps waiting for the answer of a"


def test_a_match_that_is_not_opened_or_not_joined_in_time_frees_the_other() -> None:
    found = later(waiting(seek("a"), seek("b", 1)), 1)
    late = later(found, 1 + OPEN_SECONDS + 1)
    assert (states(late), late["a"].why, late["b"].why) == ({"a": "ended", "b": "waiting"}, "late", "late")
    seeks.set_opened(found, "a", 7, 10)
    late = later(found, 10 + JOIN_SECONDS + 1)
    assert (states(late), late["b"].why, late["a"].why) == ({"b": "ended", "a": "waiting"}, "late", "late")


def test_those_who_can_be_joined_at_once_are_counted() -> None:
    found = waiting(seek("a"), seek("b", asks=True), seek("c", clock=180), seek("d", clock=180))
    assert seeks.counts(found) == {"marks": {600: 1, 180: 2}}
    assert seeks.counts(later(found, 1)) == {"marks": {600: 1}}, "a player who waits for an answer also counts"


STEPS = st.lists(
    st.tuples(st.sampled_from(["add", "ask", "accept", "open", "leave", "join", "lose", "wait"]), st.integers(0, 5)),
    max_size=60,
)


@given(STEPS)
def test_nobody_is_ever_in_two_pairs(steps: list[tuple[str, int]]) -> None:
    found: Seeks = {}
    for now, (step, who) in enumerate(steps):
        key = next((one.id for one in found.values() if one.account == str(who) and not one.ended), "")
        if step in ("add", "ask"):
            seeks.add(found, replace(seek(f"{now}", now, asks=step == "ask"), account=str(who)))
        elif step == "accept":
            seeks.accept(found, key, now)
        elif step == "open":
            seeks.set_opened(found, key, now, now)
        elif step == "lose":
            seeks.disconnect(found, key, now)
        elif step in ("leave", "join"):
            seeks.remove(found, key, joined=step == "join")
        found = later(found, now)
        current = {one.id: one for one in found.values() if one.rival and not one.ended}
        assert all(current[str(one.rival)].rival == one.id for one in current.values())
        assert all(current[str(one.rival)].account != one.account for one in current.values())
        assert all(one.opens != current[str(one.rival)].opens for one in current.values())
        assert len({one.account for one in found.values() if not one.ended}) == sum(
            not one.ended for one in found.values()
        )
