"""Modules that fetch blocks with the logs of our contracts and check them against headers and
receipts."""
