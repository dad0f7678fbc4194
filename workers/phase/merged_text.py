"""The text of a merge that a model wrote as a whole, or by edits: every lost statement is put back, and the checks judge the rest.

A merge by reference needs none of this (`by_reference.py`). The checks of the notes are the same.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from shared.core.checks.merges import MERGE_CHECKS, Claim, MergedText, Notes, judge_text
from shared.core.checks.updates import Check, Finding, Outcome
from shared.core.merging.specifics import find_missing_specifics
from shared.core.merging.statements import find_unsaid, find_unsupported, read_statements
from workers.offline.join_texts import merge_bodies
from workers.phase.by_reference import MOST_SHOWN_CHARS

_TITLE = re.compile(r"#\s+\S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """A body as a model wants it, its claims about statements that are left out, and why other edits were refused."""

    body: str
    claims: tuple[Claim, ...] = ()
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The body of a merged text, and the weightiest check that the merge does not pass."""

    body: str
    finding: Finding | None = None
    may_be_confirmed: bool = False

    @property
    def why(self) -> str | None:
        """Return why a person decides about it, if a second reader does not."""
        return None if self.finding is None else self.finding.why


def write_merged(
    draft: Edited, notes: Notes, frontmatter: str = "", checks: Sequence[Check[Notes]] = MERGE_CHECKS
) -> Written:
    """Return the merged body with lost statements put back, and what the checks find against it.

    Args:
        draft: the text as the model wants it.
        notes: the memories that it takes the place of.
        frontmatter: the block that the merged text keeps, whose title needs not be said again.
        checks: those of the notes.
    """
    contents = tuple(one.content for one in notes)
    wanted = _with_known_title(draft.body, contents)
    unsaid = find_unsaid(frontmatter + wanted, contents)
    body = merge_bodies(frontmatter + wanted, contents) if unsaid else wanted
    made = find_unsupported(wanted, contents)
    text = MergedText(
        draft=wanted, whole=frontmatter + body, contents=contents, unsaid=unsaid, made=made, claims=draft.claims
    )
    finding = judge_text(notes, text, checks)
    is_doubted = finding is not None and finding.outcome is Outcome.CONFIRM
    # A person judges a model's own wording as it is; with all that it stands for put back it would be a heap.
    if is_doubted and (made or draft.claims) and not find_missing_specifics(frontmatter + wanted, contents):
        body = wanted
    is_short = sum(map(len, contents)) + len(body) <= MOST_SHOWN_CHARS
    return Written(body=body, finding=finding, may_be_confirmed=is_doubted and is_short)


def _with_known_title(draft: str, contents: Sequence[str]) -> str:
    """Return the draft under a title of one of its sources, since an invented title could say anything."""
    made = {statement.text for statement in find_unsupported(draft, contents)}
    title = read_statements(draft).title_text
    if title not in made:
        return draft
    known = next((told.title_text for told in map(read_statements, contents) if told.title), "")
    lines = draft.splitlines()
    at = next((at for at, line in enumerate(lines) if _TITLE.match(line)), None)
    if at is None:
        return draft
    lines[at : at + 1] = [f"# {known}"] if known else []
    return "\n".join(lines).strip("\n")
