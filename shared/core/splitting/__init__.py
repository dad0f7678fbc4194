"""Splitting: when a memory is too large, where it is cut, and that nothing is lost."""
