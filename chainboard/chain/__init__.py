"""The chain that a command works on: the embedded Anvil or another node, keys and contracts."""
