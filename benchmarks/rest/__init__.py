"""Measure whether forced dreams over an unchanged store come to rest, and whether its facts stay findable."""
