"""Opens a chain's database. Indexes the chain into it, stands by, or watches it."""
