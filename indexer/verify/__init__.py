"""A database compared with the chain."""
