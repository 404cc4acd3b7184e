"""Transactions of scripts, bots and the faucet: each is sent once and in order, even after a crash
or a node failure."""
