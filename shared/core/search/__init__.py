"""Search: rankings of texts by words and by meaning, and how they are joined."""
