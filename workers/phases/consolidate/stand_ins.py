"""Tell the pages that stand for another one: an alias, a redirect, a note that something moved.

Such a page holds a name and where it leads. Two of them are alike to the letter, and a merge would lose one of the names.
"""

import re

from shared.core.memory.frontmatter import body_of, read_fields

_KINDS = "page|command|file|document|doc|agent|skill|note|memory|guide|section|tool|function|option|rule"
#: What a page calls itself in its title or its description.
_CALLED = re.compile(
    r"\(?(?:[\w-]{1,40} ){0,2}(?:alias|redirect|stub)\b(?: (?:of|for|to)\b|\)|$)|\(?deprecated\b|\(?(?:moved|renamed) to\b",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"\((?:[\w-]{1,40} ){0,2}(?:alias|deprecated|redirect)\)", re.IGNORECASE)
#: How the first sentence of such a page goes.
_SAYS = re.compile(
    rf"(?:(?:alias(?:es)?|redirect|shorthand|short form) (?:of|for|to)\b|redirects? .{{0,60}}\bto\b|(?:moved|renamed) to\b"
    rf"|(?:replaced|superseded) by\b|deprecated\b"
    rf"|this (?:{_KINDS}) (?:(?:is|has been|was) )?(?:(?:now|an?|only|just) )*"
    r"(?:alias|redirect|deprecated|moved|renamed|replaced|superseded|kept for (?:backward|compatib)))",
    re.IGNORECASE,
)  # fmt: skip
_NAMED_BY = ("alias_of", "alias-of", "redirect", "redirect_to", "replaced_by", "superseded_by", "moved_to")
_DESCRIBED_BY = ("title", "description", "summary")
#: So much of a text is looked at: its title and its first sentences.
_LOOKED_AT = 1_000
_FIRST_LINES = 3


def stands_for_another(text: str) -> bool:
    """Tell whether a memory says of itself that it is another name of something, or was given up for it."""
    fields = read_fields(text)
    if any(fields.get(name) for name in _NAMED_BY):
        return True
    lines = [line.strip() for line in body_of(text)[:_LOOKED_AT].splitlines() if line.strip()]
    title = next((line.lstrip("# ") for line in lines if line.startswith("# ")), "")
    described = [title, *(str(fields.get(name) or "")[:_LOOKED_AT] for name in _DESCRIBED_BY)]
    if any(_CALLED.match(one) or _IN_BRACKETS.search(one) for one in described):
        return True
    told = [line.lstrip("> *_-") for line in lines if not line.startswith("#")]
    return any(_SAYS.match(line) for line in told[:_FIRST_LINES])
