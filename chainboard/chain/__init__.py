"""The chain that a command works on: the embedded Anvil or a given node, its keys and its contracts."""
