"""Compares the contents of a replay file with the chain's events."""

from __future__ import annotations

from itertools import islice

from api.rest.replay_file import preamble_of
from api.shapes.events import event as event_shape
from indexer.gamekit.game import Game, board_hash, diff, fold
from indexer.gamekit.json_diff import differences
from indexer.model import Chain, Event, Json
from indexer.sanitize import printable
from replay.errors import ReplayError
from replay.verify.named_contract import NamedContract
from replay.verify.report import VerifyReport

MAX_DIFFERENCES = 4
"""The maximum number of differences that are listed for an event. This limit applies separately to
the event's fields and to its patch."""
EXPECTED_FROM_EVENTS = "the chain's events give"
EXPECTED_ON_CHAIN = "the chain has"


def compare(replay: Json, game: Game, contract: NamedContract, known: dict[int, Event], report: VerifyReport) -> None:
    """Compare the file with the chain, and add the differences to `report`. `known` maps numbers to
    the match's events on the chain. Raises ReplayError if the node doesn't show an event that the
    contract has counted."""
    chain = Chain(replay["chain"]["chainId"], replay["chain"]["genesis"])  # verify_replay has checked the chain
    expected = preamble_of(game, report.match, chain, contract.deployment)
    fields = {key: value for key, value in replay.items() if key not in ("events", "board", "boardHash")}
    report.add(differences("", fields, expected), EXPECTED_ON_CHAIN)
    board = _events(replay["events"], game, known, report)
    if board is not None:
        report.add(differences("board", replay["board"], board), EXPECTED_FROM_EVENTS)
        report.add(differences("boardHash", replay["boardHash"], board_hash(board)), EXPECTED_FROM_EVENTS)


def _events(events: list[Json], game: Game, known: dict[int, Event], report: VerifyReport) -> Json | None:
    """Compare the events one by one. Return the last board according to the chain's events. Return
    None if the file has events that the chain doesn't have, or in a different order."""
    board = game.start
    for number, found in enumerate(events, 1):
        if (event := known.get(number)) is None:
            report.differences.append(_unknown_event(number, found, report))
            return None
        if found["seq"] != number and _is_misplaced(found, known):
            report.differences.append(f"found event {found['seq']} where event {number} ({event.name}) should be")
            return None
        before, board = board, fold(game, board, (event,))
        _event(number, found, event, diff(before, board), report)
    if not events:
        report.differences.append(f"event 1 ({known[1].name}) and all later events are missing")
        return None
    return board


def _event(number: int, found: Json, event: Event, patch: Json, report: VerifyReport) -> None:
    own = {key: value for key, value in found.items() if key != "patch"}
    sentences = [
        one.sentence(EXPECTED_ON_CHAIN) for one in islice(differences("", own, event_shape(event)), MAX_DIFFERENCES)
    ]
    sentences += [
        one.sentence(EXPECTED_FROM_EVENTS)
        for one in islice(differences("patch", found["patch"], patch), MAX_DIFFERENCES)
    ]
    if sentences:
        report.differences.append(
            f"event {number} ({printable(found['name'])}) doesn't match the chain: {'; '.join(sentences)}"
        )


def _unknown_event(number: int, found: Json, report: VerifyReport) -> str:
    if report.event_count is not None and number <= report.event_count and not report.is_ours:
        raise ReplayError(
            f"can't read event {number} of {report.match}: its contract's code differs from this program's. "
            "Use --data with the data folder of the site that deployed it, or the Chainboard version that deployed it"
        )
    if report.event_count is not None and number <= report.event_count:
        raise ReplayError(
            f"the node contradicts itself, so nothing can be verified with it: the contract has counted "
            f"{report.event_count} events of {report.match}, but the node doesn't show event {number}. "
            "Use --rpc with a different node"
        )
    had = f"the match has {report.event_count} events" if report.event_count else "the match ends earlier"
    return f"event {number} ({printable(found['name'])}) isn't on the chain: {had} there"


def _is_misplaced(found: Json, known: dict[int, Event]) -> bool:
    """Return True if the chain has this event, with the same number as in the file. In this case,
    only the event's place in the file is wrong."""
    event = known.get(found["seq"])
    return event is not None and (event.hash, event.log_index) == (found["hash"], found["logIndex"])
