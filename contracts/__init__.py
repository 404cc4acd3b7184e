"""The Solidity rules, their compilation and deployment, and code shared by all chain clients."""
