"""What a question may take, in bytes."""

MAX_MEMORY = 2**29
MAX_VALUE_BYTES = 2**26
