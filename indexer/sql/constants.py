"""Finds constants in a query. If one side of an operator is a short constant, the running time does
not grow with the product of both sides' lengths."""

from __future__ import annotations

from typing import Any

from pglast import ast

from indexer.sql.allow_list import DIFFERENCE_OPERATOR, MAX_CONSTANT


class ArrayDifferences:
    """Checks whether a query could remove a long array's values from a JSON value, which takes a
    long time.

    The minus operator does this, but it also works on numbers and times, and the syntax tree
    doesn't contain the types. Therefore, minus counts only if the query also makes an array that
    can be long. This can be an array of values that aren't constants, or an array that is joined to
    another array."""

    def __init__(self) -> None:
        self._differs = self._joins = self._has_array = self._has_long_array = False

    def visit(self, node: Any) -> None:
        """Examine one node of the query's syntax tree."""
        kind = type(node).__name__
        if kind == "A_Expr" and node.name[-1].sval == DIFFERENCE_OPERATOR and node.lexpr is not None:
            self._differs |= not (is_short_constant(node.lexpr) or is_short_constant(node.rexpr))
        elif kind == "A_Expr" and node.name[-1].sval == "||":
            self._joins = True
        elif kind == "A_ArrayExpr" or (kind == "TypeCast" and node.typeName.arrayBounds is not None):
            self._has_array = True
            self._has_long_array |= not is_short_constant(node)
        elif kind == "FuncCall" and node.funcname[-1].sval == "regexp_match":
            self._has_array = True

    @property
    def is_too_expensive(self) -> bool:
        return self._differs and (self._has_long_array or (self._has_array and self._joins))


def is_short_constant(node: Any) -> bool:
    """Return True if the node is a short text, an integer, an ARRAY of these, or a pattern with its
    ESCAPE. It can be cast to some types. A cast to another type could make the text long."""
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
    """Return True if the node is a cast to jsonb. An operator can then only treat it as jsonb."""
    return (
        type(node).__name__ == "TypeCast"
        and node.typeName.arrayBounds is None
        and node.typeName.names[-1].sval == "jsonb"
    )
