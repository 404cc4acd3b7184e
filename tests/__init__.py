"""What is checked, a folder a part."""
