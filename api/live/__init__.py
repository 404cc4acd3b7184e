"""The websocket, on which clients watch matches and receive changes to their boards."""
