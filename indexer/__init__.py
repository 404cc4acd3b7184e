"""The indexer. It follows the chain, stores the events of our contracts and computes the boards."""
