"""Measure the size and the speed of the console's pages at a large tenant."""
