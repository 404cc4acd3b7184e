"""Tests of the page's modules, which run in Node.js. Tests in Python start some of them."""
