"""Opens a chain's database, and then indexes the chain, stands by, or watches another writer."""
