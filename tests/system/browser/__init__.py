"""Tests of the page in Chromium. The tests share a browser and a server."""
