"""Scripts that generate tracked files: the fonts of pictures, the page's icons, the screenshots."""
