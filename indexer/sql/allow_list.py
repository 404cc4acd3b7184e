"""The parts that a query on PostgreSQL may have: nodes of the syntax tree, functions, operators and
types.

PostgreSQL allows every user to call about three thousand functions. Some of them sleep, lock, read
settings or signal other sessions. A list of forbidden functions would never be complete, so a query
may contain only what is listed here.

None of the listed functions is volatile. Functions that multiply or collect values without a limit,
such as repeat and array_agg, are not listed. PostgreSQL limits only the memory for sorts and
hashes, and not the memory for these functions."""

from __future__ import annotations

NODE_NAMES = """
    A_ArrayExpr A_Const A_Expr A_Indices A_Indirection A_Star Alias BitString BoolExpr Boolean BooleanTest CaseExpr
    CaseWhen CoalesceExpr CollateClause ColumnRef CommonTableExpr Float FuncCall GroupingFunc GroupingSet Integer
    JoinExpr MinMaxExpr NullTest RangeFunction RangeSubselect RangeVar ResTarget RowExpr SQLValueFunction SelectStmt
    SortBy String SubLink TypeCast TypeName WindowDef WithClause
"""
NODES = frozenset(NODE_NAMES.split())
"""The allowed kinds of nodes in the syntax tree. The names are those in PostgreSQL's files
parsenodes.h and primnodes.h: https://github.com/pganalyze/libpg_query"""

REJECTED_NODES = {
    "IntoClause": "writes",
    "InsertStmt": "writes",
    "UpdateStmt": "writes",
    "DeleteStmt": "writes",
    "MergeStmt": "writes",
    "CopyStmt": "reads or writes files",
    "LoadStmt": "reads or writes files",
    "LockingClause": "locks rows",
    "LockStmt": "locks a table",
    "TransactionStmt": "begins or ends a transaction",
    "NotifyStmt": "notifies other sessions",
    "ListenStmt": "notifies other sessions",
    "UnlistenStmt": "notifies other sessions",
    "VariableSetStmt": "changes a setting",
    "AlterSystemStmt": "changes a setting",
    "AlterRoleSetStmt": "changes a setting",
    "VariableShowStmt": "reads a setting",
    "DoStmt": "runs a program",
    "CallStmt": "runs a program",
    "XmlExpr": "makes XML",
    "XmlSerialize": "makes XML",
    "RangeTableFunc": "makes XML",
    "ParamRef": "has a parameter without a value",
}
"""The reasons for rejecting some kinds of nodes. All other nodes that aren't allowed are rejected
because they read something other than the views."""

EXPLAIN_OPTIONS = frozenset(("analyze", "verbose", "costs", "buffers", "timing", "summary", "format"))

AGGREGATES = """
    avg bit_and bit_or bool_and bool_or corr count covar_pop covar_samp every json_agg json_object_agg max min mode
    percentile_cont percentile_disc regr_count regr_intercept regr_r2 regr_slope stddev stddev_pop stddev_samp
    string_agg sum var_pop var_samp variance
"""
WINDOW_FUNCTIONS = """
    cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number
"""
TEXT_FUNCTIONS = """
    ascii btrim char_length character_length chr concat concat_ws decode encode initcap left length like_escape lower
    ltrim md5 octet_length overlay position regexp_match regexp_replace replace reverse right rtrim similar_to_escape
    split_part starts_with strpos substr substring to_hex translate upper
"""
NUMBER_FUNCTIONS = """
    abs acos asin atan atan2 cbrt ceil ceiling cos degrees div exp floor gcd lcm ln log log10 mod pi power radians
    round sign sin sqrt tan trunc width_bucket
"""
TIME_FUNCTIONS = """
    age date_bin date_part date_trunc extract justify_days justify_hours justify_interval make_date make_interval
    make_timestamp now timezone to_char to_date to_timestamp
"""
JSON_FUNCTIONS = """
    json_array_elements json_array_elements_text json_array_length json_each json_each_text json_extract_path
    json_extract_path_text json_object_keys json_typeof jsonb_array_elements jsonb_array_elements_text
    jsonb_array_length jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text jsonb_object_keys
    jsonb_typeof
"""
ROW_FUNCTIONS = "array_length array_to_string cardinality generate_series unnest"
FUNCTION_KINDS = {
    "aggregates": AGGREGATES,
    "window functions": WINDOW_FUNCTIONS,
    "text": TEXT_FUNCTIONS,
    "numbers": NUMBER_FUNCTIONS,
    "time": TIME_FUNCTIONS,
    "JSON": JSON_FUNCTIONS,
    "rows and arrays": ROW_FUNCTIONS,
}
FUNCTIONS = frozenset(" ".join(FUNCTION_KINDS.values()).split())
PRODUCT_FUNCTIONS = frozenset(("btrim", "ltrim", "position", "replace", "rtrim", "split_part", "strpos", "translate"))
"""Functions whose running time grows with the product of two arguments' lengths. No server timeout
interrupts them.

All arguments except the first must be constants, so that the running time grows only with the
first argument's length."""
LIKE_OPERATORS = frozenset(("~~", "!~~", "~~*", "!~~*"))
"""The names that the parser uses for LIKE and ILIKE."""
PRODUCT_OPERATORS = frozenset(("@>", "<@", "&&", "?|", "?&")) | LIKE_OPERATORS
"""Operators that the server's timeout doesn't interrupt. With arrays and JSON, they search one side
for each value of the other side. With text, they search for a pattern."""
SEARCH_OPERATOR = "@@"
"""An operator that the server's timeout doesn't interrupt. With text, it takes half a second per
MB. With jsonb, it follows a path, which is fast."""
WORK_OPERATORS = frozenset(("*", "/", "%", "^", "|/", "||/"))
WORK_FUNCTIONS = frozenset(["cbrt", "div", "exp", "lcm", "ln", "log", "log10", "mod", "power", "sqrt", "width_bucket"])
MAX_WORK = 40
"""The maximum number of multiplications and similar operations per row. The server checks its
timeout only between rows.

Each operation takes 0.1 to 0.2 seconds if the numbers have 131,072 digits, the maximum in
PostgreSQL."""
COLLECTING_FUNCTIONS = frozenset(("json_agg", "json_object_agg", "string_agg"))
MAX_COLLECTED = 2
"""The maximum number of calls to COLLECTING_FUNCTIONS in a query.

Each call collects rows in one value. The value can have 1 GB, because the server's setting work_mem
doesn't limit it."""
MAX_NESTED = 50
DIFFERENCE_OPERATOR = "-"
"""The minus operator. If it subtracts an array from a JSON value, it compares each value in the
array with each value in the JSON value."""
MAX_CONSTANT = 100
"""The maximum length of a constant: characters in a text, or values in an ARRAY."""

TYPE_NAMES = """
    bool bpchar bytea date float4 float8 int2 int4 int8 interval json jsonb numeric text time timestamp timestamptz
    timetz varchar
"""
TYPES = frozenset(TYPE_NAMES.split())
"""The allowed types, with the names that the parser uses. For example, the parser turns INTEGER
into int4.

Types that name tables, roles or functions, such as regclass, would read PostgreSQL's catalog."""

TIME_VALUES = frozenset(("SVFOP_CURRENT_DATE", "SVFOP_CURRENT_TIME", "SVFOP_CURRENT_TIMESTAMP"))
"""The allowed keywords that are values, such as CURRENT_DATE. Other keywords of this kind, such as
CURRENT_USER, name users and databases."""
