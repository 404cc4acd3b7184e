"""Modules that fetch blocks with our contracts' logs and check these logs against headers and
receipts."""
