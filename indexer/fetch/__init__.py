"""Blocks with the logs of our contracts, checked against headers and receipts."""
