"""The indexer: it follows the chain, stores the contracts' events and folds them into boards."""
