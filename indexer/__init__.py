"""The indexer: it follows the chain, stores the contracts' events and computes the boards."""
