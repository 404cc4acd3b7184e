"""Modules that fetch blocks with the logs of our contracts. Headers and receipts verify the
logs."""
