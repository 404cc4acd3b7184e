"""Transactions of scripts, bots and the faucet: sent once, in order, whatever happens on the way."""
