"""The chain that a command works on: the embedded Anvil node or a different node, with the keys and
the contracts."""
