"""Pages that show whether dreams help a store."""
