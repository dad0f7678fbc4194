"""Directives: a tenant's own prompt in place of a phase's built-in one. Never in place of the schema or the safety rules.

Each phase declares its directives, under the file names that RockBot publishes where it has one. The second reader's question has
none, because it follows from the safety rules.
"""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from shared.core.errors import BadInputError

MAX_CHARS = 40_000
BUILT_IN = "built-in"


@dataclass(frozen=True, slots=True, kw_only=True)
class Directive:
    """One version of a directive of a tenant, or of a store. `content` is None when this version is a reset."""

    name: str
    version: int
    content: str | None
    actor: str
    created_at: datetime
    store: str = ""  # its store; empty: all stores of the tenant


def check_directive(known: Collection[str], name: str, content: str | None = None) -> None:
    """Raise BadInputError unless the directive exists and its text can be a prompt."""
    if name not in known:
        msg = f"There is no directive {name!r}; choose one of {', '.join(known)}"
        raise BadInputError(msg)
    if content is None:
        return
    if not content.strip():
        msg = f"The text of {name} is empty; to go back to the built-in prompt, reset it"
        raise BadInputError(msg)
    if len(content) > MAX_CHARS or "\x00" in content:
        msg = f"The text of {name} has {len(content):,} characters; at most {MAX_CHARS:,} are allowed, and no NUL"
        raise BadInputError(msg)


def name_prompt(prompt: str, text: str, directive: Directive | None) -> str:
    """Return the dream log's name for the prompt that was used, with the beginning of its SHA-256."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    if directive is None:
        return f"{prompt}: {BUILT_IN} (sha256 {digest})"
    whose = f" of the store {directive.store}" if directive.store else ""
    return f"{prompt}: {directive.name}{whose}, version {directive.version} (sha256 {digest})"
