"""Modules that run users' SQL queries and define the views that the queries read."""
