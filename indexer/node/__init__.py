"""The chain's node over JSON-RPC: the only code that speaks to it."""
