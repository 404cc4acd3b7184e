"""Modules that fetch blocks with our contracts' logs and verify them with headers and receipts."""
