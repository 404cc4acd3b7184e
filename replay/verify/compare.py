"""A replay file beside what its chain says, place by place."""

from __future__ import annotations

from itertools import islice

from api import serializers
from api.rest.replay_file import FORMAT, VERSION
from indexer.gamekit.game import Game, board_hash, diff, fold
from indexer.model import Event, Json
from replay.errors import ReplayError
from replay.sanitize import plain
from replay.verify.json_diff import places
from replay.verify.named_contract import Standing
from replay.verify.report import Proved

MOST_PLACES = 4
"""Of one event, that a line names."""
FOLLOWS = "from the chain's events follows"
SAYS = "the chain says"


def compare(replay: Json, game: Game, contract: Standing, known: dict[int, Event], proved: Proved) -> None:
    """Adds to `proved` what is false in the file. `known`: the chain's events of the match, by their numbers. Raises
    ReplayError when the chain has more events than the node shows."""
    wanted = {
        "format": FORMAT,
        "version": VERSION,
        "match": proved.match,
        "game": {"slug": game.slug, "title": game.title, "layout": game.layout},
        "chain": {key: replay["chain"][key] for key in ("chainId", "genesis")},  # as was looked at first
        "deployment": contract.shape,
        "start": game.start,
    }
    given = {key: value for key, value in replay.items() if key not in ("events", "board", "boardHash")}
    proved.add(places("", given, wanted), SAYS)
    board = _events(replay["events"], game, known, proved)
    if board is not None:
        proved.add(places("board", replay["board"], board), FOLLOWS)
        proved.add(places("boardHash", replay["boardHash"], board_hash(board)), FOLLOWS)


def _events(given: list[Json], game: Game, known: dict[int, Event], proved: Proved) -> Json | None:
    """Compares event by event; the last board, unless the file's list is another one than the chain's."""
    board = game.start
    for number, found in enumerate(given, 1):
        if (event := known.get(number)) is None:
            proved.wrong.append(_surplus(number, found, proved))
            return None
        if found["seq"] != number and _is_another(found, known):
            proved.wrong.append(f"event {number} ({event.name}) is not where it belongs: there is event {found['seq']}")
            return None
        before, board = board, fold(game, board, (event,))
        _event(number, found, event, diff(before, board), proved)
    if not given:
        proved.wrong.append(f"event 1 ({known[1].name}) is missing, as are all others")
        return None
    return board


def _event(number: int, found: Json, event: Event, patch: Json, proved: Proved) -> None:
    own = {key: value for key, value in found.items() if key != "patch"}
    said = [one.said(SAYS) for one in islice(places("", own, serializers.event(event)), MOST_PLACES)]
    said += [one.said(FOLLOWS) for one in islice(places("patch", found["patch"], patch), MOST_PLACES)]
    if said:
        proved.wrong.append(f"event {number} ({plain(found['name'])}) is false: {'; '.join(said)}")


def _surplus(number: int, found: Json, proved: Proved) -> str:
    if proved.counted is not None and number <= proved.counted and not proved.ours:
        raise ReplayError(
            f"the contract of {proved.match} was made with other code than this program has for it, so that its event "
            f"{number} can't be read: name the --data folder of whoever deployed it, or use the program of that time"
        )
    if proved.counted is not None and number <= proved.counted:
        raise ReplayError(
            f"the node's word does not fit, so that nothing can be proved by it: the contract has counted "
            f"{proved.counted} events of {proved.match}, and the node does not show event {number}. "
            "Name another node with --rpc"
        )
    had = f"the match has {proved.counted} events there" if proved.counted else "the match ends before"
    return f"event {number} ({plain(found['name'])}) is false: the chain does not have it, {had}"


def _is_another(found: Json, known: dict[int, Event]) -> bool:
    """Whether it is the chain's event of the number that it bears."""
    event = known.get(found["seq"])
    return event is not None and (event.hash, event.log_index) == (found["hash"], found["logIndex"])
