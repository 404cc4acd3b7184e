"""The documents: reference pages are generated (`python -m docs.reference`), pictures taken; the rest is written."""
