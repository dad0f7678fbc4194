"""Splitting: decide when a memory is too large and where to cut it, and check that nothing is lost."""
