"""Modules that fetch blocks with our contracts' logs and check the logs by headers and receipts."""
