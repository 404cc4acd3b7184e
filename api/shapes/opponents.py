"""The shapes of computer players: their accounts, their games and their strengths."""

from collections.abc import Mapping, Sequence
from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from api.shapes.fields import ALICE, Address, MatchName, Shape, Slug, about
from api.shapes.players import OptionalRank, OptionalRating, Rivals
from bots.service.messages import ComputerPlayer
from indexer.store.leaderboard import RankedResult


class OpponentAccountShape(Shape):
    """An account of a computer player, with its rating and rank. Both are null before its first
    finished match."""

    address: Address
    rating: OptionalRating
    rank: OptionalRank
    rivals: Rivals


class OpponentShape(Shape):
    """A computer player in one game. It always plays at the same strength, and has one account for
    each seat that it can take in a match."""

    game: Slug
    name: Annotated[str, about("the computer player's name in this game", "club")]
    strength: Annotated[
        int, about("the computer player's place by strength among those of the game; 1 is the weakest", 2, ge=1)
    ]
    accounts: Annotated[list[OpponentAccountShape], about("the accounts with which the computer player plays")]


class OpponentsShape(Shape):
    """The computer players on this server, and how busy they are."""

    opponents: Annotated[
        list[OpponentShape],
        about("the computer players of each game, weakest first; empty if there are none at the moment"),
    ]
    matches: Annotated[int, about("the number of matches that the computer players are playing now", 3, ge=0)]
    limit: Annotated[int, about("the maximum number of matches that the computer players play at a time", 50, ge=0)]
    why: Annotated[
        str, about("the reason in English why no computer player accepts new matches; empty if at least one does", "")
    ]
    key: NotRequired[
        Annotated[
            str,
            about(
                "the key for translating `why`, as in a problem document; absent if `why` is empty", "opponents-busy"
            ),
        ]
    ]
    args: NotRequired[
        Annotated[
            dict[str, str | int],
            about(
                "the value of each named placeholder in a translation of `why`; absent if `why` is empty", {"limit": 50}
            ),
        ]
    ]


class OpponentRequest(TypedDict):
    """A request for a computer player to take a free seat in a match."""

    match: Annotated[MatchName, about("the name of an open match: `<game>/<id>`")]
    name: Annotated[str, about("the name of one of that game's computer players", "club")]


class OpponentTakenShape(Shape):
    """The computer player that takes the seat. It has already sent its transaction."""

    match: MatchName
    name: Annotated[str, about("the computer player's name", "club")]
    account: Annotated[str, about("the computer player's account, which takes the seat", ALICE)]


def accounts(found: Sequence[ComputerPlayer]) -> list[str]:
    """Return the addresses of all accounts of computer players."""
    return [address for one in found for address in one.accounts]


def opponent(one: ComputerPlayer, ranks: Mapping[str, Mapping[str, RankedResult]]) -> OpponentShape:
    """Return the shape of a computer player. `ranks` contains each account's rank in each
    game."""
    accounts = [_account(address, ranks[address].get(one.game)) for address in one.accounts]
    return {"game": one.game, "name": one.name, "strength": one.strength, "accounts": accounts}


def _account(address: str, ranked: RankedResult | None) -> OpponentAccountShape:
    if ranked is None:
        return {"address": address, "rating": None, "rank": None, "rivals": 0}
    return {"address": address, "rating": ranked.result.rating / 100, "rank": ranked.rank, "rivals": ranked.opponents}
