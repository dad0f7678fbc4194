"""Prompts: one markdown file per phase that asks a model, and the rules that every call of a dream begins with."""

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent


@cache
def get_prompt(name: str) -> str:
    """Return a prompt's text. The same bytes every time, so that a dream's prefix is cached once."""
    return (_FOLDER / f"{name}.md").read_text(encoding="utf-8")
