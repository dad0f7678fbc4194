"""Directives: a tenant's own prompt in place of a phase's built-in one. Never in place of the schema or the safety rules.

The names are the files that RockBot publishes, and ours for what RockBot does not do; every task that asks a model has one, but
for the repair of a merge, which follows from the rules.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from shared.core.errors import BadInputError

#: Which built-in prompt a directive replaces, by the directive's name.
DIRECTIVES = {
    "dream.md": "consolidate",
    "skill-gap.md": "find_skill_gaps",
    "skill-dream.md": "merge_skills",
    "skill-optimize.md": "repair_skills",
    "pref-dream.md": "infer_preferences",
    "wisp-failure-dream.md": "learn_from_workflows",
    "daily-digest.md": "digest",
    "gather.md": "gather",
    "synthesize.md": "synthesize",
    "reflect.md": "reflect",
    "prune.md": "prune",
}
MAX_CHARS = 40_000
BUILT_IN = "built-in"


@dataclass(frozen=True, slots=True, kw_only=True)
class Directive:
    """One version of a tenant's directive. `content` is None when this version is a reset to the built-in prompt."""

    name: str
    version: int
    content: str | None
    actor: str
    created_at: datetime


def check_directive(name: str, content: str | None = None) -> None:
    """Raise BadInputError unless there is such a directive and its text can be a prompt."""
    if name not in DIRECTIVES:
        msg = f"There is no directive {name!r}; choose one of {', '.join(DIRECTIVES)}"
        raise BadInputError(msg)
    if content is None:
        return
    if not content.strip():
        msg = f"The text of {name} is empty; to go back to the built-in prompt, reset it"
        raise BadInputError(msg)
    if len(content) > MAX_CHARS or "\x00" in content:
        msg = f"The text of {name} has {len(content):,} characters; at most {MAX_CHARS:,} are taken, none of them NUL"
        raise BadInputError(msg)


def name_prompt(prompt: str, text: str, directive: Directive | None) -> str:
    """Return what the dream log says of the prompt that was used: which one, and the beginning of its SHA-256."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    if directive is None:
        return f"{prompt}: {BUILT_IN} (sha256 {digest})"
    return f"{prompt}: {directive.name}, version {directive.version} (sha256 {digest})"
