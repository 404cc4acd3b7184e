"""Gas of one game each, in a module of its name."""
