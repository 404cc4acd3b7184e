"""Websocket clients that check the messages that the tested process sends."""
