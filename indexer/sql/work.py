"""Limits how much a query computes per row, because the server's timeout doesn't interrupt the
multiplication of long numbers. Also limits how much a query collects in memory, because the server
doesn't."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any

from pglast import ast

from indexer.sql.allow_list import (
    AGGREGATES,
    COLLECTING_FUNCTIONS,
    MAX_COLLECTED,
    MAX_NESTED,
    MAX_WORK,
    WORK_FUNCTIONS,
    WORK_OPERATORS,
)
from indexer.sql.errors import QueryError, rejected

AGGREGATE_NAMES = frozenset(AGGREGATES.split())
MATERIALIZING_CLAUSES = (
    "groupClause",
    "havingClause",
    "sortClause",
    "distinctClause",
    "limitOffset",
    "limitCount",
    "withClause",
)
"""If a subquery has one of these clauses, the server computes it only once."""


class _SelectCounts:
    """The products, column names and subqueries in one SELECT, without nested SELECTs."""

    def __init__(self, statement: Any) -> None:
        self.products = self.names = self.collected = 0
        self.has_aggregate = False
        self.sources: list[Any] = []
        self.nested: list[Any] = []
        pending = [getattr(statement, name) for name in statement if name not in ("larg", "rarg", "withClause")]
        while pending:
            node = pending.pop()
            if isinstance(node, tuple):
                pending.extend(node)
            elif isinstance(node, ast.SelectStmt):
                self.nested.append(node)
            elif isinstance(node, ast.RangeSubselect):
                self.sources.append(node.subquery)
            elif not isinstance(node, str | int | Enum | None):
                self._count(node)
                pending.extend(getattr(node, name) for name in node)

    def _count(self, node: Any) -> None:
        kind = type(node).__name__
        if kind == "A_Expr":
            self.products += node.name[-1].sval in WORK_OPERATORS
        elif kind == "ColumnRef":
            self.names += 1
        elif kind == "FuncCall":
            name = node.funcname[-1].sval
            self.products += name in WORK_FUNCTIONS
            self.collected += name in COLLECTING_FUNCTIONS
            self.has_aggregate |= name in AGGREGATE_NAMES


class Work:
    """Counts the operations in a query.

    The server can replace the name of a subquery's column by the column's expression. Therefore,
    the operations in a subquery count once for each column name in the outer query."""

    def __init__(self) -> None:
        self._collected = 0

    def check(self, statement: Any) -> None:
        """Raise QueryError if the query computes or collects too much."""
        self._work_of(statement, 0, 0)
        if self._collected > MAX_COLLECTED:
            raise QueryError(
                rejected(
                    f"collects rows in memory more than {MAX_COLLECTED} times "
                    f"(with {', '.join(sorted(COLLECTING_FUNCTIONS))})"
                )
            )

    def _work_of(self, statement: Any, below: int, depth: int) -> int:
        """Return the number of operations in this query, or 0 if the server computes it only once.
        The outer query adds this number once for each column name that it uses.

        `below`: the number that this query adds for each column name, from its subqueries."""
        if depth > MAX_NESTED:
            raise QueryError(rejected(f"nests more than {MAX_NESTED} queries"))
        most = 0
        for one, queries in _branches(statement):
            for query in queries:
                below = max(below, self._work_of(query, below, depth + 1))
            if one.larg is None:
                most = max(most, self._work_of_select(one, below, depth))
        return most

    def _work_of_select(self, statement: Any, below: int, depth: int) -> int:
        level = _SelectCounts(statement)
        self._collected += level.collected
        for one in level.sources:
            below = max(below, self._work_of(one, below, depth + 1))
        work = level.products + level.names * below
        work += sum(self._work_of(one, below, depth + 1) for one in level.nested)
        if work > MAX_WORK:
            raise QueryError(
                rejected(
                    f"multiplies, divides or takes powers more than {MAX_WORK} times in a row: simplify the query, or "
                    "end a subquery with OFFSET 0, so that the subquery is computed only once"
                )
            )
        is_once = level.has_aggregate or any(getattr(statement, name) for name in MATERIALIZING_CLAUSES)
        return 0 if is_once else work


def _branches(statement: Any) -> Iterator[tuple[Any, list[Any]]]:
    """Yield each SELECT of a statement (a UNION has several), with its WITH queries."""
    pending = [statement]
    while pending:
        one = pending.pop()
        yield one, [each.ctequery for each in (one.withClause.ctes if one.withClause else ())]
        if one.larg is not None:
            pending += [one.larg, one.rarg]
