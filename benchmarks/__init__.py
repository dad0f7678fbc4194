"""Benchmarks of slowwave, whose models answer the questions of their own benchmark and take no exam."""

import os

os.environ.setdefault("SLOWWAVE_LLM_EXAM", "off")
