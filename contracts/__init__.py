"""The rules: Solidity, its compilation, its deployment."""
