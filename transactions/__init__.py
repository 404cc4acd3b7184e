"""Sends transactions for scripts, bots and the faucet. Each is sent once, and all are sent in
order."""
