"""Opens a chain's database, indexes the chain into it, stands by, or watches it."""
