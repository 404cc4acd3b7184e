"""A replay written as a drawing, a picture, an animation or an HTML page."""
