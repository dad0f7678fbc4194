"""Relative dates: rules that find and read them, who said them when, and where they are made absolute. In doubt they abstain."""
