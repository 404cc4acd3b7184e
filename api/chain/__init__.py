"""Access to the chain's node for clients: JSON-RPC with limits, and the faucet."""
