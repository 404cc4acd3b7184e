"""Sends transactions for scripts, bots and the faucet, each once and all in order."""
