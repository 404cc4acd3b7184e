"""The generator of the reference, which creates each page from the code that the page describes.

Run it with `python -m docs.reference`."""
