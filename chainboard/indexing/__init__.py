"""Opens the database of a chain, follows the chain into it, stands by, or watches it."""
