"""The chain that a command works on (embedded or not), with its keys and contracts."""
