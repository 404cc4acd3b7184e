"""Sends the transactions of scripts, bots and the faucet, each once and in order."""
