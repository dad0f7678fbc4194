"""The text of a merge: the model's text with every lost statement put back, and the doubts about applying it.

A model that lost a specific is asked for the text again; without a model, lost statements are put back at once.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from shared.core.checks.at_odds import reason_at_odds
from shared.core.checks.merges import reason_between
from shared.core.memory.frontmatter import body_of
from shared.core.merging.opposites import reason_opposed
from shared.core.merging.specifics import find_missing_specifics
from shared.core.merging.statements import Statement, find_unsaid, find_unsupported, read_statements
from shared.core.questions.answer import Answer
from shared.core.questions.question import Question
from shared.core.text.clip import clip
from workers.offline.join_texts import merge_bodies

_TITLE = re.compile(r"#\s+\S")
#: A text that lost more than this part of its sources' statements is not a merge: with the lost ones put back, it would be a mere collection.
_MOST_PUT_BACK = 0.5
_FEWEST_TO_JUDGE = 3
#: The codes of a text that says things in its own words, of one that loses some, and of sources that may contradict each other.
_REWORDED, _COVERAGE, _AT_ODDS = "reworded", "coverage", "at_odds"
_CONFLICTS = (("opposites", reason_opposed), (_AT_ODDS, reason_at_odds))
_QUOTED = 3
_QUOTED_CHARS = 120


class RepairAnswer(Answer):
    """The answer to a repair question: the text of a merge that had lost specifics, now with them."""

    merged_content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """The reason why a merge is for a person to decide."""

    code: str
    detail: str

    @property
    def may_be_settled(self) -> bool:
        """Tell whether a second reader can settle it: every value is kept, and the wording is in doubt."""
        return self.code in {_REWORDED, _AT_ODDS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A statement that a draft leaves out, and the statement that says the same, according to the model."""

    dropped: str
    kept: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The body of a merged text, and the doubt about it if there is one."""

    body: str
    doubt: Doubt | None = None


def write_merged(
    draft: str, sources: Mapping[str, str], frontmatter: str = "", claims: Sequence[Claim] = ()
) -> Written:
    """Return the merged body with lost statements put back. If the draft invents or contradicts something, a person decides.

    Args:
        draft: the body as the model wants it.
        sources: the whole texts that it takes the place of, by the names to call them.
        frontmatter: the block that the merged text keeps, whose title needs not be said again.
        claims: statements that the draft leaves out, because a model says that another one says the same.
    """
    contents = list(sources.values())
    draft = _with_known_title(draft, contents)
    unsaid = find_unsaid(frontmatter + draft, contents)
    body = merge_bodies(frontmatter + draft, contents) if unsaid else draft
    heap, claimed = _find_heap(unsaid, contents), _find_claimed(claims)
    doubt = (
        _find_conflict(sources)
        or _find_invention(draft, contents)
        or heap
        or claimed
        or _find_loss(frontmatter + body, contents)
    )
    if doubt is not None and doubt.code == _AT_ODDS and claimed is not None:
        doubt = replace(doubt, detail=f"{doubt.detail} Left out: {claimed.detail}")
    # A person judges a model's own wording as it is; with all that it stands for put back it would be a heap.
    is_own = bool(find_unsupported(draft, contents)) or (claimed is not None and heap is None)
    is_reworded = doubt is not None and doubt.code in {_REWORDED, _AT_ODDS} and is_own
    is_lossless = is_reworded and not find_missing_specifics(frontmatter + draft, contents)
    return Written(body=draft if is_lossless else body, doubt=doubt)


def decide_repair(question: Question) -> RepairAnswer:
    """Return, without a model, the draft with the statements that it lost, each under its heading."""
    draft = next((document for document in question.documents if document.role == "draft"), None)
    sources = [document.text for document in question.documents if document.role == "source"]
    if draft is None or not draft.text.strip():
        return RepairAnswer(merged_content=merge_bodies(sources[0], sources[1:]) if sources else "")
    return RepairAnswer(merged_content=merge_bodies(draft.text, sources))


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


def are_opposed(contents: Sequence[str]) -> bool:
    """Tell whether two statements of these texts clearly contradict each other, so that no text could merge them."""
    return any(reason_opposed(left, right) for left, right in combinations(map(body_of, contents), 2))


def _find_conflict(sources: Mapping[str, str]) -> Doubt | None:
    """Return two statements that may contradict each other; clear contradictions have their own code."""
    found = ((code, reason_between(sources, decide)) for code, decide in _CONFLICTS)
    return next((Doubt(code=code, detail=conflict) for code, conflict in found if conflict), None)


def _find_invention(draft: str, contents: Sequence[str]) -> Doubt | None:
    """Return the statements of a model's text that are in no source in these words, and the specifics that it lost."""
    made = find_unsupported(draft, contents)
    if not made:
        return None
    detail = f"no source says in these words {_quote(made)}"
    lost = find_missing_specifics(draft, contents)
    if lost:
        return Doubt(code=_COVERAGE, detail=f"{detail}; it would lose {', '.join(lost[:5])}")
    return Doubt(code=_REWORDED, detail=detail)


def _find_claimed(claims: Sequence[Claim]) -> Doubt | None:
    """Return what the draft leaves out on the model's word; a person decides whether two wordings say the same."""
    said = (f'"{clip(one.kept)}" says "{clip(one.dropped)}", too' for one in claims[:_QUOTED])
    return Doubt(code=_REWORDED, detail=f"by the model's word alone, {', and '.join(said)}") if claims else None


def _find_heap(unsaid: Sequence[Statement], contents: Sequence[str]) -> Doubt | None:
    count = len({one.wording for content in contents for one in read_statements(content).statements})
    if len(unsaid) < _FEWEST_TO_JUDGE or len(unsaid) <= _MOST_PUT_BACK * count:
        return None
    return Doubt(code=_COVERAGE, detail=f"the merged text lost {len(unsaid)} of {count} statements: {_quote(unsaid)}")


def _find_loss(text: str, contents: Sequence[str]) -> Doubt | None:
    lost = find_unsaid(text, contents)
    specifics = find_missing_specifics(text, contents)
    if not lost and not specifics:
        return None
    return Doubt(code=_COVERAGE, detail=f"the merged text would lose {_quote(lost) or ', '.join(specifics[:5])}")


def _quote(statements: Sequence[Statement]) -> str:
    texts = (" ".join(one.text.split())[:_QUOTED_CHARS] for one in statements[:_QUOTED])
    return ", ".join(f'"{text}"' for text in texts)
