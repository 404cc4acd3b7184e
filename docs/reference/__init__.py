"""The reference, each page generated from what it is about: `python -m docs.reference`."""
