"""Backups: a file with what pg_dump wrote and a manifest of what must be in it, and the way back."""
