"""Tests of the page in Chromium. They are in a package, so that they can share a browser and a
server."""
