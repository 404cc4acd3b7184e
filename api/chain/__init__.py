"""Clients' access to the chain's node: JSON-RPC with limits, and the faucet."""
