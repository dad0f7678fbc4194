"""Backups: a file with a pg_dump and a manifest of its contents, and restoring it."""
