"""Tests of the page's modules, which run in Node. Python starts some of them."""
