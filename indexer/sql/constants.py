"""Constants of a question: what has one at one side is no product of two values' lengths."""

from __future__ import annotations

from typing import Any

from pglast import ast

from indexer.sql.allow_list import DIFFERENCE, MAX_CONSTANT


class ArrayDifferences:
    """Whether a question may take an array's values out of a JSON value. The operator is that of numbers and times as
    well, and no syntax tree tells the types, so that it counts only where the question makes an array that may be
    long: of no constant, or joined to others."""

    def __init__(self) -> None:
        self._differs = self._joins = self._has_array = self._has_long_array = False

    def look_at(self, node: Any) -> None:
        """Takes a node of the question into account."""
        kind = type(node).__name__
        if kind == "A_Expr" and node.name[-1].sval == DIFFERENCE and node.lexpr is not None:
            self._differs |= not (is_short_constant(node.lexpr) or is_short_constant(node.rexpr))
        elif kind == "A_Expr" and node.name[-1].sval == "||":
            self._joins = True
        elif kind == "A_ArrayExpr" or (kind == "TypeCast" and node.typeName.arrayBounds is not None):
            self._has_array = True
            self._has_long_array |= not is_short_constant(node)
        elif kind == "FuncCall" and node.funcname[-1].sval == "regexp_match":
            self._has_array = True

    @property
    def are_products(self) -> bool:
        return self._differs and (self._has_long_array or (self._has_array and self._joins))


def is_short_constant(node: Any) -> bool:
    """A text or a whole number, as it stands in the query, or an ARRAY of such, or a pattern with its ESCAPE. A cast to
    any other type could make a long text of it."""
    if type(node).__name__ == "FuncCall" and node.funcname[-1].sval == "like_escape":
        return all(is_short_constant(one) for one in node.args or ())
    if type(node).__name__ == "TypeCast" and not node.typeName.typmods:
        array = node.typeName.arrayBounds is not None
        if array or node.typeName.names[-1].sval in ("text", "varchar", "bytea", "jsonb"):
            node = node.arg
    if type(node).__name__ == "A_ArrayExpr":
        values = node.elements or ()
        return len(values) <= MAX_CONSTANT and all(
            type(one).__name__ == "A_Const" and is_short_constant(one) for one in values
        )
    if type(node).__name__ != "A_Const":
        return False
    value = node.val
    if isinstance(value, ast.String):
        return len(value.sval or "") <= MAX_CONSTANT
    return isinstance(value, ast.Integer | None)


def is_jsonb(node: Any) -> bool:
    """Whether it is cast to jsonb, so that an operator takes it for nothing else."""
    return (
        type(node).__name__ == "TypeCast"
        and node.typeName.arrayBounds is None
        and node.typeName.names[-1].sval == "jsonb"
    )
