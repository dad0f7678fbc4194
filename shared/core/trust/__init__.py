"""Trust: who said each statement of a memory, and whose statement may take the place of whose."""
