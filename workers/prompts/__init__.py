"""Prompts: one markdown file per phase that asks a model, and the rules that every call of a dream begins with."""

import json
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent


@cache
def get_prompt(name: str) -> str:
    """Return a prompt's text. The same bytes every time, so that a dream's prefix is cached once."""
    return (_FOLDER / f"{name}.md").read_text(encoding="utf-8")


def with_wish(instructions: str, wish: str) -> str:
    """Return a task's prompt with the operator's wish behind it, as one JSON string that cannot end its frame."""
    return f"{instructions}\n\n{get_prompt('wish')}\n{json.dumps(wish, ensure_ascii=False)}" if wish else instructions
