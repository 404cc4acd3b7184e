"""The websocket, on which clients watch matches and receive messages about them."""
