"""The rendering cost of the page."""
