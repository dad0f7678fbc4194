"""Exact duplicates: memories of the same category with the same text, ignoring case and outer white space.

SwarmClaw's published rule: a hash over category | lower(trim(content)). Without a category in the frontmatter, the
domain is used.
"""

import hashlib

from shared.core.memory.doc_type import category_of
from shared.core.memory.headline import summary_of
from shared.core.memory.model import MemoryKind, domain_of, kind_of
from shared.core.memory.yaml_read import split_frontmatter


def content_hash(text: str) -> str:
    """Return the SHA-256 of a text as 64 hex digits; equal hashes mean equal bytes."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def fold_hash(path: str, content: str) -> str:
    """Return 64 hex digits that exact duplicates share; empty for generated files and for texts without content."""
    normal = _normal(content)
    if not normal or kind_of(path) is not MemoryKind.TOPIC or not _says_something(content):
        return ""
    category = category_of(content) or domain_of(path)
    return hashlib.sha256(f"{category}|{normal}".encode("utf-8", "surrogatepass")).hexdigest()


def _says_something(content: str) -> bool:
    """Tell whether a text has a body or a summary: texts with nothing but settings differ only by their paths."""
    front = split_frontmatter(content)
    return bool(front.body.strip()) or bool(front.raw and summary_of(content))


def is_same_text(left: str, right: str) -> bool:
    """Tell whether two texts are the same, ignoring case and outer white space."""
    return _normal(left) == _normal(right)


def _normal(content: str) -> str:
    return content.strip().lower()
