"""How fast the database answers when it is large."""
