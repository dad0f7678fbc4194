"""How large and how slow the pages of the console are at a large tenant."""
