"""Modules that compare a database with the chain."""
