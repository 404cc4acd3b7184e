"""Sends transactions for scripts, bots and the faucet: each transaction once, and all in order."""
