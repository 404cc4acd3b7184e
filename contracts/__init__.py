"""The game rules in Solidity, the code that deploys them, and code that all chain clients share."""
