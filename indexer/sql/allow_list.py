"""The syntax tree nodes, functions and types that a query on PostgreSQL may use.

Every user may call about three thousand functions. Some of them sleep, lock, read settings or
signal other sessions. A list of forbidden functions would never be complete, so a query may use
only what is listed here.

None of the listed functions is volatile. Functions that multiply or collect values without a limit
(repeat, array_agg) are missing on purpose, because PostgreSQL limits only the memory for sorts and
hashes."""

from __future__ import annotations

NODE_NAMES = """
    A_ArrayExpr A_Const A_Expr A_Indices A_Indirection A_Star Alias BitString BoolExpr Boolean BooleanTest CaseExpr
    CaseWhen CoalesceExpr CollateClause ColumnRef CommonTableExpr Float FuncCall GroupingFunc GroupingSet Integer
    JoinExpr MinMaxExpr NullTest RangeFunction RangeSubselect RangeVar ResTarget RowExpr SQLValueFunction SelectStmt
    SortBy String SubLink TypeCast TypeName WindowDef WithClause
"""
NODES = frozenset(NODE_NAMES.split())
"""The allowed nodes, with their names in PostgreSQL's parsenodes.h and primnodes.h:
https://github.com/pganalyze/libpg_query"""

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
"""The reasons for rejecting some nodes. All other rejected nodes reach beyond the views."""

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
"""The parser's names for LIKE and ILIKE."""
PRODUCT_OPERATORS = frozenset(("@>", "<@", "&&", "?|", "?&")) | LIKE_OPERATORS
"""The operators that no server timeout interrupts. On arrays and JSON, they look up each value from
one side among the values on the other side. On text, they look for a pattern."""
SEARCH_OPERATOR = "@@"
"""The operator that reads a whole text, at half a second per MB, without checking the timeout. On
jsonb, it follows a path."""
WORK_OPERATORS = frozenset(("*", "/", "%", "^", "|/", "||/"))
WORK_FUNCTIONS = frozenset(["cbrt", "div", "exp", "lcm", "ln", "log", "log10", "mod", "power", "sqrt", "width_bucket"])
MAX_WORK = 40
"""The maximum number of multiplications and similar operations between two checks of the timeout.

Each operation takes 0.1 to 0.2 seconds for numbers with 131,072 digits, which is PostgreSQL's
maximum."""
COLLECTING_FUNCTIONS = frozenset(("json_agg", "json_object_agg", "string_agg"))
MAX_COLLECTED = 2
"""The maximum number of calls to COLLECTING_FUNCTIONS in a query.

Each call collects rows into one value, which can have 1 GB, whatever the server's work_mem is."""
MAX_NESTED = 50
DIFFERENCE_OPERATOR = "-"
"""The minus operator. Between a JSON value and an array, it looks up each value of one in the
other."""
MAX_CONSTANT = 100
"""The maximum length of a constant: in characters or, for an ARRAY, in values."""

TYPE_NAMES = """
    bool bpchar bytea date float4 float8 int2 int4 int8 interval json jsonb numeric text time timestamp timestamptz
    timetz varchar
"""
TYPES = frozenset(TYPE_NAMES.split())
"""The allowed types. These are their names in pg_catalog, because the parser turns INTEGER into
int4.

Types that name tables, roles or functions (such as regclass) would read the catalog."""

TIME_VALUES = frozenset(("SVFOP_CURRENT_DATE", "SVFOP_CURRENT_TIME", "SVFOP_CURRENT_TIMESTAMP"))
"""The allowed values that SQL writes without parentheses. The other values of this kind name users
and databases."""
