"""Modules that run SQL queries for users (`chainboard sql`), and define the views that these
queries can read."""
