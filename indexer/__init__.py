"""The indexer, which follows the chain, stores its events and folds them into boards."""
