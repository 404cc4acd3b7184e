"""The game rules in Solidity, their compilation and deployment, and code for all chain clients."""
