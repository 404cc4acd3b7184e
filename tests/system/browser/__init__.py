"""Tests of the page in Chromium. They are a package so that they share a browser and a server."""
