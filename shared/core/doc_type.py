"""The `type` that a memory's frontmatter names, without parsing YAML: it is read on every write."""

import re

_TYPE = re.compile(r"^type:[ \t]*[\"']?([\w-]{1,64})[\"']?[ \t]*\r?$", re.MULTILINE)
_BLOCK_CHARS = 8_000

SYNTHESIS = "synthesis"
CONSOLIDATED_INSIGHT = "consolidated_insight"
DREAM_REFLECTION = "dream_reflection"
#: What dreams write on their own: nobody's knowledge to be merged, synthesised or reflected on again.
DREAMT = frozenset({SYNTHESIS, CONSOLIDATED_INSIGHT, DREAM_REFLECTION})


def type_of(text: str) -> str:
    """Return the frontmatter's `type`, such as `synthesis`, or an empty string."""
    opening = text.lstrip("\ufeff")
    if not opening.startswith("---"):
        return ""
    block, closing, _ = opening[3:_BLOCK_CHARS].partition("\n---")
    found = _TYPE.search(block) if closing else None
    return found.group(1) if found else ""
