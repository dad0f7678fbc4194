"""Bodies and frontmatter put together: what a host keeps when a model returns a text."""

from shared.core.errors import UneditableFrontmatterError
from shared.core.frontmatter import split_frontmatter

MAX_CONTENT_CHARS = 1_000_000


def body_of(text: str) -> str:
    """Return a text without its frontmatter; a model may return one, which the host does not take over."""
    parts = split_frontmatter(text)
    return parts.body if parts.is_valid else text


def opening_of(text: str, limit_chars: int) -> str:
    """Return the beginning of a text without its frontmatter, in one line; it ends in `...` when there is more."""
    opening = " ".join(body_of(text).split())
    return opening if len(opening) <= limit_chars else f"{opening[:limit_chars]}..."


def with_body(original: str, body: str) -> str:
    """Return the original's frontmatter, byte for byte, with another body; NUL characters are dropped.

    Raises:
        UneditableFrontmatterError: the frontmatter cannot be read, so nobody can tell it from the body.
    """
    parts = split_frontmatter(original)
    if parts.raw and not parts.is_valid:
        raise UneditableFrontmatterError
    return parts.raw + body.replace("\x00", "")


def items_of(value: object) -> list[str | int | float]:
    """Return a list field's items as they are; a field that holds one value instead of a list is a list of it."""
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, str | int | float) and item != ""]


def strings_of(value: object) -> list[str]:
    """Return a list field's items as text."""
    return [str(item) for item in items_of(value)]
