"""Tell an owner what a week of dreams was worth."""
