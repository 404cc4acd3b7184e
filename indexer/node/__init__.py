"""The client of the chain's node over JSON-RPC. No other code connects to it."""
