"""How much memory a query can use, and how large a value can be. Both are in bytes."""

MAX_MEMORY = 2**29
MAX_VALUE_BYTES = 2**26
