"""How fast events and moves go through the server, with many clients and with hostile ones."""
