"""The chain that a command works on: the embedded Anvil or another node, its keys and its
contracts."""
