"""Exports replays as drawings, pictures, animations or HTML pages."""
