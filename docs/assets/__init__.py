"""Scripts that generate tracked files: fonts for pictures, icons and screenshots."""
