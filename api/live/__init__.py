"""The websocket, on which clients watch matches and receive their changes."""
