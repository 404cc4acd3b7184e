"""Modules that fetch blocks and our contracts' logs, and check them with headers and receipts."""
