"""The maximum memory of a query, and the maximum size of a value. Both are in bytes."""

MAX_MEMORY = 2**29
MAX_VALUE_BYTES = 2**26
