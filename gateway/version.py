"""Define the version. A test compares it with pyproject.toml, which is not in the image."""

VERSION = "0.1.0"
