"""Read the `type` and `category` of a memory's frontmatter without parsing YAML, since every write reads them."""

import re

_LINE = r"^{}:[ \t]*[\"']?([\w/-]{{1,64}})[\"']?[ \t]*\r?$"
_TYPE = re.compile(_LINE.format("type"), re.MULTILINE)
_CATEGORY = re.compile(_LINE.format("category"), re.MULTILINE)
_BLOCK_CHARS = 8_000

#: The value of `generated_by` in the frontmatter of an index that slowwave wrote.
GENERATED_BY = "slowwave"
SYNTHESIS = "synthesis"
CONSOLIDATED_INSIGHT = "consolidated_insight"
DREAM_REFLECTION = "dream_reflection"
DAILY_DIGEST = "daily_digest"
#: A trace of an agent's actions, not knowledge: left out of a digest (SwarmClaw).
BREADCRUMB = "breadcrumb"
#: Types that dreams write on their own. They are not merged, synthesized or reflected on again.
DREAMT = frozenset({SYNTHESIS, CONSOLIDATED_INSIGHT, DREAM_REFLECTION, DAILY_DIGEST})


def type_of(text: str) -> str:
    """Return the frontmatter's `type`, such as `synthesis`, or an empty string."""
    return _find(_TYPE, text)


def category_of(text: str) -> str:
    """Return the frontmatter's `category`, such as `daily_digest` or `user-preferences/inferred`, or an empty string."""
    return _find(_CATEGORY, text)


def is_digest(text: str) -> bool:
    """Tell whether a text is a day's digest: it repeats memories in other words, and dreams ignore it."""
    return DAILY_DIGEST in {type_of(text), category_of(text)}


def _find(line: re.Pattern[str], text: str) -> str:
    opening = text.lstrip("\ufeff")
    if not opening.startswith("---"):
        return ""
    block, closing, _ = opening[3:_BLOCK_CHARS].partition("\n---")
    found = line.search(block) if closing else None
    return found.group(1) if found else ""
