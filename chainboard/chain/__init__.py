"""The chain that a command works on, either embedded or external, with its keys and contracts."""
