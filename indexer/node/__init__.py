"""The JSON-RPC client for the chain's node. The rest of the indexer uses only this client."""
