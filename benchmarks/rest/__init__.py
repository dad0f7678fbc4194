"""Measure whether dreams over a store that nobody writes to come to rest, and whether its facts stay findable."""
