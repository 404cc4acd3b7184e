"""Speed and strength of the computer players."""
