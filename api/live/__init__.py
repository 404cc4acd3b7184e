"""The websocket: who watches what, and what is sent to whom."""
