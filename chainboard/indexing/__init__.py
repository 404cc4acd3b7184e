"""Opens a chain's database and indexes the chain into it, stands by, or watches the database."""
