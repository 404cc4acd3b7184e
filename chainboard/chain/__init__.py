"""The chain that a command works on (embedded or external), with its keys and contracts."""
