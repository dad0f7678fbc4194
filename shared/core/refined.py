"""A better category and more tags, as a model gives them beside a new text (RockBot: `general` becomes something specific).

What dreams and people mean by a category of their own stays out of a model's reach: it can neither take a memory out of
upkeep nor give it the weight of a correction, and what has such a category keeps it.
"""

import re
from collections.abc import Sequence

from shared.core.decay import EXEMPT_CATEGORIES
from shared.core.doc_type import category_of
from shared.core.frontmatter import read_fields
from shared.core.inferred import ANTI_PATTERNS, INFERRED
from shared.core.paths import slug_of
from shared.core.texts import strings_of

_MAX_TAGS = 12
_CATEGORY = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}(?:/[a-z0-9][a-z0-9_-]{0,39}){0,3}")
_MEANS_MORE = re.compile(rf"(?:^|[/-])corrections?(?:$|[/-])|^(?:{INFERRED}|{ANTI_PATTERNS}|episodic)(?:$|/)")


def find_refined_fields(content: str, category: str, tags: Sequence[str]) -> dict[str, object]:
    """Return the fields of the frontmatter that change; nothing for a category that is none or means more than a topic."""
    found: dict[str, object] = {}
    wanted, current = category.strip().lower(), category_of(content)
    if wanted != current and _is_topic(wanted) and (not current or _is_topic(current)):
        found["category"] = wanted
    mine = strings_of(read_fields(content).get("tags"))
    fresh = [slug for tag in tags if tag.strip() and _is_topic(slug := slug_of(tag)) and slug not in mine]
    united = list(dict.fromkeys([*mine, *fresh]))[: max(_MAX_TAGS, len(mine))]
    if united != mine:
        found["tags"] = united
    return found


def _is_topic(name: str) -> bool:
    return _CATEGORY.fullmatch(name) is not None and name not in EXEMPT_CATEGORIES and _MEANS_MORE.search(name) is None
