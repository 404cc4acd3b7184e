"""The limits of a query's memory and of each value, in bytes."""

MAX_MEMORY = 2**29
MAX_VALUE_BYTES = 2**26
