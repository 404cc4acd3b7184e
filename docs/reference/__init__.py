"""The generator of the reference pages. Run it with `python -m docs.reference`."""
