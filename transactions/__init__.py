"""Transactions of scripts, bots and the faucet, each sent once and in order."""
