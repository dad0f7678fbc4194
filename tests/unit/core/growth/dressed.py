"""Texts that hold a hostile one where something reads it."""

from collections.abc import Callable

from shared.core.memory.frontmatter import build_frontmatter

Entry = Callable[[str], object]


def as_field(text: str, name: str = "gathered_from") -> str:
    """Return a memory whose frontmatter holds the text, as far as a block may be long, as one item of a list."""
    return build_frontmatter({name: [text[:60_000]]}, "Body.\n")


def as_items(text: str) -> str:
    """Return a memory whose frontmatter lists the words of the text."""
    return build_frontmatter({"gathered_from": text[:15_000].split()[:4_000]}, "Body.\n")


def in_block(text: str) -> str:
    """Return a memory whose frontmatter is the text."""
    return f"---\n{text[:65_000]}\n---\nBody.\n"


def like(text: str) -> str:
    """Return a text that differs from another one in its first and its last words."""
    return f"One {text} other."


def half(text: str) -> str:
    return text[: len(text) // 2]
