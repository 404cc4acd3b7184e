"""Scripts that generate tracked files: the fonts of pictures, the page's icons and the
screenshots."""
