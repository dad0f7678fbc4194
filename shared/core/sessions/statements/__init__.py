"""Single statements of sessions: how they are written, when two state the same, and which lean on their neighbours."""
