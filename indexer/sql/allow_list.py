"""What a question on PostgreSQL may be made of: nodes of PostgreSQL's own syntax tree, functions and types.

PUBLIC may call some three thousand functions, among them ones that sleep, lock, read settings and speak to other
sessions; a list of these would never be whole, so that a question may use what is listed here and nothing else. No
function of it is volatile. What multiplies or collects values without a limit (repeat, array_agg) is missing on
purpose: PostgreSQL bounds the memory of sorts and hashes, not that."""

from __future__ import annotations

NODE_NAMES = """
    A_ArrayExpr A_Const A_Expr A_Indices A_Indirection A_Star Alias BitString BoolExpr Boolean BooleanTest CaseExpr
    CaseWhen CoalesceExpr CollateClause ColumnRef CommonTableExpr Float FuncCall GroupingFunc GroupingSet Integer
    JoinExpr MinMaxExpr NullTest RangeFunction RangeSubselect RangeVar ResTarget RowExpr SQLValueFunction SelectStmt
    SortBy String SubLink TypeCast TypeName WindowDef WithClause
"""
NODES = frozenset(NODE_NAMES.split())
"""https://github.com/pganalyze/libpg_query: named as in PostgreSQL's parsenodes.h and primnodes.h"""

REFUSED_NODES = {
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
    "VariableShowStmt": "asks for a setting",
    "DoStmt": "runs a program",
    "CallStmt": "runs a program",
    "XmlExpr": "makes XML",
    "XmlSerialize": "makes XML",
    "RangeTableFunc": "makes XML",
    "ParamRef": "has a parameter, which nothing fills",
}
"""Why some are refused; all others reach beyond the views."""

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
PRODUCTS = frozenset(("btrim", "ltrim", "position", "replace", "rtrim", "split_part", "strpos", "translate"))
"""Of them, those whose work is the product of two values' lengths. No clock of the server's ends one of these: what
comes after the first value is a constant, so that the work is that value's length."""
LIKE_OPERATORS = frozenset(("~~", "!~~", "~~*", "!~~*"))
"""LIKE and ILIKE, as the parser names them."""
PRODUCT_OPERATORS = frozenset(("@>", "<@", "&&", "?|", "?&")) | LIKE_OPERATORS
"""Of arrays and JSON: each value of one side is looked for among those of the other, with no clock either. So is a
pattern in a text."""
SEARCH = "@@"
"""Of texts it reads all of one with no clock, which takes it half a second for each MB; of jsonb it follows a path."""
WORK_OPERATORS = frozenset(("*", "/", "%", "^", "|/", "||/"))
WORK_FUNCTIONS = frozenset(["cbrt", "div", "exp", "lcm", "ln", "log", "log10", "mod", "power", "sqrt", "width_bucket"])
MAX_WORK = 40
"""Products and the like in a row: of numbers with 131,072 digits, which are PostgreSQL's longest, each takes a tenth of
a second or two, and between them nothing looks at the clock."""
COLLECTORS = frozenset(("json_agg", "json_object_agg", "string_agg"))
MAX_COLLECTED = 2
"""Columns of a question that collect rows in one value: each may have 1 GB, whatever the server's work_mem is."""
MAX_NESTED = 50
DIFFERENCE = "-"
"""Of a JSON value and an array likewise."""
MAX_CONSTANT = 100
"""Characters, or values of an ARRAY."""

TYPE_NAMES = """
    bool bpchar bytea date float4 float8 int2 int4 int8 interval json jsonb numeric text time timestamp timestamptz
    timetz varchar
"""
TYPES = frozenset(TYPE_NAMES.split())
"""As pg_catalog names them: the parser makes int4 of an INTEGER. Those that name tables, roles or functions (regclass)
would read the catalog."""

TIME_VALUES = frozenset(("SVFOP_CURRENT_DATE", "SVFOP_CURRENT_TIME", "SVFOP_CURRENT_TIMESTAMP"))
"""Of the values that SQL asks for without brackets; the others name users and databases."""
