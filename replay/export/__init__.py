"""Exports a replay as a drawing, a picture, an animation or an HTML page."""
