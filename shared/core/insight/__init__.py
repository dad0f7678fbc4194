"""The worth of a week of dreams to the owner of an agent: what was learned, how much of it was right, and what it cost."""
