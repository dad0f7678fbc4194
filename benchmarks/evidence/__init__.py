"""Measure whether dreams without a model keep what stores know findable, and compare it with what was recorded."""
