"""The documentation. `python -m docs.reference` generates the reference pages."""
