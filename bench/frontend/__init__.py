"""What the page's drawing takes."""
