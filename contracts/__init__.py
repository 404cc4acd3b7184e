"""The Solidity contracts, code to compile and deploy them, and code shared by chain clients."""
