"""Evaluates var(), light-dark() and calc() in the CSS values of the page's boards."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import tinycss2
from tinycss2 import color5

Tokens: TypeAlias = Sequence[Any]
"""A CSS value in the form in which tinycss2 parses it."""
Operators: TypeAlias = dict[str, Callable[[float, float], float]]

REM = 16.0
UNITS = {"px": 1.0, "rem": REM, "em": REM}
SUMS: Operators = {"+": operator.add, "-": operator.sub}
PRODUCTS: Operators = {"*": operator.mul, "/": operator.truediv}


class BadValue(Exception):
    """A CSS value can't be evaluated here. The declaration is dropped, as in a browser that doesn't
    support the value."""


def resolve_variables(tokens: Tokens, custom: Mapping[str, Tokens], depth: int = 0) -> list[Any]:
    """Replace each var() by the custom property's value or, if there is none, by the fallback.
    Raises BadValue."""
    if depth > 20:
        raise BadValue("custom properties refer to each other")
    found: list[Any] = []
    for token in tokens:
        if token.type == "function" and token.lower_name == "var":
            found += _variable(token.arguments, custom, depth)
        elif token.type == "function":
            inner = resolve_variables(token.arguments, custom, depth)
            found += tinycss2.parse_component_value_list(f"{token.name}({tinycss2.serialize(inner)})")
        else:
            found.append(token)
    return found


def _variable(arguments: Tokens, custom: Mapping[str, Tokens], depth: int) -> list[Any]:
    comma = next((at for at, one in enumerate(arguments) if one == ","), len(arguments))
    name = tinycss2.serialize(arguments[:comma]).strip()
    if name in custom:
        return resolve_variables(custom[name], custom, depth + 1)
    if comma == len(arguments):
        raise BadValue(f"{name} has no value")
    return resolve_variables(arguments[comma + 1 :], custom, depth + 1)


def text_of(tokens: Tokens) -> str:
    return str(tinycss2.serialize(tokens)).strip()


def colour(tokens: Tokens, theme: str) -> tuple[str, float]:
    """Return the colour as `#rrggbb` or `none`, and its opacity from 0 to 1. `theme` is light or
    dark. Raises BadValue."""
    text = text_of(tokens)
    if text in ("none", "transparent"):
        return "none", 1.0
    found = color5.parse_color(text, color_schemes=(theme,))
    if found is None or isinstance(found, str):
        raise BadValue(f"{text!r} is not a colour")
    red, green, blue = (max(0, min(255, round(255 * one))) for one in found.to("srgb").coordinates)
    return f"#{red:02x}{green:02x}{blue:02x}", float(found.alpha)


def length(tokens: Tokens) -> str:
    """Evaluate a length. Lengths are returned in CSS pixels without the unit, and words unchanged.
    Raises BadValue."""
    parts = [one for one in tokens if one.type != "whitespace" and one != ","]
    return " ".join(one.value if one.type == "ident" else _format_number(_number(one)) for one in parts)


def _format_number(number: float) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".")


def _number(token: Any) -> float:
    if token.type == "number":
        return float(token.value)
    if token.type == "dimension" and token.lower_unit in UNITS:
        return float(token.value) * UNITS[token.lower_unit]
    if token.type == "function" and token.lower_name == "calc":
        return _sum([one for one in token.arguments if one.type != "whitespace"])
    if token.type == "() block":
        return _sum([one for one in token.content if one.type != "whitespace"])
    raise BadValue(f"{text_of([token])!r} is not a length")


def _sum(tokens: Tokens) -> float:
    return _evaluate(tokens, SUMS, lambda some: _evaluate(some, PRODUCTS, _single_number))


def _evaluate(tokens: Tokens, signs: Operators, inner: Callable[[Tokens], float]) -> float:
    positions = [at for at, one in enumerate(tokens) if one.type == "literal" and one.value in signs]
    ends = [*positions, len(tokens)]
    value = inner(tokens[: ends[0]])
    for at, end in zip(positions, ends[1:], strict=True):
        value = signs[tokens[at].value](value, inner(tokens[at + 1 : end]))
    return value


def _single_number(tokens: Tokens) -> float:
    if len(tokens) != 1:
        raise BadValue(f"{text_of(tokens)!r} is not a length")
    return _number(tokens[0])
