"""The tested process, which is forked, patched, killed and restarted."""
