"""Bodies and frontmatter put together: what a host keeps when a model returns a text."""

from shared.core.frontmatter import split_frontmatter

MAX_CONTENT_CHARS = 1_000_000


def body_of(text: str) -> str:
    """Return a text without its frontmatter; a model may return one, which the host does not take over."""
    parts = split_frontmatter(text)
    return parts.body if parts.is_valid else text


def with_body(original: str, body: str) -> str:
    """Return the original's frontmatter, byte for byte, with another body; NUL characters are dropped."""
    parts = split_frontmatter(original)
    clean = body.replace("\x00", "")
    return f"{parts.raw}{clean}" if parts.is_valid else clean
