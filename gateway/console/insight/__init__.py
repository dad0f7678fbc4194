"""Pages for the owner of an agent: what it learned, and how its memories hang together."""
