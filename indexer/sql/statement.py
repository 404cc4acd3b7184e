"""Checks a query before it runs on PostgreSQL. It must be a single SELECT from our views.
PostgreSQL's own parser parses it.

https://www.postgresql.org/docs/current/sql-select.html"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from operator import attrgetter
from typing import Any, TypeAlias

from pglast import ast
from pglast.enums import SubLinkType
from pglast.parser import ParseError, Token, parse_sql, scan

from indexer.sql.allow_list import (
    DIFFERENCE_OPERATOR,
    EXPLAIN_OPTIONS,
    FUNCTION_KINDS,
    FUNCTIONS,
    LIKE_OPERATORS,
    MAX_CONSTANT,
    NODES,
    PRODUCT_FUNCTIONS,
    PRODUCT_OPERATORS,
    REJECTED_NODES,
    SEARCH_OPERATOR,
    TIME_VALUES,
    TYPES,
)
from indexer.sql.constants import ArrayDifferences, is_jsonb, is_short_constant
from indexer.sql.errors import OUT_OF_BOUNDS, QueryError, rejected, unknown_table
from indexer.sql.work import Work

Scoped: TypeAlias = tuple[Any, frozenset[str]]
"""Nodes of the syntax tree, and the names of the WITH queries that they can read."""

MAX_TOKENS = 10_000
"""The maximum number of tokens in a query. The parser's stack suffices even if all are nested."""
MAX_NON_ASCII = 1_000
"""The maximum number of non-ASCII characters in a query. For each word, the parser counts all of
these characters before it. Many of them would make the parser slow."""
CLAUSE_NAMES = "FROM WHERE GROUP_P HAVING WINDOW ORDER LIMIT OFFSET FETCH UNION INTERSECT EXCEPT"
CLAUSE_TOKENS = frozenset(CLAUSE_NAMES.split())
"""The tokens that can follow after a list of columns."""
WRITE_PREFIXES = (
    "Create",
    "Alter",
    "Drop",
    "Grant",
    "Truncate",
    "Comment",
    "Reindex",
    "Refresh",
    "Vacuum",
    "Cluster",
    "View",
)
WITHOUT_CONSTANT = f"but one operand must be a constant of at most {MAX_CONSTANT} characters"
OPENING_BRACKETS, CLOSING_BRACKETS = {"ASCII_40", "ASCII_91"}, {"ASCII_41", "ASCII_93"}
COMMA, SEMICOLON = "ASCII_44", "ASCII_59"


@dataclass(frozen=True, slots=True)
class AllowedQuery:
    """A SELECT that has passed the checks.

    - `explain`: the EXPLAIN clause before the SELECT, or empty text
    - `offset`: the position in the user's query where `text` begins
    - `fields`: the names after a dot
    - `has_with`: True if the SELECT begins with a WITH clause
    - `names`: the names of the columns on SQLite. None stands for a name that is the same on every
      database, and Ellipsis for a star
    """

    explain: str
    text: str
    offset: int
    views: frozenset[str]
    fields: frozenset[str]
    has_with: bool
    names: tuple[Any, ...]


def parse(query: str, views: Collection[str]) -> AllowedQuery:
    """Parse and check a query. Raises QueryError unless it is a single SELECT from these views."""
    if sum(not letter.isascii() for letter in query) > MAX_NON_ASCII:
        raise QueryError(rejected(f"has more than {MAX_NON_ASCII:,} non-ASCII characters: shorten it"))
    try:
        tokens = scan(query)
        if len(tokens) > MAX_TOKENS:
            raise QueryError(rejected(f"has more than {MAX_TOKENS:,} words: shorten it"))
        statements = parse_sql(query)
    except UnicodeEncodeError as error:
        raise QueryError(rejected("can't be answered: it is not valid UTF-8")) from error
    except ParseError as error:
        raise QueryError(rejected(f"can't be answered: {_parser_message(error)}")) from error
    if not statements:
        raise QueryError(rejected("is empty"))
    if len(statements) > 1:
        raise QueryError(rejected("can't be answered: enter one statement at a time"))
    statement: Any = statements[0].stmt
    tokens = [token for token in tokens if token.name not in (SEMICOLON, "SQL_COMMENT", "C_COMMENT")]
    if isinstance(statement, ast.ExplainStmt):
        return _explained(statement, query, tokens, views)
    if not isinstance(statement, ast.SelectStmt):
        raise QueryError(rejected(_forbidden_action(statement)))
    used, fields = _check(statement, views)
    names = tuple(_names(statement, query, tokens))
    has_with = statement.withClause is not None
    return AllowedQuery("", _between(query, tokens), tokens[0].start, used, fields, has_with, names)


def _between(query: str, tokens: list[Token]) -> str:
    return query[tokens[0].start : tokens[-1].end + 1]


def _parser_message(error: ParseError) -> str:
    message, position = error.args
    return f"{message}, at character {position + 1}" if position is not None and position >= 0 else str(message)


def _explained(statement: Any, query: str, tokens: list[Token], views: Collection[str]) -> AllowedQuery:
    """Return the query after EXPLAIN and its options. It must be parsed on its own."""
    options = statement.options or ()
    unknown = sorted({option.defname for option in options} - EXPLAIN_OPTIONS)
    if unknown:
        raise QueryError(
            rejected(f"uses the EXPLAIN option {unknown[0]}, but only {', '.join(sorted(EXPLAIN_OPTIONS))} are allowed")
        )
    if not isinstance(statement.query, ast.SelectStmt):
        raise QueryError(rejected(_forbidden_action(statement.query)))
    end = 1
    if options and tokens[1].name in OPENING_BRACKETS:
        while tokens[end].name not in CLOSING_BRACKETS:
            end += 1
        end += 1
    while options and tokens[end].name in ("ANALYZE", "ANALYSE", "VERBOSE"):
        end += 1
    chosen = ", ".join(f"{one.defname} {_option(one.arg)}".strip() for one in options)
    found = parse(_between(query, tokens[end:]), views)
    explain = f"EXPLAIN ({chosen}) " if chosen else "EXPLAIN "
    return replace(found, explain=explain, offset=tokens[end].start, names=())


def _option(value: Any) -> str:
    found = str(getattr(value, "sval", getattr(value, "ival", "")))
    if not (found == "" or found.isalnum()):
        raise QueryError(rejected("gives an EXPLAIN option a value that is not a single word"))
    return found


def _check(statement: Any, views: Collection[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return two sets: the views that a SELECT reads, and the names after a dot.

    Raises QueryError for the first forbidden node. The function is not recursive, because a user
    could nest a query too deeply for that."""
    used, fields = set[str](), set[str]()
    differences = ArrayDifferences()
    pending: list[Scoped] = [(statement, frozenset())]
    while pending:
        node, scope = pending.pop()
        if isinstance(node, tuple):
            pending.extend((one, scope) for one in node)
        elif not isinstance(node, str | int | Enum | None):
            reason = _rejection(node)
            if reason:
                raise QueryError(rejected(reason))
            differences.visit(node)
            kind = type(node).__name__
            if kind == "RangeVar" and node.relname not in scope:
                if node.relname not in views:
                    raise QueryError(rejected(unknown_table(node.relname, views)))
                used.add(node.relname)
            fields.update(_fields(node))
            if kind == "SelectStmt" and node.withClause is not None:
                pending.extend(_with_queries(node.withClause, scope))
                scope |= {one.ctename for one in node.withClause.ctes}
            if kind != "WithClause":
                pending.extend((getattr(node, name), scope) for name in node)
    Work().check(statement)
    if differences.is_too_expensive:
        raise QueryError(rejected(f"makes arrays and uses the operator {DIFFERENCE_OPERATOR}, {WITHOUT_CONSTANT}"))
    return frozenset(used), frozenset(fields)


def _fields(node: Any) -> Iterator[str]:
    """Yield the names after a dot in a node. A name can be a column, a field or a function.

    PostgreSQL treats `row.function` as `function(row)`
    (https://www.postgresql.org/docs/current/sql-expressions.html#FIELD-SELECTION)."""
    names = (getattr(node, "fields", None) or ())[1:] or getattr(node, "indirection", None) or ()
    yield from (str(one.sval) for one in names if isinstance(one, ast.String))


def _with_queries(clause: Any, scope: frozenset[str]) -> Iterator[Scoped]:
    """Yield each query in a WITH clause, with the names that it can read: those of the earlier
    queries or, after WITH RECURSIVE, of all queries."""
    if clause.recursive:
        scope |= {one.ctename for one in clause.ctes}
    for one in clause.ctes:
        yield one, scope
        scope |= {one.ctename}


def _rejection(node: Any) -> str:
    """Return why a node is not allowed, or empty text if it is allowed."""
    name = type(node).__name__
    if name not in NODES:
        return _forbidden_action(node)
    if name == "FuncCall":
        return _function_rejection(node)
    if name == "TypeName":
        names = [part.sval for part in node.names or ()]
        if not _is_listed(names, TYPES) or node.pct_type or node.setof:
            return f"uses the type {'.'.join(names)}, but only {', '.join(sorted(TYPES))} are allowed"
    if name == "RangeVar" and (node.schemaname or node.catalogname):
        return f"names a schema: {'.'.join(filter(None, (node.catalogname, node.schemaname, node.relname)))}"
    qualified = node.name if name == "A_Expr" else getattr(node, "operName", None)
    if name == "CollateClause":
        qualified = node.collname
    if name == "SortBy":
        qualified = node.useOp
    if qualified is not None and len(qualified) > 1:
        return OUT_OF_BOUNDS
    if qualified:
        reason = _operator_rejection(qualified[0].sval, getattr(node, "lexpr", None), getattr(node, "rexpr", None))
        if reason:
            return reason
    if name == "SubLink" and node.subLinkType == SubLinkType.ARRAY_SUBLINK:
        return "collects rows in an ARRAY, but only json_agg and string_agg may collect rows"
    if name == "SQLValueFunction" and node.op.name.removesuffix("_N") not in TIME_VALUES:
        return "reads the name of a user or a database"
    return ""


def _operator_rejection(name: str, left: Any, right: Any) -> str:
    if name in PRODUCT_OPERATORS and not any(is_short_constant(one) for one in (left, right)):
        return f"uses {'LIKE' if name in LIKE_OPERATORS else name}, {WITHOUT_CONSTANT}"
    if name == SEARCH_OPERATOR and not (is_jsonb(left) and is_short_constant(right)):
        return (
            f"uses {SEARCH_OPERATOR}, which is allowed only in the form `…::jsonb {SEARCH_OPERATOR} '…'`, "
            f"with a path of at most {MAX_CONSTANT} characters"
        )
    return ""


def _function_rejection(call: Any) -> str:
    names = [part.sval for part in call.funcname]
    if not _is_listed(names, FUNCTIONS):
        kinds = ", ".join(FUNCTION_KINDS)
        return f"calls {'.'.join(names)}, but only some functions for {kinds} are allowed (docs/reference/sql.md)"
    if names[-1] in PRODUCT_FUNCTIONS and not all(is_short_constant(one) for one in (call.args or ())[1:]):
        return f"calls {names[-1]}, but the other arguments must be constants of at most {MAX_CONSTANT} characters"
    return ""


def _is_listed(names: list[str], listed: Collection[str]) -> bool:
    """Return True if a name is in the list and has PostgreSQL's own schema or none."""
    return names[-1] in listed and names[:-1] in ([], ["pg_catalog"])


def _forbidden_action(node: Any) -> str:
    """Return why a node is forbidden, as the end of a sentence about the query."""
    name = type(node).__name__
    return REJECTED_NODES.get(name, "writes" if name.startswith(WRITE_PREFIXES) else f"{OUT_OF_BOUNDS} ({name})")


def _names(statement: Any, query: str, tokens: list[Token]) -> Iterator[Any]:
    """Yield the names of a SELECT's columns on SQLite, where an expression's name is its text."""
    while statement.larg is not None:
        statement = statement.larg
    for target in statement.targetList or ():
        value: Any = target.val
        parts = getattr(value, "fields", None) or getattr(value, "indirection", None) or (None,)
        if isinstance(parts[-1], ast.A_Star):
            yield ...
        elif isinstance(value, ast.ColumnRef):
            yield None
        else:
            yield None if target.name else _text(query, tokens, target.location)


def _text(query: str, tokens: list[Token], start: int) -> str:
    """Return the text of an expression, up to the comma, bracket or clause after it.

    Read only this expression's tokens, because a query can have thousands of expressions."""
    depth, end, before = 0, start, ""
    for number in range(bisect_left(tokens, start, key=attrgetter("start")), len(tokens)):
        token = tokens[number]
        ends = token.name == COMMA or (token.name in CLAUSE_TOKENS and before != "DISTINCT")
        if depth == 0 and (ends or token.name in CLOSING_BRACKETS):
            break
        depth += (token.name in OPENING_BRACKETS) - (token.name in CLOSING_BRACKETS)
        end, before = token.end + 1, token.name
    return query[start:end]
