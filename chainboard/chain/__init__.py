"""The chain that a command works on: its node (the embedded Anvil or another), keys and
contracts."""
