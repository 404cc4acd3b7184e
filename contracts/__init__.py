"""The rules: Solidity, its compilation, its deployment; and what all that asks a chain shares."""
