"""Scripts that generate files in the repository: fonts for pictures, icons and screenshots."""
