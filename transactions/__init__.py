"""Sends transactions for scripts, bots and the faucet. Each transaction is sent once, and all are
sent in order."""
