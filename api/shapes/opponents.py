"""Opponents: the computer players that can be asked to play, by their strengths."""

from collections.abc import Mapping, Sequence
from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from api.shapes.fields import ALICE, Address, MatchName, Shape, Slug, about
from api.shapes.players import Rivals
from bots.service.messages import HouseOpponent
from indexer.store.leaderboard import RankedResult


class OpponentAccountShape(Shape):
    """An account that plays, and where it stands. Rating and rank are null before the first finished match."""

    address: Address
    rating: Annotated[float | None, about("Elo, with at most two decimals; null: not rated yet", 1530.53)]
    rank: Annotated[int | None, about("among the game's players by rating; null: not ranked yet", 1)]
    rivals: Rivals


class OpponentShape(Shape):
    """A strength of a game: a name, and as many accounts as a match may seat of it."""

    game: Slug
    name: Annotated[str, about("its name in this game", "club")]
    strength: Annotated[int, about("from 1, the weakest of its game", 2, ge=1)]
    accounts: Annotated[list[OpponentAccountShape], about("those that play at this strength")]


class OpponentsShape(Shape):
    """The opponents of this server, and how busy they are."""

    opponents: Annotated[list[OpponentShape], about("by game, the weakest first; empty: there are none now")]
    matches: Annotated[int, about("in how many matches they play now", 3, ge=0)]
    limit: Annotated[int, about("beyond so many they take no other", 50, ge=0)]
    why: Annotated[str, about("a sentence when none of them takes a new match now, else empty", "")]
    key: NotRequired[Annotated[str, about("of that sentence, as a problem's", "opponents-busy")]]
    args: NotRequired[Annotated[dict[str, str | int], about("what fills it in, as a problem's", {"limit": 50})]]


class OpponentRequest(TypedDict):
    """Which opponent is to take a free seat of which match."""

    match: MatchName
    name: Annotated[str, about("an opponent of that game, by its name", "club")]


class OpponentTakenShape(Shape):
    """Who takes the seat; its transaction has been sent."""

    match: MatchName
    name: Annotated[str, about("the opponent's name", "club")]
    account: Annotated[str, about("the account that takes the seat", ALICE)]


def accounts(found: Sequence[HouseOpponent]) -> list[str]:
    """All of theirs."""
    return [address for one in found for address in one.accounts]


def opponent(one: HouseOpponent, ranks: Mapping[str, Mapping[str, RankedResult]]) -> OpponentShape:
    """`ranks`: of each account by game."""
    accounts = [_account(address, ranks[address].get(one.game)) for address in one.accounts]
    return {"game": one.game, "name": one.name, "strength": one.strength, "accounts": accounts}


def _account(address: str, ranked: RankedResult | None) -> OpponentAccountShape:
    if ranked is None:
        return {"address": address, "rating": None, "rank": None, "rivals": 0}
    return {"address": address, "rating": ranked.result.rating / 100, "rank": ranked.rank, "rivals": ranked.rivals}
