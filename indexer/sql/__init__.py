"""Users' SQL queries, and the views that they read."""
