"""Tests of the page in Chromium. The tests in this package share a browser and a server."""
