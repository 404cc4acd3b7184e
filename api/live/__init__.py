"""The websocket: watched matches, and the messages to their watchers."""
