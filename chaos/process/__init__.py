"""Forks, patches, kills and restarts the tested process."""
