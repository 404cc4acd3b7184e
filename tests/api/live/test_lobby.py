"""Tests that the lobby lists every match that belongs in it, and that its messages stay small.
Adding new blocks to the lobby must give the same result as reading all blocks again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from eth_utils.address import to_checksum_address

from api.live.lobby import BOARD_BYTES, LIVE_SECONDS, MAX_BYTES, Lobby
from api.live.presence import Presence, PresenceCounts
from api.live.send_queue import SendQueue
from bench.load.full_database import TIC_TAC_TOE, TOUCHE_COULE, NameAndArgs, digest
from indexer.gamekit.game import Game, board_hash, canonical
from indexer.gamekit.lifecycle import NOBODY
from indexer.games import GAMES
from indexer.model import Block, Chain, Deployment, Event, Json, MatchKey
from indexer.store.lobby_queries import BATCH, LATEST, MAX_LIVE, MAX_OPEN, MAX_PER_OPENER, READ_LIMITS
from indexer.store.store import Store
from tests.api.playground import Playground, RecordingSink, served
from tests.support.merge_patch import merged

MESSAGE_BYTES = 64 * 1024
AHEAD = 4_000_000_000
"""The first block's time, in seconds since 1970. The blocks are ahead of the server's clock, as on
a development chain. Therefore, the lobby uses the last block's time as the current time."""
CHAIN = Chain(31337, "0x" + "d" * 64)
TOKEN_UNITS = str(10**38)
FIVE: dict[str, Game] = {**GAMES, **{slug: replace(GAMES[TIC_TAC_TOE], slug=slug) for slug in ("hex", "reversi")}}


def address_of(number: int) -> str:
    return to_checksum_address(digest(f"player {number}")[:42])


STRANGER, ANN, BEN = address_of(-1), address_of(-2), address_of(-3)


def opened(by: str, opponent: str = NOBODY) -> list[NameAndArgs]:
    """Return the events of a match that is waiting for its second player."""
    return [
        ("MatchCreated", {"creator": by, "opponent": opponent, "clock": 3600, "rematchOf": 0}),
        ("PlayerJoined", {"player": by, "seat": 0}),
    ]


def begun(one: str, other: str) -> list[NameAndArgs]:
    return [*opened(one), ("PlayerJoined", {"player": other, "seat": 1}), ("MatchStarted", {})]


def over(one: str, other: str) -> list[NameAndArgs]:
    return [*begun(one, other), ("MatchEnded", {"winner": one, "reason": 3})]


def closed(by: str) -> list[NameAndArgs]:
    return [*opened(by), ("MatchEnded", {"winner": NOBODY, "reason": 6})]


class FilledStore:
    """A store that a test fills block by block with matches of different games."""

    def __init__(self, store: Store, games: Sequence[str]) -> None:
        self.store, self.height, self.forks = store, 0, 0
        self.blocks: list[Block] = [Block(0, CHAIN.genesis, CHAIN.genesis, AHEAD)]
        deployed = [
            Deployment(game, game, address_of(-100 - at), [], 1, digest(""), digest(game), 1)
            for at, game in enumerate(games)
        ]
        store.set_chain(CHAIN, deployed)

    def block(self, specs: Sequence[tuple[MatchKey, NameAndArgs]]) -> set[MatchKey]:
        """Append a block with these events. Return the matches whose boards the block changed."""
        last = self.blocks[-1]
        hash = digest(f"{last.hash} {self.forks}")
        block = Block(last.height + 1, hash, last.hash, last.time + 1)
        seqs: dict[MatchKey, int] = {}
        with self.store.read() as snapshot:
            for key, (name, _args) in specs:
                if name == "MatchCreated" or key in seqs:
                    seqs.setdefault(key, 0)
                elif found := snapshot.last_event(*key):
                    seqs[key] = found.seq
        events = []
        for index, (key, (name, args)) in enumerate(specs):
            seqs[key] += 1
            tx = digest(f"{hash} {index}")
            events.append(Event(*key, seqs[key], name, args, block.height, hash, block.time, tx, index))
        self.store.append([block], events)
        self.blocks.append(block)
        return set(seqs)

    def append_matches(self, matches: Sequence[tuple[MatchKey, list[NameAndArgs]]]) -> set[MatchKey]:
        """Append a block with all events of some matches, one match after the other."""
        return self.block([(key, what) for key, specs in matches for what in specs])

    def revert_to(self, height: int) -> None:
        self.store.delete_blocks_from(height + 1)
        del self.blocks[height + 1 :]
        self.forks += 1


@pytest.fixture
def filled(tmp_path: Path) -> Iterator[FilledStore]:
    with closing(Store(f"sqlite:///{tmp_path / 'index.db'}", FIVE)) as store:
        yield FilledStore(store, [*FIVE])


def lobby_at(seconds: float, presence: Presence | None = None) -> Lobby:
    """Return a lobby whose clock shows this time, in seconds since 1970. The lobby uses the later
    of this time and the last block's time. With 0, it uses the last block's time."""
    return Lobby(FIVE, presence, lambda: seconds)


def presence_of_all(filled: FilledStore) -> Presence:
    """Return a `Presence` that looks up a match's opener and players in the store."""

    def accounts_of(name: str) -> frozenset[str]:
        game, _, match = name.partition("/")
        with filled.store.read() as snapshot:
            found = snapshot.summary(game, int(match)) if match else None
        return frozenset(one.lower() for one in (found.opener, *found.players)) if found else frozenset()

    return Presence(accounts_of)


def fresh(store: Store, seconds: float = 0) -> Json:
    lobby = lobby_at(seconds)
    with store.read() as snapshot:
        lobby.load(snapshot)
    return lobby.board


def test_nobody_has_more_than_three_on_the_list_and_the_rest_is_counted(filled: FilledStore) -> None:
    game = TIC_TAC_TOE
    filled.append_matches([((game, 1), opened(ANN)), ((game, 2), over(ANN, BEN)), ((game, 3), begun(BEN, ANN))])
    filled.append_matches([((game, number), opened(STRANGER)) for number in range(4, 54)])
    filled.append_matches([((game, 54), opened(BEN, opponent=ANN))])
    board = fresh(filled.store)
    assert [*board["matches"]] == [f"{game}/{number}" for number in (3, 54, 53, 52, 51, 1, 2)]
    assert board["games"][game]["counts"] == {"open": 52, "playing": 1, "finished": 1, "cancelled": 0, "live": 1}
    assert board["games"][game]["more"] == {STRANGER: 47}
    assert board["games"][TOUCHE_COULE] == {"counts": dict.fromkeys(("open", *LATEST, "live"), 0), "more": {}}
    row = board["matches"][f"{game}/54"]
    assert (row["opponent"], row["clock"], row["players"]) == (ANN, 3600, [BEN])


def test_many_openers_who_have_many_each(filled: FilledStore) -> None:
    """Tests that the lobby skips openers who already have three matches in the list, and fills the
    list with matches of other openers."""
    game, number = TIC_TAC_TOE, 0
    for opener in range(40):
        filled.append_matches(
            [((game, number := number + 1), opened(address_of(opener))) for _ in range(opener % 3 * 15 + 1)]
        )
    board = fresh(filled.store)
    by = Counter(row["players"][0] for row in board["matches"].values())
    assert (len(board["matches"]), max(by.values())) == (MAX_OPEN, MAX_PER_OPENER)
    assert [*by.values()] == [1, 3, 3, 1, 3, 1]
    assert board["games"][game]["more"] == {address_of(opener): opener % 3 * 15 - 2 for opener in (38, 37, 35)}


def test_a_match_is_live_for_a_while_after_its_last_move(filled: FilledStore) -> None:
    """Tests that a match stays live for a while after its last move. Only a live match can be
    featured for its game. Waiting, finished and abandoned matches can't."""
    name = f"{TIC_TAC_TOE}/1"
    filled.append_matches(
        [((TIC_TAC_TOE, at), life) for at, life in enumerate([begun(ANN, BEN), over(ANN, BEN), opened(BEN)], 1)]
    )
    moved = filled.blocks[-1].time
    for seconds, live in ((moved + LIVE_SECONDS - 1, 1), (moved + LIVE_SECONDS, 0)):
        board = fresh(filled.store, seconds)
        part, row = board["games"][TIC_TAC_TOE], board["matches"][name]
        assert (part["counts"]["live"], row.get("live", False)) == (live, bool(live))
        assert part.get("featured") == (name if live else None)
        assert ("board" in part) == bool(live)
        assert part["counts"]["playing"] == 1
        assert not any("live" in other for key, other in board["matches"].items() if key != name)


def test_a_match_is_live_while_a_player_looks_at_it_here_or_at_another_gateway(filled: FilledStore) -> None:
    """Tests that a match is live while one of its players watches it at any gateway. Onlookers
    don't make a match live, and a finished match is never live."""
    filled.append_matches(
        [((TIC_TAC_TOE, at), life) for at, life in enumerate([begun(ANN, BEN), over(ANN, BEN), opened(BEN)], 1)]
    )
    here, client = presence_of_all(filled), SendQueue(RecordingSink())  # type: ignore[arg-type]
    lobby = lobby_at(filled.blocks[-1].time + 86_400, here)

    def live() -> list[str]:
        with filled.store.read() as snapshot:
            lobby.refresh(snapshot)
        count = sum(part["counts"]["live"] for part in lobby.board["games"].values())
        found = [name for name, row in lobby.board["matches"].items() if row.get("live")]
        assert len(found) == count
        return found

    with filled.store.read() as snapshot:
        lobby.load(snapshot)
    playing, ended, waiting = (f"{TIC_TAC_TOE}/{number}" for number in (1, 2, 3))
    claims: list[tuple[str, list[str], list[str]]] = [
        (playing, [ANN], [playing]),
        (playing, [], []),
        (playing, [STRANGER], []),
        (playing, [STRANGER, BEN], [playing]),
        (ended, [ANN], []),
        (waiting, [BEN], []),
        (waiting, [STRANGER], []),
        ("lobby", [ANN], []),
    ]
    for topic, accounts, expected in claims:
        claimed = frozenset(account.lower() for account in accounts)
        here.watch(client, topic, claimed)
        assert live() == expected, (topic, accounts)
        here.leave(client)
        here.set_remote(PresenceCounts({topic: 1}, frozenset((topic, account) for account in claimed)))
        assert live() == expected, (topic, accounts)
        here.set_remote(PresenceCounts())
        assert live() == []
    odd = frozenset((name, ANN.lower()) for name in ("chess/1", "x", f"{TIC_TAC_TOE}/{10**30}", f"{TIC_TAC_TOE}/-1"))
    here.set_remote(PresenceCounts({}, odd))  # a row from a gateway with a different version
    assert live() == []


def test_where_somebody_is_the_match_is_listed_though_many_are_newer(filled: FilledStore) -> None:
    """Tests the size of a full list with long rows. The list begins with matches in which a player
    is thinking or an opener is waiting. The test fills this part of the list completely."""
    stake = ("Staked", {"token": address_of(-9), "amount": TOKEN_UNITS})
    playing, waiting = [*range(1, MAX_LIVE + 1)], [*range(MAX_LIVE + 1, 2 * MAX_LIVE + 1)]
    filled.append_matches([(("battleship", at), [*begun(ANN, BEN), stake]) for at in playing])
    filled.append_matches([(("battleship", at), [*opened(ANN), stake]) for at in waiting])
    filled.append_matches(
        [(("battleship", at), [*(begun, over)[at % 2](address_of(1), address_of(2)), stake]) for at in range(20, 60)]
    )
    filled.append_matches([(("battleship", at), [*opened(address_of(at)), stake]) for at in range(60, 99)])
    here = presence_of_all(filled)
    for number in (*playing, *waiting):
        here.watch(SendQueue(RecordingSink()), f"battleship/{number}", frozenset({ANN.lower()}))  # type: ignore[arg-type]
    lobby = lobby_at(filled.blocks[-1].time + 86_400, here)
    with filled.store.read() as snapshot:
        lobby.load(snapshot)
    rows, part = lobby.board["matches"], lobby.board["games"]["battleship"]
    assert part["featured"] == f"battleship/{MAX_LIVE}"
    assert part["counts"]["live"] == MAX_LIVE
    assert [*rows][: 2 * MAX_LIVE] == [f"battleship/{number}" for number in (*playing[::-1], *waiting[::-1])]
    assert all(rows[f"battleship/{number}"]["live"] for number in playing)
    assert all(rows[f"battleship/{number}"]["attended"] for number in waiting)
    assert any(row["players"] == [address_of(98)] for row in rows.values()), "the newest of the others"


def test_more_watched_matches_than_one_query_takes(filled: FilledStore) -> None:
    numbers = range(1, 2 * BATCH + 2)
    filled.append_matches([((TIC_TAC_TOE, at), begun(ANN, address_of(at))) for at in numbers])
    with filled.store.read() as snapshot:
        found = snapshot.live(TIC_TAC_TOE, filled.blocks[-1].time, {at: {ANN.lower()} for at in numbers})
    assert (found.total, found.playing) == (len(numbers), [*numbers][: -MAX_LIVE - 1 : -1])


def test_live_matches_are_counted_beyond_the_list_up_to_a_limit(filled: FilledStore) -> None:
    few, many = READ_LIMITS
    for slug, number in ((TIC_TAC_TOE, few), ("hex", few + 1), ("reversi", many + 1)):
        filled.append_matches([((slug, at), begun(address_of(at), address_of(at + 1))) for at in range(1, number + 1)])
    board = fresh(filled.store)
    assert [board["games"][slug]["counts"]["live"] for slug in (TIC_TAC_TOE, "hex", "reversi")] == [few, few + 1, many]
    assert sum(row.get("live", False) for row in board["matches"].values()) == 3 * MAX_LIVE


def test_of_those_that_are_played_the_one_that_moved_last_stands_for_the_game(filled: FilledStore) -> None:
    keys = [(TIC_TAC_TOE, number) for number in range(1, 20)]
    filled.append_matches([(key, begun(ANN, BEN)) for key in keys])
    filled.block([(keys[2], ("Moved", {"ply": 0, "by": ANN, "row": 0, "column": 0, "mark": 1}))])
    board = fresh(filled.store)
    assert board["games"][TIC_TAC_TOE]["featured"] == f"{TIC_TAC_TOE}/3"
    with filled.store.read() as snapshot:
        expected = snapshot.board(TIC_TAC_TOE, 3)
    assert expected is not None
    assert board["games"][TIC_TAC_TOE]["board"] == expected[0]
    assert len(board["matches"]) == LATEST["playing"]


def touche_coule_match(number: int, players: int, turns: int = 0) -> tuple[MatchKey, list[NameAndArgs]]:
    """Return the events of a Touché Coulé match on a large board with this number of players. Each
    player has one ship."""
    life: list[NameAndArgs] = [
        ("MatchCreated", {"creator": address_of(0), "opponent": NOBODY, "clock": 0, "rematchOf": 0}),
        ("Size", {"width": 64, "height": 64, "captains": False}),
    ]
    for seat in range(players):
        place = {"x": seat % 64, "y": seat // 64, "captain": NOBODY}
        life.append(("PlayerJoined", {"player": address_of(seat), "seat": seat}))
        life.append(("Registered", {"ship": seat + 1, "owner": address_of(seat), **place}))
    return (TOUCHE_COULE, number), [*life, ("MatchStarted", {})] if turns else life


def test_a_board_too_large_for_the_message_is_left_out_and_few_of_many_players_are_named(filled: FilledStore) -> None:
    filled.append_matches([touche_coule_match(1, 300, 1), ((TIC_TAC_TOE, 1), begun(ANN, BEN))])
    board = fresh(filled.store)
    assert board["games"][TOUCHE_COULE]["featured"] == f"{TOUCHE_COULE}/1"
    assert "board" not in board["games"][TOUCHE_COULE]
    assert "board" in board["games"][TIC_TAC_TOE]
    row = board["matches"][f"{TOUCHE_COULE}/1"]
    assert (row["players"], row["morePlayers"]) == ([address_of(seat) for seat in range(6)], 294)
    with filled.store.read() as snapshot:
        found = snapshot.board(TOUCHE_COULE, 1)
    assert found is not None
    assert len(canonical(found[0])) > BOARD_BYTES


def add_many_matches(filled: FilledStore) -> None:
    """Add 5,000 matches to the store, and give each game rows of the maximum length. After them,
    add a match that Ann opened and fifty matches that a stranger opened."""
    stake = ("Staked", {"token": address_of(-9), "amount": TOKEN_UNITS})
    for slug in FIVE:
        staked = [stake] if slug == "battleship" else []
        filled.append_matches(
            [touche_coule_match(number, 6, 1) for number in range(1, 11)] if slug == TOUCHE_COULE else []
        )
        for first in range(11, 951, 188):
            lives = [over, begun, lambda one, other: opened(one, opponent=other)]
            numbers = range(first, first + 188)
            filled.append_matches(
                [((slug, at), [*lives[at % 3](address_of(at), address_of(at + 1)), *staked]) for at in numbers]
            )
        filled.append_matches([((slug, 951), opened(ANN))])
        filled.append_matches([((slug, at), opened(STRANGER)) for at in range(952, 1002)])


async def test_with_5000_matches_nothing_is_pushed_out_and_the_message_is_small(
    filled: FilledStore, page: Path
) -> None:
    add_many_matches(filled)
    play = Playground.for_store(filled.store)
    async with served(play, page, games=FIVE) as server, server.socket() as client:
        await client.watch("lobby")
        raw = ""
        while '"reset"' not in raw[:20]:
            raw = str(await client.connection.recv())
        assert MAX_BYTES * 0.5 < len(raw.encode()) < MESSAGE_BYTES
        board = json.loads(raw)["board"]
        for slug, part in board["games"].items():
            rows = [row for row in board["matches"].values() if row["game"] == slug]
            waiting = [row for row in rows if row["status"] == "open"]
            assert len(waiting) == MAX_OPEN
            assert [row["players"] for row in waiting].count([STRANGER]) == MAX_PER_OPENER
            assert f"{slug}/951" in board["matches"], "Ann's"
            assert part["more"] == {STRANGER: 47}
            assert board["matches"][part["featured"]]["status"] == "playing"
            assert {row["status"] for row in rows} >= {"open", "playing", "finished"}
            assert sum(part["counts"].values()) - part["counts"]["live"] == 991 + 10 * (slug == TOUCHE_COULE)
        filled.block([((TIC_TAC_TOE, 11 + 3 * 3 + 2), ("MatchEnded", {"winner": NOBODY, "reason": 2}))])
        play.wakeup.notify()
        expected = fresh(filled.store)
        # a patch of `live` might come first: the hub also refreshes the lobby at regular intervals
        while board != expected:
            for item in (await client.receive("deltas"))["items"]:
                assert len(canonical(item["patch"])) < 4096
                board = merged(board, item["patch"])


def step(random: Random, filled: FilledStore, running: dict[MatchKey, str]) -> set[MatchKey]:
    """Append a block in which some matches are opened, joined, continued or ended. Return these
    matches."""
    events: list[tuple[MatchKey, NameAndArgs]] = []
    for _ in range(random.randrange(1, 9)):
        stage = random.random()
        slug = random.choice([TIC_TAC_TOE, "hex"])
        key = (slug, 1 + max((number for game, number in running if game == slug), default=0))
        old = [one for one, status in running.items() if status in ("open", "playing")]
        if stage < 0.5 or not old:
            events += [(key, what) for what in opened(address_of(random.choice([0, 0, 0, 1, 2])))]
            running[key] = "open"
            continue
        key = random.choice(old)
        if stage < 0.6:
            events.append((key, ("MatchEnded", {"winner": NOBODY, "reason": 6 if running[key] == "open" else 2})))
            running[key] = "over"
        elif running[key] == "open":
            events += [(key, ("PlayerJoined", {"player": address_of(7), "seat": 1})), (key, ("MatchStarted", {}))]
            running[key] = "playing"
        else:
            by = address_of(7)
            events.append((key, ("Moved", {"ply": 0, "by": by, "row": 0, "column": random.randrange(3), "mark": 1})))
    return filled.block(events)


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 6))])
def test_advanced_by_whatever_happens_it_equals_one_that_is_read_anew(filled: FilledStore, seed: int) -> None:
    random, lobby, seen = Random(seed), lobby_at(0), Json()
    stands: list[dict[MatchKey, str]] = [{}]
    with filled.store.read() as snapshot:
        seen = merged(seen, lobby.load(snapshot))
    for _ in range(60):
        before, height = seen, filled.blocks[-1].height
        if random.random() < 0.1 and height > 3:
            filled.revert_to(height - random.randrange(1, 4))
            del stands[filled.blocks[-1].height + 1 :]
            with filled.store.read() as snapshot:
                patch = lobby.load(snapshot)
        else:
            running = dict(stands[-1])
            touched = step(random, filled, running)
            stands.append(running)
            with filled.store.read() as snapshot:
                patch = lobby.advance(snapshot, touched)
        seen = merged(before, patch)
        assert board_hash(seen) == board_hash(lobby.board) == board_hash(fresh(filled.store))
    assert any(part["more"] for part in lobby.board["games"].values())
