"""Generates the reference page for the contracts' events, errors and functions from their NatSpec
comments and ABIs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from contracts import artifacts
from docs.reference.markdown import code, page, table
from indexer.games import GAMES

SOURCES = Path(__file__).parents[2] / "contracts" / "src"

INTRODUCTION = """The ABIs are in `contracts/artifacts/` and in the response to `GET /api/games`. `seq`
numbers the events of a match without gaps: 1, 2, 3, …"""

LIBRARY = {
    *("EIP712DomainChanged", "FailedDeployment", "InsufficientBalance", "InvalidShortString"),
    *("ReentrancyGuardReentrantCall", "StringTooLong", "eip712Domain"),
}
"""The names of events, errors and functions that come from OpenZeppelin's contracts.
https://docs.openzeppelin.com/contracts documents them."""

_NOTES = r"(?P<notes>(?:^ *///.*\n)+)^ *"
_DECLARED = re.compile(
    _NOTES + r"(?P<kind>event|error|function|enum) (?P<name>\w+)\s*"
    r"(?:\((?P<inputs>[^)]*)\)(?P<rest>[^;{]*)|\{(?P<values>[^}]*)\})",
    re.MULTILINE,
)
_CONSTANT = re.compile(
    _NOTES + r"\w+ public (?:constant|immutable) (?P<name>\w+)(?: = (?P<value>[^;]+))?;", re.MULTILINE
)
_TITLED = re.compile(
    r"(?P<notes>(?:^///.*\n)+)^(?:abstract )?(?:interface|contract|library) (?P<name>\w+)", re.MULTILINE
)


class DeclaredItem(NamedTuple):
    """A public declaration from a source file, with its NatSpec comment."""

    kind: str
    name: str
    text: str
    notes: str


def events() -> str:
    names = sorted({"Sessions", "Ship", *(game.contract for game in GAMES.values())})
    wanted = {entry["name"] for name in names for entry in artifacts.load(name).abi if "name" in entry} - LIBRARY
    text, found = page("The contracts", INTRODUCTION), set()
    for file in sorted(SOURCES.rglob("*.sol"), key=lambda one: (len(one.relative_to(SOURCES).parts), one)):
        source = file.read_text("utf-8")
        noticed = [one for one in _declarations(source) if "@notice" in one.notes]
        items = [one for one in noticed if one.kind == "enum" or one.name in wanted]
        if items and (title := _TITLED.search(source)):
            text += f"\n## `{title['name']}`\n\n{_note(title['notes'])}\n" + "".join(_tables(items))
            found |= {one.name for one in items}
    if silent := sorted(wanted - found):
        raise SystemExit(f"These names have no NatSpec comment in contracts/src: {', '.join(silent)}.")
    return text


def _declarations(source: str) -> Iterator[DeclaredItem]:
    for one in _DECLARED.finditer(source):
        inside = one["values"] if one["kind"] == "enum" else one["inputs"]
        gives = re.search(r"returns \([^)]*\)", one["rest"] or "")
        text = f"{one['name']}({' '.join(inside.split())}) {gives[0] if gives else ''}".strip()
        yield DeclaredItem(one["kind"], one["name"], text, one["notes"])
    for one in _CONSTANT.finditer(source):
        text = f"{one['name']} = {one['value']}" if one["value"] else one["name"]
        yield DeclaredItem("constant", one["name"], text, one["notes"])


def _tables(items: Sequence[DeclaredItem]) -> Iterator[str]:
    for kind in ("event", "error", "function", "constant", "enum"):
        yield table((kind, ""), [(code(one.text), _note(one.notes)) for one in items if one.kind == kind])


def _note(notes: str) -> str:
    """Return the title, the notice and the parameters in a NatSpec comment, as sentences."""
    text = " ".join(line.strip().removeprefix("///").strip() for line in notes.splitlines())
    found = re.findall(r"@(\w+) (.*?)(?= @\w+ |$)", text)
    sentences = [one + ("." if tag == "title" else "") for tag, one in found if tag in ("title", "notice")]
    sentences += ["`{}`: {}.".format(*one.split(" ", 1)) for tag, one in found if tag == "param"]
    return " ".join(sentences)
