"""Prune without a model: archive what says that it is over, is empty, or is held elsewhere; keep all else.

A text that another memory holds for the most part is suggested for a merge.
"""

import re
from collections.abc import Sequence

from shared.core.memory.frontmatter import body_of, summary_of, title_of
from shared.core.merging.opposites import decide_opposites
from shared.core.merging.same_subject import same_subject
from shared.core.merging.specifics import find_missing_specifics
from shared.core.questions.question import Document, Question
from shared.core.text.clip import clip
from shared.core.text.similarity import NEAR_DUPLICATE, decide_near_duplicate
from workers.offline.words import find_words, join_words, spell_specific
from workers.phases.prune.answer import PruneAnswer, PruneDecision
from workers.phases.prune.grounds import find_end, find_unheld, is_empty

#: A stale text of which this share of words stands in one other memory is worth folding into it.
OVERLAP = 0.6
#: Overlap says nothing about texts of fewer words.
_MIN_WORDS = 6
_STUB_CHARS = 320
#: A stub with the names in it; a profile allows 220 tokens.
_MAX_STUB_CHARS = 640
_NAMES_IN_STUB = 8
_PROTECTED_FACTS = re.compile(r"\bcore\b|\bpinned\b|\bprotected\b", re.IGNORECASE)
#: The number of words among which the most telling one of a candidate is chosen.
_MOST_TERMS = 200


def decide_pruning(question: Question) -> PruneAnswer:
    """Return one verdict on every candidate, each from its own text and its neighbours' alone."""
    neighbours = [document for document in question.documents if document.role == "neighbour"]
    candidates = {document.path: document for document in question.documents if document.role == "candidate"}
    return PruneAnswer(decisions=tuple(_decide(candidate, neighbours) for candidate in candidates.values()))


def _decide(candidate: Document, neighbours: Sequence[Document]) -> PruneDecision:
    if any(_PROTECTED_FACTS.search(fact) for fact in candidate.facts):
        return _keep(candidate, "it is protected")
    if is_empty(candidate.text):
        return _archive(candidate, "it is empty", 0.9)
    end = find_end(candidate.text)
    if end is not None:
        return _archive(candidate, f"it says so itself: {clip(end)}", 0.85, quote=end)
    for other in neighbours:
        if find_unheld(candidate.path, candidate.text, other.path, other.text) is None:
            return _archive(candidate, f"{other.path} says all of it", 0.95, held_in=other.path)
    body = body_of(candidate.text)
    folded = _find_fuller(candidate, body, neighbours)
    return folded or _keep(candidate, _what_it_holds(candidate.path, body, neighbours))


def _find_fuller(candidate: Document, body: str, neighbours: Sequence[Document]) -> PruneDecision | None:
    """Return a suggestion to fold a candidate into the neighbour that holds most of it."""
    words = find_words(body)
    if len(words) < _MIN_WORDS:
        return None
    rated = []
    for neighbour in neighbours:
        other = body_of(neighbour.text)
        overlap = len(words & find_words(other)) / len(words)
        if neighbour.path == candidate.path or overlap < OVERLAP or not _may_hold(candidate, neighbour):
            continue
        likeness = decide_near_duplicate(body, other)
        if decide_opposites(body, other) is None:
            rated.append((overlap, likeness, neighbour))
    if not rated:
        return None
    overlap, likeness, best = max(rated, key=lambda found: (found[0], found[1], found[2].path))
    says = "says the same" if likeness >= NEAR_DUPLICATE else "holds most of it already"
    return PruneDecision(
        file=candidate.path,
        decision="MERGE_INTO",
        reason=f"Suggested a merge of {candidate.path} into {best.path} — {says}",
        merge_target=best.path,
        confidence=round(min(0.95, max(overlap, likeness)), 2),
    )


def _may_hold(candidate: Document, neighbour: Document) -> bool:
    """Tell whether a memory may take in another one: pages of one template about different subjects stay apart."""
    return not same_subject(candidate.path, candidate.text, neighbour.path, neighbour.text).is_different


def _archive(
    candidate: Document, why: str, confidence: float, *, quote: str = "", held_in: str | None = None
) -> PruneDecision:
    return PruneDecision(
        file=candidate.path,
        decision="ARCHIVE",
        reason=f"Archived {candidate.path} — {why}",
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


def _keep(candidate: Document, why: str) -> PruneDecision:
    return PruneDecision(file=candidate.path, decision="KEEP", reason=f"Kept {candidate.path} — {why}", confidence=0.7)


def _what_it_holds(path: str, body: str, neighbours: Sequence[Document]) -> str:
    """Return why a memory stays: specifics that only it holds, the most telling first, or its small overlap with others."""
    around = "\n\n".join(body_of(neighbour.text) for neighbour in neighbours)
    missing = find_missing_specifics(around, [body])
    named = [term for term in missing if len(term) > 2 and term not in path.lower()]
    unique = _spell_most_telling(named, body, 3)
    if unique:
        return f"no neighbour holds {join_words(unique)}"
    words = find_words(body)
    share, closest = max(
        ((len(words & find_words(body_of(one.text))) / max(1, len(words)), one.path) for one in neighbours),
        default=(0, ""),
    )
    return (
        f"its closest neighbour {closest} has {share:.0%} of its words"
        if closest
        else "it has no neighbour that could stand for it"
    )


def _spell_most_telling(terms: Sequence[str], body: str, limit: int) -> list[str]:
    """Return specifics as a text writes them, the most telling first."""
    written = (spell_specific(term, body) for term in sorted(terms, key=_how_telling)[:_MOST_TERMS])
    return sorted(dict.fromkeys(filter(None, written)), key=_how_telling)[:limit]


def _how_telling(term: str) -> tuple[int, int]:
    """Rank names that hold letters and signs (paths, identifiers) before words, and bare numbers and times last."""
    letters = sum(map(str.isalpha, term))
    if letters < 3 or re.match(r"\d{4}-\d{2}|\d{1,2}:\d{2}", term):
        return (2, -len(term))
    return (0 if re.search(r"[._/\-\d]|[a-z][A-Z]", term) else 1, -len(term))
