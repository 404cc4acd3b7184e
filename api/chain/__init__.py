"""Clients' access to the chain's node: JSON-RPC with limits, the faucet, and the checks that both
need."""
