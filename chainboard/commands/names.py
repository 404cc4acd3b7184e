"""`chainboard names`: manages players' nicknames and the words that nicknames must not contain."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, datetime

from api.names.skeleton import plain_skeleton, skeleton
from chainboard.errors import UserError
from chainboard.indexing.database import existing_store
from chainboard.settings import Settings
from indexer.gamekit.names import BadName, parse_address
from indexer.sanitize import printable
from indexer.store.db.engine import StoreError
from indexer.store.shared.nicknames import Nicknames


def run(settings: Settings, action: str, word: str) -> None:
    """Run one of ACTIONS on a word, and print its result. Raises UserError if the action fails."""
    with closing(existing_store(settings)) as store:
        try:
            print(ACTIONS[action](store.nicknames, word))
        except StoreError as error:
            raise UserError(str(error)) from error


def _list(nicknames: Nicknames, _word: str) -> str:
    lines = [f"{one.account}  {printable(one.name)}  {_date(one.issued)}" for one in nicknames.all()]
    return "\n".join(lines) or "Nobody has a nickname"


def _date(issued: int) -> str:
    return f"{datetime.fromtimestamp(issued, UTC):%Y-%m-%d %H:%M} UTC"


def _remove(nicknames: Nicknames, word: str) -> str:
    try:
        found = next(iter(nicknames.of([parse_address(word)])), None)
    except BadName:
        found = nicknames.find_by_skeleton(skeleton(_writable(word)))
    if found is None:
        raise UserError(f"nobody has the nickname {printable(word)!r}: see `chainboard names list`")
    nicknames.remove(found, plain_skeleton(found.name))
    return f"Removed the nickname {printable(found.name)} of {found.account}, and blocked it"


def _block(nicknames: Nicknames, word: str) -> str:
    nicknames.block(_key(word), word)
    return f"Blocked {printable(word)} in new nicknames. Existing nicknames with this word stay until you remove them"


def _unblock(nicknames: Nicknames, word: str) -> str:
    if not nicknames.unblock(_key(word)):
        raise UserError(f"{printable(word)!r} is not blocked: see `chainboard names blocked`")
    return f"Unblocked {printable(word)}"


def _blocked(nicknames: Nicknames, _word: str) -> str:
    return "\n".join(map(printable, nicknames.blocked())) or "No word is blocked"


def _key(word: str) -> str:
    if not (key := plain_skeleton(_writable(word))):
        raise UserError("a word needs at least one letter or digit")
    return key


def _writable(word: str) -> str:
    """Normalize a word in the same way as nicknames are normalized (NFKC). Raises UserError if it
    contains characters that can't be stored or displayed."""
    if printable(word) != word:
        raise UserError(f"{printable(word)!r} has unprintable characters: use UTF-8 text without control characters")
    return unicodedata.normalize("NFKC", word)


ACTIONS: Mapping[str, Callable[[Nicknames, str], str]] = {
    "list": _list,
    "remove": _remove,
    "block": _block,
    "unblock": _unblock,
    "blocked": _blocked,
}
