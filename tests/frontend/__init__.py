"""Tests of the page's modules. They run in Node.js, and some of them are started by tests in
Python."""
