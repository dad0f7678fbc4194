"""Tell the pages that stand for another one: an alias, a redirect, a note that something moved.

Such a page holds a name and where it leads. Two of them are alike to the letter, and a merge would lose one of the names.
"""

from shared.core.memory.frontmatter import body_of, read_fields
from shared.languages.language_file import pattern_of

#: How its title, its description or one of its first lines begins, also in brackets.
_SAYS = pattern_of("stands_in", is_whole=False)
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
    if any(map(_SAYS.match, (*described, *(one.partition("(")[2] for one in described)))):
        return True
    told = [line.lstrip("> *_-") for line in lines if not line.startswith("#")]
    return any(_SAYS.match(line) for line in told[:_FIRST_LINES])
