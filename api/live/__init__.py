"""The websocket. Clients watch matches on it and receive the changes to the boards."""
