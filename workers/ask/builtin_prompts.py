"""Built-in prompts: a markdown file for each phase that asks a model, and the rules that begin every call."""

import json
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent
_PHASES = _FOLDER.parent / "phases"


@cache
def get_prompt(name: str) -> str:
    """Return a prompt's text; the same bytes every time, so that the provider caches a dream's prefix."""
    places = (_PHASES / name / "prompt.md", _FOLDER / f"{name}.md", *sorted(_PHASES.glob(f"*/{name}.md")))
    return next(place for place in places if place.is_file()).read_text(encoding="utf-8")


def find_prompt_names() -> frozenset[str]:
    """Return the name of every prompt: a phase's own has the phase's name, the others that of their file."""
    own = {path.parent.name for path in _PHASES.glob("*/prompt.md")}
    return frozenset(own | {path.stem for path in (*_FOLDER.glob("*.md"), *_PHASES.glob("*/*.md"))} - {"prompt"})


def with_wish(instructions: str, wish: str) -> str:
    """Return a task's prompt with the operator's wish behind it, as one JSON string that cannot end its frame."""
    return f"{instructions}\n\n{get_prompt('wish')}\n{json.dumps(wish, ensure_ascii=False)}" if wish else instructions
