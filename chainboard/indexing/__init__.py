"""The database of a chain, and following the chain into it."""
