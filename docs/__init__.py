"""The documentation's sources. `python -m docs.reference` generates the reference pages."""
