"""Decide where a statement is filed: in which memory of a store, or in one of its own."""
