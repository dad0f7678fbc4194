"""Exams of models: their results, and those that a person sets."""
