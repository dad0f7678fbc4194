"""Prune without a model: archive what says that it is over, is empty, or is held elsewhere; leave all else alone."""

import re
from collections.abc import Sequence

from shared.core.memory.frontmatter import body_of, summary_of, title_of
from shared.core.merging.specifics import find_missing_specifics
from shared.core.questions.question import Document, Question
from shared.core.text.clip import clip
from workers.phases.prune.answer import PruneAnswer, PruneDecision
from workers.phases.prune.grounds import find_end, find_unheld, is_empty

_STUB_CHARS = 320
#: A stub with the names in it; a profile allows 220 tokens.
_MAX_STUB_CHARS = 640
_NAMES_IN_STUB = 8
#: The number of words among which the most telling one of a candidate is chosen.
_MOST_TERMS = 200


def decide_pruning(question: Question) -> PruneAnswer:
    """Return a verdict on every candidate that is archived, each from its own text and its neighbours' alone."""
    neighbours = [document for document in question.documents if document.role == "neighbour"]
    candidates = {document.path: document for document in question.documents if document.role == "candidate"}
    verdicts = (decide_archiving(candidate, neighbours) for candidate in candidates.values())
    return PruneAnswer(decisions=tuple(filter(None, verdicts)))


def decide_archiving(candidate: Document, neighbours: Sequence[Document]) -> PruneDecision | None:
    """Return the verdict that archives a candidate, or None for one that stays."""
    if is_empty(candidate.text):
        return _archive(candidate, "it is empty", 0.9)
    end = find_end(candidate.text)
    if end is not None:
        return _archive(candidate, f"it says so itself: {clip(end)}", 0.85, quote=end)
    for other in neighbours:
        if find_unheld(candidate.path, candidate.text, other.path, other.text) is None:
            return _archive(candidate, f"{other.path} says all of it", 0.95, held_in=other.path)
    return None


def _archive(
    candidate: Document, why: str, confidence: float, *, quote: str = "", held_in: str | None = None
) -> PruneDecision:
    return PruneDecision(
        file=candidate.path,
        decision="ARCHIVE",
        reason=f"Archive {candidate.path} — {why}",
        ground="held_elsewhere" if held_in else "over",
        quote=quote,
        held_in=held_in,
        stub=_stub(candidate),
        confidence=confidence,
    )


def _stub(candidate: Document) -> str:
    """Return the title, the gist and names that the gist lacks, long enough to be found by."""
    title = title_of(candidate.path, candidate.text)
    gist = summary_of(candidate.text, _STUB_CHARS - 80) or f"An archived note at {candidate.path} without further text."
    cue = (
        f"{title}: {gist}"[:_STUB_CHARS] if len(title) + len(gist) >= 20 else f"{title}: archived from {candidate.path}"
    )
    body = body_of(candidate.text)
    names = _spell_most_telling(find_missing_specifics(cue, [body]), body, _NAMES_IN_STUB)
    return f"{cue} Names: {', '.join(names)}."[:_MAX_STUB_CHARS] if names else cue


def _spell_most_telling(terms: Sequence[str], body: str, limit: int) -> list[str]:
    """Return specifics as a text writes them, the most telling first."""
    written = (_spell(term, body) for term in sorted(terms, key=_how_telling)[:_MOST_TERMS])
    return sorted(dict.fromkeys(filter(None, written)), key=_how_telling)[:limit]


def _spell(specific: str, text: str) -> str:
    """Return a specific in the text's spelling; empty if the text has only parts of it, such as another unit."""
    found = re.search(rf"(?<![^\W_]){re.escape(specific)}(?![^\W_])", text, re.IGNORECASE)
    return found[0] if found else ""


def _how_telling(term: str) -> tuple[int, int]:
    """Rank names that hold letters and signs (paths, identifiers) before words, and bare numbers and times last."""
    letters = sum(map(str.isalpha, term))
    if letters < 3 or re.match(r"\d{4}-\d{2}|\d{1,2}:\d{2}", term):
        return (2, -len(term))
    return (0 if re.search(r"[._/\-\d]|[a-z][A-Z]", term) else 1, -len(term))
