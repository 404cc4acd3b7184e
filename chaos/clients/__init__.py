"""Websocket clients that check what they hear."""
