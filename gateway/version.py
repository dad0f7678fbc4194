"""Which slowwave this is; a test compares it with pyproject.toml, which an image does not carry."""

VERSION = "0.1.0"
