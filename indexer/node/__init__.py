"""The JSON-RPC client for the chain's node. No other code in the indexer connects to the node."""
