"""Relative dates: a small rule table in front of dateparser's locale data. It abstains rather than guesses."""
