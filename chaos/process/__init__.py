"""Our process: forked, patched, killed and started again."""
