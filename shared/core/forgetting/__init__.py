"""Find words in texts, whatever stands between their letters, and take them out, for what is to be forgotten."""
