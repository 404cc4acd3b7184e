"""Modules that compare a database with the chain, for the command `chainboard verify`."""
