"""The tested process: forked, patched, killed and restarted."""
