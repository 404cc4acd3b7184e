"""Tests of the page's modules, in Node and from Python."""
