"""Websocket clients that check the messages they receive."""
