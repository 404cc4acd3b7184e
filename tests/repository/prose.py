"""Finds the prose in the repository's files: docstrings, comments, messages, the texts on the page,
and Markdown."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Passage(NamedTuple):
    """A piece of prose in a file, and the line where it starts. `kind` is docstring, tag, comment,
    message, text, page or cell."""

    line: int
    kind: str
    text: str


def passages(path: Path) -> Iterator[Passage]:
    """Yield the prose in a file. The file's suffix determines the parser."""
    source = path.read_text("utf-8")
    match path.suffix:
        case ".py":
            yield from python(source)
        case ".js" | ".mjs" | ".sol" | ".css":
            yield from c_like(source)
        case ".md":
            yield from markdown(source)
        case ".json":
            yield from texts(source)


def python(source: str) -> Iterator[Passage]:
    """Yield the docstrings and the comments of a Python module, and its string literals that look
    like sentences."""
    docstrings = set()
    tree = ast.parse(source)
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            if (
                isinstance(child, ast.Expr)
                and isinstance(child.value, ast.Constant)
                and isinstance(child.value.value, str)
            ):
                docstrings.add(child.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node in docstrings:
                yield Passage(node.lineno, "docstring", node.value)
            elif re.search(r"[A-Za-z]+ [a-z]+ [a-z]+ [a-z]+", node.value):
                yield Passage(node.lineno, "message", node.value)
    block: list[str] = []
    start = last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not re.match(r"#\s*(type:|noqa|!|ruff|fmt|pragma)", token.string):
            text = token.string.lstrip("# ")
            if block and token.start[0] == last + 1 and token.line.lstrip().startswith("#"):
                block.append(text)
            else:
                if block:
                    yield Passage(start, "comment", " ".join(block))
                block, start = [text], token.start[0]
            last = token.start[0]
    if block:
        yield Passage(start, "comment", " ".join(block))


COMMENT = re.compile(r"/\*.*?\*/|(?:(?<=\s)|^)//[^\n]*(?:\n[ \t]*//[^\n]*)*", re.DOTALL | re.MULTILINE)
TAGS = (
    "@(?:param|returns?|property|typedef|type|template|import|throws|dev|notice|title|inheritdoc|"
    r"extends|implements)\b"
)
TYPE = re.compile(r"^\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}\s*")


def c_like(source: str) -> Iterator[Passage]:
    """Yield the comments in JavaScript, Solidity or CSS source code. Yield the text of each tag,
    such as `@param`, as a separate passage."""
    for found in COMMENT.finditer(source):
        line = source.count("\n", 0, found.start()) + 1
        raw = found.group()
        lines = [re.sub(r"^\s*(?:/\*+|\*(?!/)|//+)\s?|\*/\s*$", "", one).strip() for one in raw.split("\n")]
        text = re.sub(r"\s+", " ", " ".join(lines)).strip(" */")
        if re.match(r"(eslint|prettier|@ts-|SPDX|global|slither)", text):
            continue
        kind = "docstring" if raw.startswith(("/**", "///")) else "comment"
        for part in re.split(rf"(?<![\w`{{])(?={TAGS})", text):
            if part.startswith(("@import", "@inheritdoc")):
                continue
            tag = re.match(TAGS, part)
            body = TYPE.sub("", part[tag.end() :].lstrip()) if tag else part
            if part.startswith(("@param", "@property", "@typedef", "@template")):
                body = re.sub(r"^(\[[^\]]*\]|[\w.$]+)\s*", "", body)
            if len(body.split()) > 1:
                is_main = not tag or part.startswith(("@dev", "@notice", "@title", "@type "))
                yield Passage(line, kind if is_main else "tag", body.strip())


def markdown(source: str) -> Iterator[Passage]:
    """Yield a Markdown page's paragraphs, list items, headings and table cells, without code."""
    block: list[str] = []
    start, fenced = 0, False
    for number, line in enumerate([*source.split("\n"), ""], 1):
        if re.match(r"\s*(```|~~~)", line):
            fenced = not fenced
            line = ""
        is_text = not fenced and not line.startswith("    ") and not line.startswith("<!--")
        if line.startswith("|") and is_text:
            for cell in line.strip("|").split("|"):
                if re.search(r"[a-z] [a-z]", cell):
                    yield Passage(number, "cell", cell.strip())
            continue
        begins = re.match(r"\s*([-*+]|\d+\.)\s|#", line)
        if block and (not is_text or not line.strip() or begins):
            yield Passage(start, "page", " ".join(block))
            block = []
        if is_text and line.strip():
            if not block:
                start = number
            block.append(re.sub(r"^\s*([-*+]|\d+\.)\s+|^#+ |^> ?", "", line).strip())


def texts(source: str) -> Iterator[Passage]:
    """Yield the texts in a JSON table of messages. Replace each placeholder with X."""
    found = json.loads(source)
    keys = {key: source.count("\n", 0, source.find(f'"{key}"')) + 1 for key in found}
    for key, text in found.items():
        if isinstance(text, str):
            plain = re.sub(r"\{\w+, (?:plural|select|selectordinal),", "", text)
            plain = re.sub(r"\{\w+\}|#", "X", plain)
            yield Passage(keys[key], "text", re.sub(r"(?:=\d+|one|other|\w+) \{([^{}]*)\}", r"\1 ", plain))


def sentences(text: str) -> list[str]:
    """Split prose into sentences. Replace code in backticks with one word, and each link with its
    text."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`]*`", "`x`", text)
    paragraphs = re.split(r"\n\s*\n|\n\s*(?=[-*] )|\n\s*(?=(?:Args|Returns|Raises|Yields):)", text)
    found = []
    for paragraph in paragraphs:
        plain = re.sub(r"\s+", " ", paragraph).strip()
        found += [
            one.strip()
            for one in re.split(r"(?<=[.!?…])[\"')]?\s+(?=[A-Z`\"'(*\[0-9])|(?<=[:;])\s+", plain)
            if one.strip()
        ]
    return found
