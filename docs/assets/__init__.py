"""Scripts that generate tracked files: the fonts for pictures, the page's icons and the
screenshots."""
