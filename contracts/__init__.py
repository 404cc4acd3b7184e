"""The game rules in Solidity, the code that compiles and deploys them, and code that all chain
clients share."""
