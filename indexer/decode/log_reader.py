"""How the logs of an event are laid out: code that reads them, made once from the ABI.

Every argument has a word of 32 bytes, in the topics or in the data; texts and bytes follow the words of the data. A log
is read in one go: its hex, the bits of its words that must be zero, the words, what follows. Only data with arrays are
read by eth_abi. Layout: https://docs.soliditylang.org/en/latest/abi-spec.html#events
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from struct import Struct
from typing import Any, TypeAlias

from eth_abi.abi import decode as abi_decode
from eth_abi.abi import encode as abi_encode

from indexer.decode.abi_types import HASHED_WORD, WORD_BYTES, AbiWord, checksum, converter, number, signed, word_of
from indexer.model import Json

HEX_WORD = len("0x") + 2 * WORD_BYTES

LogReader: TypeAlias = Callable[[list[str], str], tuple[Any, Any, Json]]
"""(topics, data) -> matchId, seq and the other arguments; raises for a log that is not laid out so."""
Column: TypeAlias = tuple[str, AbiWord]

TEMPLATE = """
def read(topics, data):
    [{topics}] = topics
    if not ({checks}):
        raise ValueError("a topic or the data of another length")
    text = {text}
    raw = fromhex(text)
    if len(raw) * 2 != len(text) or from_bytes(raw[:{end}], "big") & {padding}:
        raise ValueError("no hex, or a value beyond its type")
    [{words}] = unpack(raw)
    {rest}
    return {match}, {seq}, {{{arguments}}}
"""


def make_reader(entry: Json) -> LogReader | None:
    """Makes the reader of one event's logs; None for an event of no match: one without `matchId` and `seq`.

    Raises UnknownType."""
    inputs: list[Json] = entry["inputs"]
    if not {"matchId", "seq"} <= {one["name"] for one in inputs}:
        return None
    topics = [(one["name"], _topic(one["type"])) for one in inputs if one["indexed"]]
    plain = {one["name"]: one["type"] for one in inputs if not one["indexed"]}
    data = [(name, found) for name, kind in plain.items() if (found := word_of(kind))]
    own = len(data) == len(plain)
    words = [*topics, *data] if own else topics
    names: dict[str, Any] = {
        "fromhex": bytes.fromhex,
        "from_bytes": int.from_bytes,
        "unpack": Struct(">" + "".join(found.code for _, found in words)).unpack_from,
        "number": number,
        "signed": signed,
        "checksum": checksum,
        "tails": _tails,
        "foreign": None if own else _foreign(list(plain.values())),
    }
    code = _code(topics, words, [] if own else list(plain))
    exec(compile(code, f"<the log of {entry['name']}>", "exec"), names)
    made: LogReader = names["read"]
    return made


def _topic(kind: str) -> AbiWord:
    found = word_of(kind)
    return HASHED_WORD if found is None or found.dynamic else found


def _code(topics: Sequence[Column], words: Sequence[Column], foreign: Sequence[str]) -> str:
    """`words` are the topics' and the data's; `foreign` names the arguments when eth_abi reads the data."""
    marks = [f"t{at}" for at in range(len(topics))]
    tails = ", ".join(f"a{at}" for at, (_, found) in enumerate(words) if found.dynamic)
    values = {name: found.json.format(f"a{at}") for at, (name, found) in enumerate(words)}
    values |= {name: f"d{at}" for at, name in enumerate(foreign)}
    begin, end, padding = WORD_BYTES * len(topics), WORD_BYTES * len(words), 0
    for _, found in words:
        padding = padding << 8 * WORD_BYTES | found.padding
    checks = ["True", *(f"len({mark}) == {HEX_WORD} and {mark}[:2] == '0x'" for mark in marks)]
    rest = f"{tails}, = tails(raw, {begin}, {end}, ({tails},))" if tails else ""
    if foreign:
        rest = "".join(f"d{at}, " for at in range(len(foreign))) + "= foreign(data)"
    else:
        checks.append(f"len(data) {'>=' if tails else '=='} {2 + 2 * (end - begin)} and data[:2] == '0x'")
    return TEMPLATE.format(
        topics=", ".join(["_", *marks]),
        checks=" and ".join(checks),
        text=" + ".join(["''", *(f"{part}[2:]" for part in (marks if foreign else [*marks, "data"]))]),
        end=end,
        padding=hex(padding),
        words=", ".join(f"a{at}" for at in range(len(words))),
        rest=rest,
        match=values["matchId"],
        seq=values["seq"],
        arguments=", ".join(f"{name!r}: {values[name]}" for name in sorted(values.keys() - {"matchId", "seq"})),
    )


def _tails(raw: bytes, begin: int, end: int, offsets: Sequence[int]) -> list[bytes]:
    """What follows the words, one after the other without a gap. The data begin at `begin`, their words end at
    `end`."""
    found, at = [], end
    for offset in offsets:
        first = at + WORD_BYTES
        last = first + number(raw[at:first])
        next_at = first + -(-(last - first) // WORD_BYTES) * WORD_BYTES
        if offset != at - begin or any(raw[last:next_at]):
            raise ValueError("the data are laid out in another way")
        found.append(raw[first:last])
        at = next_at
    if at != len(raw):
        raise ValueError("the data don't end where they should")
    return found


def _foreign(kinds: list[str]) -> Callable[[str], list[Any]]:
    """Reads data that eth_abi lays out; what it would have laid out otherwise is refused."""
    converters = [converter(kind) for kind in kinds]

    def read(data: str) -> list[Any]:
        raw = bytes.fromhex(data[2:])
        values = abi_decode(kinds, raw)
        if data[:2] != "0x" or abi_encode(kinds, values) != raw or len(data) != 2 + 2 * len(raw):
            raise ValueError("the data are laid out in another way")
        return [convert(value) for convert, value in zip(converters, values, strict=True)]

    return read
