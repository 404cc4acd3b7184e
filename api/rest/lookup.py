"""Looks up the game, match, event or contract that a path names. If it doesn't exist, the problem
says which values exist."""

from __future__ import annotations

import re
from collections.abc import Mapping

from api.problems import Problem
from indexer.gamekit.game import Game
from indexer.model import Deployment, Event, match_name
from indexer.store.snapshot import Snapshot

BLOCK = "^([0-9]{1,16}|0x[0-9a-fA-F]{64})$"
"""The pattern of a block's height or hash."""


def game_named(games: Mapping[str, Game], slug: str) -> Game:
    """Return the game with this slug. Raises Problem 404 with a list of the games."""
    if slug not in games:
        known = sorted(games)
        raise Problem(404, "unknown-game", {"game": slug[:60], "games": ", ".join(known) or "–"}, games=known)
    return games[slug]


def match_at(snapshot: Snapshot, game: Game, match: int, seq: int | None = None, block: str | None = None) -> Event:
    """Return event `seq` of a match. If `block` is given instead, return the last event up to that
    block. If both are None, return the match's last event. Raises Problem 404 if there is no such
    event."""
    last = snapshot.last_event(game.slug, match)
    name = match_name(game.slug, match)
    if last is None:
        raise Problem(404, "unknown-match", {"match": name})
    if seq is not None:
        found = snapshot.event_at(game.slug, match, seq)
        if found is None:
            raise Problem(404, "unknown-seq", {"match": name, "last": last.seq, "seq": seq}, last=last.seq)
        return found
    if block is None:
        return last
    found = snapshot.last_event(game.slug, match, upto_height=_height(snapshot, block))
    if found is None:
        first = snapshot.event_at(game.slug, match, 1)
        begin = first.height if first else last.height
        raise Problem(404, "unknown-block.before", {"match": name, "first": begin, "block": block}, first=begin)
    return found


def deployment_of(snapshot: Snapshot, game: str, match: int) -> Deployment:
    """Return the contract that holds a match. Raises Problem 404 if the contract is no longer
    known."""
    for one in snapshot.deployments():
        if one.game == game and one.has_match(match):
            return one
    raise Problem(404, "unknown-match.contract", {"match": match_name(game, match)})


def _height(snapshot: Snapshot, block: str) -> int:
    tip = snapshot.tip()
    head = tip.height if tip else -1
    if re.fullmatch(BLOCK, block) is None:
        raise Problem(422, "bad-parameter.block", {"block": block[:70]})
    if not block.startswith("0x"):
        if int(block) > head:
            raise Problem(404, "unknown-block", {"block": block, "last": head}, last=head)
        return int(block)
    found = snapshot.block_by_hash(block.lower())
    if found is None:
        raise Problem(404, "unknown-block.hash", {"hash": block, "last": head}, last=head)
    return found.height
