"""The sources of the documentation. `python -m docs.reference` generates the reference pages."""
